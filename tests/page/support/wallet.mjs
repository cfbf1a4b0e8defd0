// A wallet in a page, and what tests look for there.
import { ORIGIN } from "./browser.mjs";

/** A text without the spaces that don't break. */
export const plain = (text) => text.replaceAll(/\s+/g, " ").trim();

/** What the page says of a lock that ends in more than a year. */
export function lockedFor(until) {
  const years = Math.floor((Date.parse(until) - Date.now()) / (366 * 86_400_000));
  return `for more than ${years} ${years === 1 ? "year" : "years"}`;
}

/** What the list of tools leads to. */
const TOOLS = ["Address book", "Messages", "Contracts", "UTXOs"];

const menuOf = (page) => page.getByRole("navigation", { name: "Pages" });

/** Chooses in a list of the page's own, by what an option says. */
export async function choose(field, name) {
  await field.click();
  await field.page().getByRole("option", { name, exact: true }).click();
}

/** What is chosen, as it is written beside its sign. */
export const chosenOf = (field) => field.locator(".select-text").innerText();

/** What can be chosen. */
export async function optionsOf(field) {
  await field.click();
  const told = (all) => all.map((one) => [...one.querySelectorAll(".select-text, .option-note")].map((part) => part.innerText).join(" "));
  const options = await field.page().getByRole("option").evaluateAll(told);
  await field.press("Escape");
  return options;
}

/** The parts of a page by the names that a person sees. */
export const on = (page) => ({
  button: (name) => page.getByRole("button", { name, exact: true }),
  field: (name) => page.getByLabel(name, { exact: true }),
  heading: (name) => page.getByRole("heading", { name, exact: true }).waitFor(),
  text: (what) => page.getByText(what, { exact: true }).first().waitFor(),
  async go(name) {
    const isTool = TOOLS.includes(name);
    await menuOf(page).getByRole("link", { name: isTool ? "Tools" : name, exact: true }).click();
    if (isTool) await page.locator("main").getByRole("link", { name: new RegExp(`^${name}`) }).click();
  },
  /** To what a token's dialog leads to. */
  async manage(token, verb) {
    await menuOf(page).getByRole("link", { name: "Tokens", exact: true }).click();
    await page.locator("button.token", { hasText: token }).click();
    await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click();
  },
  more: () => page.locator("main").getByText("More options", { exact: true }).click(),
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
