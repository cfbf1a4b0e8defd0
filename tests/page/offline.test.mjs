// The page can be installed, and opens without a connection; a wallet can have a passphrase from its beginning; dialogs have the focus
// where somebody goes on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Account } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on } from "./support/wallet.mjs";

let network;
let server;
let browser;
let page;
let parts;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browser = await startBrowser(server.port);
  ({ page } = browser);
  parts = on(page);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

test("the page can be installed", async () => {
  await page.goto(ORIGIN);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
  assert.deepEqual([manifest.name, manifest.start_url, manifest.display], ["Sistrum, a wallet for the Hathor Network", "./", "standalone"]);
  const client = await page.context().newCDPSession(page);
  const { errors } = await client.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  await page.evaluate(() => navigator.serviceWorker.ready);
});

/** The words of a new wallet, as they are shown. */
async function newWords() {
  await page.reload();
  await page.getByRole("button", { name: /^Create a wallet/ }).click();
  await parts.button("Show the seed phrase").click();
  return page.locator(".words li").allTextContents();
}

test("the page opens without a connection, and its WebAssembly too", async () => {
  await page.context().setOffline(true);
  assert.equal((await newWords()).length, 24);
  await page.context().setOffline(false);
});

test("a new wallet can have a passphrase", async () => {
  const { button, field, heading } = parts;
  const words = await newWords();
  await page.getByText("Add a passphrase to the seed phrase").click();
  await field("Passphrase").fill("the other place");
  const on = page.getByRole("button", { name: "I have written it down" });
  assert.equal(await on.isDisabled(), true);
  await field("Passphrase again").fill("the otter place");
  await page.getByText("The two do not match.").waitFor();
  assert.equal(await on.isDisabled(), true);
  await field("Passphrase again").fill("the other place");
  await on.click();
  for (const asked of await page.getByLabel(/^Word \d+$/).all()) {
    const label = await asked.evaluate((input) => input.labels[0].textContent);
    await asked.fill(words[Number(label.match(/\d+/)[0]) - 1]);
  }
  await button("Continue").click();
  await button("Open the wallet").click();
  await heading("Balance");
  await parts.go("Receive");
  const address = (await page.locator("[data-testid=address]").innerText()).replace(/\s/g, "");
  assert.equal(address, Account.fromSeed(words.join(" "), "the other place").addresses({ network: "privatenet", count: 1 })[0]);
});

test("a dialog begins at its first field", async () => {
  const focused = () => page.evaluate(() => (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim());
  await page.getByRole("button", { name: /^Network: / }).click();
  await page.getByRole("dialog", { name: "Network" }).waitFor();
  assert.match(await focused(), /^Local network/);
  await page.keyboard.press("Escape");
  await page.locator("[data-testid=address]").waitFor();
  await page.getByRole("button", { name: "QR code and label of address 0" }).click();
  await page.getByRole("dialog", { name: "Address" }).waitFor();
  assert.equal(await focused(), "Label");
});
