// It was sent.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { visits } from "../state/route";
import { CopyButton } from "./CopyButton";
import { Icon } from "./Icon";
import { t } from "../words";

interface Props {
  title: string;
  /** The transaction's id. */
  id: string;
  /** What the id is called: it is the transaction's, if left out. */
  idName?: string;
  onOpen(id: string): void;
  /** What the button to begin anew says. */
  again: string;
  onAgain(): void;
  children?: ComponentChildren;
}

export function Done({ title, id, idName = t.common.transactionIdentifier, onOpen, again, onAgain, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // Who goes to the page again wants its form: at once, as the address may change with it.
  const visit = useRef(visits.value);
  useLayoutEffect(() => {
    if (visits.value !== visit.current) onAgain();
  }, [visits.value]);
  return (
    <section class="card done" role="status">
      <span class="done-sign">
        <Icon name="check" />
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <div class="done-id">
        <p class="hint">{idName}</p>
        <p class="mono with-copy id">
          {id}
          <CopyButton text={id} what={idName} small />
        </p>
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={() => onOpen(id)}>{t.send.showTheTransaction}</button>
        <button type="button" class="button primary" onClick={onAgain}>
          {again}
        </button>
      </div>
    </section>
  );
}
