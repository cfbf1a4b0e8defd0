// Which page of the open wallet is shown: the part of the address behind `#/`, so that back and forward work.
import { signal } from "@preact/signals";

export const PAGES = {
  overview: "Overview",
  receive: "Receive",
  send: "Send",
  tokens: "Tokens",
  history: "History",
  coins: "Coins",
} as const;

export type Page = keyof typeof PAGES;

/** The page, and what follows it in the address: a token's uid, for example. */
export interface Route {
  page: Page;
  rest: string;
}

function read(): Route {
  const [page = "", rest = ""] = location.hash.replace(/^#\/?/, "").split("/", 2);
  return page in PAGES ? { page: page as Page, rest } : { page: "overview", rest: "" };
}

export const route = signal<Route>(read());

addEventListener("hashchange", () => {
  route.value = read();
});

export const linkTo = (page: Page, rest = ""): string => (rest ? `#/${page}/${rest}` : `#/${page}`);

export function goTo(page: Page, rest = ""): void {
  location.hash = linkTo(page, rest);
}
