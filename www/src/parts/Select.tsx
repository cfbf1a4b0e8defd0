// A choice among a few, in a list that shows more than a name. It is a combobox that only selects, as the ARIA practices have it: the
// focus stays on the button, and `aria-activedescendant` names the option that the keys have reached.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Control } from "./Field";
import { Icon, type IconName } from "./Icon";

export interface Option<V> {
  value: V;
  label: string;
  /** Stands at the end of its line: how much of a token there is. */
  note?: string;
  /** What the button says where there is little room. */
  short?: string;
  sign?: ComponentChildren;
  lang?: string;
}

interface Props<V> {
  control: Partial<Control> & { "aria-label"?: string };
  options: Option<V>[];
  value: V;
  onChange(value: NoInfer<V>): void;
  /** Shows the `short` text of what is chosen. */
  compact?: boolean;
  /** Stands for what is chosen. */
  icon?: IconName;
}

const KEYS = /^(ArrowDown|ArrowUp|Home|End|Enter|Escape)$/;
/** Letters that follow each other sooner are one beginning. */
const TYPING_MS = 700;
/** Around the list, in pixels. */
const GAP = 4;

export function Select<V extends string | number>({ control, options, value, onChange, compact = false, icon }: Props<V>) {
  const [active, setActive] = useState<number>();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const id = useId();
  const isOpen = active !== undefined;
  const chosen = options.find((option) => option.value === value);
  const open = (): void => setActive(Math.max(0, options.findIndex((option) => option.value === value)));
  const close = (): void => {
    typed.current = { text: "", at: 0 };
    setActive(undefined);
  };
  const choose = (option: Option<V> | undefined): void => {
    close();
    if (option && option.value !== value) onChange(option.value);
  };

  useLayoutEffect(() => {
    if (!isOpen) return;
    const [unfolded, anchor] = [list.current, button.current];
    if (!unfolded || !anchor) return;
    unfolded.showPopover();
    place(unfolded, anchor);
    const follow = (event: Event): void => {
      if (event.target !== unfolded) place(unfolded, anchor);
    };
    addEventListener("scroll", follow, true);
    addEventListener("resize", follow);
    return () => {
      removeEventListener("scroll", follow, true);
      removeEventListener("resize", follow);
    };
  }, [isOpen]);
  useLayoutEffect(() => {
    list.current?.querySelector(".option-active")?.scrollIntoView({ block: "nearest" });
  }, [active]);

  /** Goes to the next option that begins with what was typed; one letter again and again goes through all that begin with it. */
  const seek = (letter: string): void => {
    const now = Date.now();
    const text = (now - typed.current.at < TYPING_MS ? typed.current.text : "") + letter.toLowerCase();
    typed.current = { text, at: now };
    const isRepeated = [...text].every((one) => one === text[0]);
    const current = active ?? options.findIndex((option) => option.value === value);
    const from = isRepeated ? current + 1 : Math.max(0, current);
    const order = [...options.slice(from), ...options.slice(0, from)];
    const found = order.find(({ label }) => label.toLowerCase().startsWith(isRepeated ? text.charAt(0) : text));
    setActive(found ? options.indexOf(found) : Math.max(0, current));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = options.length - 1;
    const isTyping = Date.now() - typed.current.at < TYPING_MS;
    if (key === "Tab") return isOpen ? choose(options[active]) : undefined;
    if (key === "Escape" && !isOpen) return;
    if (key.length > 1 && !KEYS.test(key)) return;
    // Escape closes the list alone, not the dialog around it.
    event.preventDefault();
    if (key.length === 1 && (key !== " " || isTyping)) return seek(key);
    if (key === "Escape") return close();
    if (!isOpen) return open();
    if (key === "ArrowDown") setActive(Math.min(active + 1, last));
    else if (key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (key === "Home") setActive(0);
    else if (key === "End") setActive(last);
    else choose(options[active]);
  };
  return (
    <>
      <button
        {...control}
        ref={button}
        type="button"
        role="combobox"
        class={icon ? "icon-button" : compact ? "select select-compact" : "select"}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        onClick={() => {
          // Some browsers give a button no focus when it is pressed.
          button.current?.focus();
          if (isOpen) close();
          else open();
        }}
        onKeyDown={onKeyDown}
        // A space would press it, too.
        onKeyUp={(event) => event.key === " " && event.preventDefault()}
        onBlur={close}
      >
        {icon ? (
          <Icon name={icon} />
        ) : (
          <>
            {chosen?.sign}
            <bdi class="select-text" lang={chosen?.lang}>
              {(compact && chosen?.short) || chosen?.label}
            </bdi>
            <Icon name="down" />
          </>
        )}
      </button>
      {isOpen && (
        // The focus stays where it is while the list is pressed.
        <ul ref={list} id={id} class="options" role="listbox" popover="manual" onMouseDown={(event) => event.preventDefault()}>
          {options.map((option, at) => (
            <li
              key={option.value}
              id={`${id}-${at}`}
              role="option"
              aria-selected={option.value === value}
              class={at === active ? "option-active" : undefined}
              lang={option.lang}
              onMouseMove={() => setActive(at)}
              onClick={() => choose(option)}
            >
              {option.sign}
              <bdi class="select-text">{option.label}</bdi> {option.note && <span class="option-note">{option.note}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Puts the list above or below its button, where there is more room. */
function place(list: HTMLElement, button: HTMLElement): void {
  const { left, top, bottom, width } = button.getBoundingClientRect();
  const [page, above, below] = [document.documentElement.clientWidth, top - 2 * GAP, innerHeight - bottom - 2 * GAP];
  const isBelow = below >= Math.min(list.scrollHeight, above);
  list.style.minWidth = `${width}px`;
  list.style.maxHeight = `${isBelow ? below : above}px`;
  list.style.left = `${Math.max(GAP, Math.min(left, page - list.offsetWidth - GAP))}px`;
  list.style.top = `${isBelow ? bottom + GAP : top - GAP - list.offsetHeight}px`;
}
