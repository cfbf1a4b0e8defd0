// The pages by name and icon, and which of them the menu has.
import type { IconName } from "../parts/Icon";
import { type Page, PAGES } from "../state/route";
import { multisig } from "../state/wallet";
import { t } from "../words";

export const pageIcons: Record<Page, IconName> = {
  overview: "wallet",
  send: "send",
  receive: "receive",
  swap: "swap",
  tokens: "tokens",
  history: "history",
  tools: "tools",
  settings: "settings",
};

/** What the pages are called. */
export const pageTitles = (): Record<Page, string> => ({
  overview: t.shell.overview,
  send: t.common.send,
  receive: t.common.receive,
  swap: t.common.swap,
  tokens: t.common.tokens,
  history: t.common.history,
  tools: t.shell.tools,
  settings: t.common.settings,
});

/** On a phone, the list of tools leads there. */
export const RARE: Page[] = ["swap", "tokens"];

/** What the menu has; participants of a multisig wallet exchange nothing with others. */
export const menu = (): Page[] => PAGES.filter((name) => name !== "settings" && !(name === "swap" && multisig.value));
