// The page by keyboard alone: nothing here points, and whatever has the focus shows it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deriveAddresses, generateMnemonic, Wallet } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on } from "./support/wallet.mjs";

const [friend] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
let network;
let server;
let browser;
let page;
let parts;
let words;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  words = generateMnemonic();
  const { nodeUrl, miningUrl } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: words });
  const paid = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 10_000 });
  await paid;
  await wallet.stop();
  browser = await startBrowser(server.port);
  ({ page } = browser);
  parts = on(page);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

/** Goes on from control to control until this one has the focus, which is seen to be there. */
async function reach(found, key = "Tab") {
  await found.waitFor();
  for (let steps = 0; steps < 80; steps += 1) {
    if (await found.evaluate((one) => one === document.activeElement)) {
      // What is seen of a choice stands beside it, and of an amount around it.
      const { style, width } = await found.evaluate((one) => {
        const seen = one.matches(".segments input") ? one.nextElementSibling : (one.closest("input") && one.closest(".amount-input")) || one;
        const { outlineStyle: style, outlineWidth: width } = getComputedStyle(seen);
        return { style, width: parseFloat(width) };
      });
      assert.ok(style !== "none" && width >= 2, `the focus is seen on ${await found.evaluate((one) => one.outerHTML.slice(0, 80))}`);
      return;
    }
    await page.keyboard.press(key);
  }
  assert.fail(`no key leads to ${found}`);
}

const press = async (found, key = "Enter") => {
  await reach(found);
  await page.keyboard.press(key);
};

const type = async (found, text) => {
  await reach(found);
  await page.keyboard.insertText(text);
};

const link = (name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });

test("a wallet is opened, pays, and is looked at", { timeout: 180_000 }, async () => {
  const { button, field, heading, text } = parts;
  await page.goto(ORIGIN);
  await press(page.getByRole("button", { name: /^Restore a wallet/ }));
  await type(field("Word 1"), words);
  await press(button("Continue"));
  await press(button("Open the wallet"));
  await heading("Balance");

  await press(link("Send"));
  await heading("Send");
  await type(field("To address"), friend);
  await type(field("Amount"), "12.5");
  await press(button("Review"));
  const dialog = page.getByRole("dialog", { name: /^Send .*\?$/ });
  await dialog.waitFor();
  // The focus stays in the dialog, whichever way it goes.
  for (let steps = 0; steps < 6; steps += 1) {
    await page.keyboard.press("Shift+Tab");
    assert.ok(await dialog.evaluate((one) => one.contains(document.activeElement) || document.activeElement === document.body));
  }
  await press(dialog.getByRole("button", { name: "Send", exact: true }));
  await heading("Sent");

  await press(link("History"));
  await heading("2 transactions");
  await press(page.locator(".activity").first());
  await page.getByRole("dialog", { name: "Sent" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Sent" }).waitFor({ state: "detached" });
  await reach(page.locator(".activity").first());

  await press(link("Receive"));
  await heading("Receive");
  await press(button("Copy address"));
  await text("Address copied.");
});

test("a token is made and melted, and settings are changed", { timeout: 180_000 }, async () => {
  const { button, field, heading, text } = parts;
  const tab = (name) => page.getByRole("navigation", { name: "What to do with tokens" }).getByRole("link", { name, exact: true });
  await press(link("Tokens"));
  await press(tab("New token"));
  await type(field("Name"), "Coffee");
  await type(field("Symbol"), "CFE");
  await type(field("Amount"), "100");
  await press(button("Review"));
  await press(page.getByRole("dialog").getByRole("button", { name: "Create", exact: true }));
  await heading("Coffee created");
  await press(link("Tokens"));
  await press(page.locator("button.token", { hasText: "Coffee" }));
  await press(page.getByRole("dialog").getByRole("button", { name: "Melt", exact: true }));
  await type(field("Amount to melt"), "50");
  await press(button("Review"));
  await press(page.getByRole("dialog").getByRole("button", { name: "Melt", exact: true }));
  await heading("Melted");

  await press(link("Tools"));
  await press(page.getByRole("main").getByRole("link", { name: /^UTXOs/ }));
  await press(page.getByText("Filters", { exact: true }));
  await reach(field("Amount more than"));
  await press(page.getByRole("link", { name: "Settings" }));
  await heading("Settings");
  await reach(page.getByRole("radio", { name: "System", exact: true }));
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("radio", { name: "Light", exact: true }).isChecked(), true);
  await press(button("Lock the wallet"));
  await heading("Your wallet, in this page only");
  assert.deepEqual(browser.said.filter((line) => !line.startsWith("info") && !line.startsWith("debug")), []);
  await text("Create a wallet");
});

test("a choice is made by arrows and by typing, and screen readers hear of each", { timeout: 120_000 }, async () => {
  const { button, field } = parts;
  await press(button("Settings"));
  const choice = field("Lock after");
  /** Which option the keys have reached; nothing while there is no list. */
  const reached = () =>
    choice.evaluate((one) => {
      const option = document.getElementById(one.getAttribute("aria-activedescendant"));
      const list = document.getElementById(one.getAttribute("aria-controls"));
      if (one.ariaExpanded === "false") return [list, option].every((part) => part === null) ? undefined : "a list that is closed";
      return list.role === "listbox" && option.role === "option" && list.contains(option) ? option.textContent.trim() : "no option";
    });
  const pressed = async (key) => (await page.keyboard.press(key), reached());
  await reach(choice);
  assert.equal(await choice.getAttribute("role"), "combobox");
  assert.equal(await reached(), undefined);
  assert.equal(await pressed("ArrowDown"), "10 minutes", "it begins at what is chosen");
  assert.deepEqual(await page.getByRole("option", { selected: true }).allInnerTexts(), ["10 minutes"]);
  assert.equal(await pressed("ArrowDown"), "30 minutes");
  assert.equal(await pressed("End"), "Never");
  assert.equal(await pressed("ArrowDown"), "Never");
  assert.equal(await pressed("Home"), "1 minute");
  // One letter again and again goes through all that begin with it.
  assert.equal(await pressed("1"), "10 minutes");
  assert.equal(await pressed("1"), "1 minute");
  // Escape closes the list alone.
  assert.equal(await pressed("Escape"), undefined);
  await page.getByRole("dialog", { name: "Settings" }).waitFor();
  assert.equal(await choice.innerText(), "10 minutes");
  // A letter opens it, and more of them are one beginning.
  assert.equal(await pressed("6"), "60 minutes");
  assert.equal(await pressed("Enter"), undefined);
  assert.equal(await choice.innerText(), "60 minutes");
  await page.keyboard.type("10 m");
  assert.equal(await reached(), "10 minutes");
  await page.keyboard.press("Tab");
  assert.equal(await choice.innerText(), "10 minutes");
  assert.ok(await choice.evaluate((one) => one !== document.activeElement));
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("who comes by keyboard can skip what stands before the page", { timeout: 120_000 }, async () => {
  const { button, field, heading } = parts;
  await press(page.getByRole("button", { name: /^Restore a wallet/ }));
  await type(field("Word 1"), words);
  await press(button("Continue"));
  await press(button("Open the wallet"));
  await heading("Balance");
  await press(link("History"));
  await heading("History");
  await reach(button("Skip to the content"), "Shift+Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
});
