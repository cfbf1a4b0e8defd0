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
      // What is seen of a choice stands beside it.
      const { style, width } = await found.evaluate((one) => {
        const seen = one.matches(".segments input") ? one.nextElementSibling : one;
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
  const dialog = page.getByRole("dialog", { name: "Send this?" });
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
  await press(tab("Melt"));
  await type(field("Amount to melt"), "50");
  await press(button("Review"));
  await press(page.getByRole("dialog").getByRole("button", { name: "Melt", exact: true }));
  await heading("Melted");

  await press(link("UTXOs"));
  await press(page.getByText("Filters", { exact: true }));
  await reach(field("Amount more than"));
  await press(page.getByRole("button", { name: /^Settings/ }));
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.waitFor();
  await reach(page.getByRole("radio", { name: "System", exact: true }));
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("radio", { name: "Light", exact: true }).isChecked(), true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await press(button("Lock the wallet"));
  await heading("Your wallet, in this page only");
  assert.deepEqual(browser.said.filter((line) => !line.startsWith("info") && !line.startsWith("debug")), []);
  await text("Create a wallet");
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
