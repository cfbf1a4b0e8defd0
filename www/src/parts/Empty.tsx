// Where there is nothing yet: a picture, a sentence, and what to do.
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon";

interface Props {
  icon: IconName;
  title: string;
  text: string;
  children?: ComponentChildren;
}

export function Empty({ icon, title, text, children }: Props) {
  return (
    <section class="card empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}
