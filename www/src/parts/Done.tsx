// It was sent.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "./CopyButton";
import { Icon } from "./Icon";
import { t } from "../words";

interface Props {
  title: string;
  /** The transaction's id. */
  id: string;
  onOpen(id: string): void;
  /** What the button to begin anew says. */
  again: string;
  onAgain(): void;
  children?: ComponentChildren;
}

export function Done({ title, id, onOpen, again, onAgain, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card done" role="status">
      <span class="done-sign">
        <Icon name="check" />
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <p class="mono with-copy id">
        {id}
        <CopyButton text={id} what={t.common.transactionIdentifier} small />
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={() => onOpen(id)}>{t.send.showTheTransaction}</button>
        <button type="button" class="button primary" onClick={onAgain}>
          {again}
        </button>
      </div>
    </section>
  );
}
