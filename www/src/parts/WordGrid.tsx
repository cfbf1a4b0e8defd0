// 24 fields for 24 words: each says whether its word is in the list, completes it, and takes a whole phrase that is pasted.
import { useMemo, useRef, useState } from "preact/hooks";
import { t } from "../words";

export const COUNT = 24;
const SUGGESTED = 6;
/** As the wallet splits them: everything but letters and digits separates words. */
const SEPARATORS = /[^a-z0-9]+/;

type State = "empty" | "begun" | "known" | "unknown";

interface Props {
  words: string[];
  list: string[];
  hidden: boolean;
  onChange(words: string[]): void;
}

export function WordGrid({ words, list, hidden, onChange }: Props) {
  const grid = useRef<HTMLOListElement>(null);
  const [active, setActive] = useState(-1);
  const known = useMemo(() => new Set(list), [list]);

  const beginning = (text: string): string[] => (text === "" ? [] : list.filter((word) => word.startsWith(text)));
  const stateOf = (word: string, at: number): State => {
    if (word === "") return "empty";
    // The list is on its way: nothing can be said yet.
    if (list.length === 0) return "begun";
    if (known.has(word)) return "known";
    return at === active && beginning(word).length > 0 ? "begun" : "unknown";
  };
  const focus = (at: number): void => {
    grid.current?.querySelectorAll("input")[Math.min(at, COUNT - 1)]?.focus();
  };

  /** One word, or several at once from `at` on; a whole phrase starts at the first field, wherever it was pasted. */
  const put = (at: number, text: string): void => {
    // Of "1. demand 2. desert", the numbers are no words.
    const typed = text.toLowerCase().split(SEPARATORS).filter((word) => word !== "" && !/^\d+$/.test(word));
    const next = [...words];
    const start = typed.length >= COUNT ? 0 : at;
    if (typed.length === 0) next[at] = "";
    typed.slice(0, COUNT - start).forEach((word, offset) => {
      next[start + offset] = word;
    });
    onChange(next);
    if (typed.length > 1) focus(start + typed.length);
  };

  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const word = words[at]!;
    if ((event.key === " " || event.key === "Enter") && word !== "") {
      const [only, ...others] = beginning(word);
      if (event.key === "Enter" && at === COUNT - 1) return; // sends the form
      event.preventDefault();
      if (only && others.length === 0) put(at, only);
      focus(at + 1);
    } else if (event.key === "Backspace" && word === "" && at > 0) {
      event.preventDefault();
      focus(at - 1);
    }
  };

  return (
    <>
      <ol class="word-grid" ref={grid}>
        {words.map((word, at) => {
          const state = stateOf(word, at);
          return (
            // The place is what a field is.
            <li key={at} class={`word word-${state}`}>
              <label for={`word-${at}`}>{at + 1}</label>
              <input
                id={`word-${at}`}
                type={(hidden ? "password" : "text") as "text"}
                aria-label={t.common.word(at + 1)}
                aria-invalid={state === "unknown"}
                aria-describedby={state === "unknown" ? "word-unknown" : undefined}
                autocomplete="off"
                autocapitalize="none"
                autocorrect="off"
                spellcheck={false}
                {...(!hidden && { list: "word-suggestions" })}
                data-autofocus={at === 0}
                value={word}
                onFocus={() => setActive(at)}
                onBlur={() => setActive(-1)}
                onInput={(event) => put(at, event.currentTarget.value)}
                onPaste={(event) => {
                  const text = event.clipboardData?.getData("text") ?? "";
                  if (text.trim().toLowerCase().split(SEPARATORS).length < 2) return;
                  event.preventDefault();
                  put(at, text);
                }}
                onKeyDown={(event) => onKeyDown(event, at)}
              />
              <span class="word-mark" aria-hidden="true">
                {state === "known" ? "✓" : state === "unknown" ? "✗" : ""}
              </span>
            </li>
          );
        })}
      </ol>
      <p id="word-unknown" hidden>{t.fields.thisWordIsNotIn}</p>
      <datalist id="word-suggestions">
        {beginning(words[active] ?? "")
          .slice(0, SUGGESTED)
          .map((word) => (
            <option key={word} value={word} />
          ))}
      </datalist>
    </>
  );
}
