// A page's heading, which gets the focus when the page is shown.
import type { ComponentChildren } from "preact";
import { Icon } from "./Icon";

interface Props {
  children: ComponentChildren;
  lead?: ComponentChildren;
  /** Where it belongs to. */
  back?: { href: string; title: string };
}

export function Title({ children, lead, back }: Props) {
  return (
    <header class="title">
      {back && (
        <a class="back" href={back.href}>
          <Icon name="back" />
          {back.title}
        </a>
      )}
      <h1 tabIndex={-1}>{children}</h1>
      {lead && <p class="lead">{lead}</p>}
    </header>
  );
}
