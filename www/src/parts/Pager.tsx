// The way through a list that is shown a page at a time: however long it is, the page stays quick.
import { useState } from "preact/hooks";
import { t } from "../words";
import { writeNumber } from "../words/formats";

export interface Pages {
  /** The place of the first that is shown, from 0. */
  from: number;
  /** How many are shown at once. */
  size: number;
  total: number;
  onGo(from: number): void;
}

interface Props extends Pages {
  /** What is listed, for screen readers: "transactions". */
  what: string;
  /** The place of the first that is there already, if those at `from` are on their way. */
  shown?: number;
  /** What the two buttons say. */
  back?: string;
  on?: string;
}

/** Which part of a list of `total` is shown: the first one, also when the list has become shorter than that. */
export function usePages(size: number, total: number): Pages {
  const [wanted, onGo] = useState(0);
  return { from: wanted < total ? wanted : 0, size, total, onGo };
}

export function Pager({ what, from, shown = from, size, total, onGo, back = t.common.back, on = t.history.more }: Props) {
  if (total <= size) return null;
  const go = (event: MouseEvent, to: number): void => {
    onGo(to);
    (event.currentTarget as HTMLElement).closest("section")?.scrollIntoView();
  };
  return (
    <nav class="pager" aria-label={t.history.pagesOf(what)}>
      <span role="status">
        {t.history.fromToOf(writeNumber(shown + 1), writeNumber(Math.min(shown + size, total)), writeNumber(total))}
      </span>
      <button type="button" class="button" disabled={from === 0} onClick={(event) => go(event, Math.max(0, from - size))}>
        {back}
      </button>
      <button type="button" class="button" disabled={from + size >= total} onClick={(event) => go(event, from + size)}>
        {on}
      </button>
    </nav>
  );
}
