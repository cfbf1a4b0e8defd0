// A wallet in a page, and what tests look for there.
import { ORIGIN } from "./browser.mjs";

/** A text without the spaces that don't break. */
export const plain = (text) => text.replaceAll(/\s+/g, " ").trim();

/** What the page says of a lock that ends in more than a year. */
export function lockedFor(until) {
  const years = Math.floor((Date.parse(until) - Date.now()) / (366 * 86_400_000));
  return `for more than ${years} ${years === 1 ? "year" : "years"}`;
}

/** The parts of a page by the names that a person sees. */
export const on = (page) => ({
  button: (name) => page.getByRole("button", { name, exact: true }),
  field: (name) => page.getByLabel(name, { exact: true }),
  heading: (name) => page.getByRole("heading", { name, exact: true }).waitFor(),
  text: (what) => page.getByText(what, { exact: true }).first().waitFor(),
  go: (name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click(),
});

/** Opens the wallet of the words, which are not kept. */
export async function openWallet(page, words) {
  const { button, heading } = on(page);
  await page.goto(ORIGIN);
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await heading("Restore a wallet");
  await page.getByLabel("Word 1", { exact: true }).fill(words);
  await button("Continue").click();
  await button("Open the wallet").click();
  await heading("Balance");
}
