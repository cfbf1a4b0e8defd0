// Which page of the open wallet is shown, and what of it: the part of the address behind `#/`, so that back and forward work, and each can be
// linked to and loaded anew.
import { signal } from "@preact/signals";

export const PAGES = ["overview", "send", "receive", "swap", "tokens", "history", "tools", "settings"] as const;

export type Page = (typeof PAGES)[number];

/** The page, what follows it in the address (a token's uid, for example), and what follows a question mark there. */
export interface Route {
  page: Page;
  rest: string;
  query: URLSearchParams;
}

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", rest = ""] = path.split("/", 2);
  const asked = new URLSearchParams(query);
  const known = PAGES.find((name) => name === page);
  return known ? { page: known, rest, query: asked } : { page: "overview", rest: "", query: asked };
}

export const route = signal<Route>(read());

/** How often the page that is shown was gone to again: a receipt gives way to the form then. */
export const visits = signal(0);

addEventListener("hashchange", () => {
  route.value = read();
});

export const linkTo = (page: Page, rest = "", query = ""): string => `#/${page}${rest && `/${rest}`}${query && `?${query}`}`;

export function goTo(page: Page, rest = ""): void {
  location.hash = linkTo(page, rest);
}

/** Shows something else of the same page. Unless it is a step of its own, "back" does not stop at it. */
export function changeQuery(to: Record<string, string | undefined>, step = false): void {
  const { page, rest, query } = route.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(to)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const link = linkTo(page, rest, next.toString());
  if (step) {
    location.hash = link;
    return;
  }
  history.replaceState(history.state, "", link);
  route.value = read();
}
