// A page's heading, which gets the focus when the page is shown.
import type { ComponentChildren } from "preact";

export function Title({ children, lead }: { children: ComponentChildren; lead?: ComponentChildren }) {
  return (
    <header class="title">
      <h1 tabIndex={-1}>{children}</h1>
      {lead && <p class="lead">{lead}</p>}
    </header>
  );
}
