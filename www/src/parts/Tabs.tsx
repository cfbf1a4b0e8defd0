// The parts of a page, of which one is shown.
import { linkTo, type Page } from "../state/route";

interface Props<T extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  page: Page;
  tabs: Record<T, string>;
  current: T;
}

export function Tabs<T extends string>({ label, page, tabs, current }: Props<T>) {
  return (
    <nav class="tabs" aria-label={label}>
      {(Object.keys(tabs) as T[]).map((name) => (
        <a key={name} href={linkTo(page, name)} aria-current={name === current ? "page" : undefined}>
          {tabs[name]}
        </a>
      ))}
    </nav>
  );
}
