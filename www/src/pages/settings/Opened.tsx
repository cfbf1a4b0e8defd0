// What a button of the settings opens in its place: it comes into sight, and takes the focus that the button had.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function Opened({ children }: { children: ComponentChildren }) {
  const all = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    all.current?.scrollIntoView({ block: "nearest" });
    (all.current?.querySelector<HTMLElement>("input:not([type=checkbox])") ?? all.current)?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={all} class="nested" tabIndex={-1}>
      {children}
    </div>
  );
}
