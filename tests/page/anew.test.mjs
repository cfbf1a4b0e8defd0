// A wallet that is kept here, after its local network began anew: the ledger knows nothing of what it has.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on } from "./support/wallet.mjs";

const PASSWORD = "seven quiet otters";

let network;
let server;
let browser;
let page;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browser = await startBrowser(server.port);
  ({ page } = browser);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

const balance = (amount) => page.locator("[data-testid=balance]").getByText(`${amount} HTR`, { exact: true }).waitFor();

/** A wallet that has created a token. */
async function withToken(seed, name, symbol) {
  const { nodeUrl, miningUrl } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const paid = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 1_000 });
  await paid;
  await wallet.createToken({ name, symbol, amount: 100 });
  return wallet;
}

/** Begins the network anew, at other ports, where the page looks for it from now on. */
async function beginAnew() {
  await network.stop();
  network = await startDevnet("--block-interval", "0");
  const { nodeUrl, miningUrl } = network;
  await page.evaluate((custom) => localStorage.setItem("headless-wallet:place", JSON.stringify({ preset: "custom", custom })), {
    network: "privatenet",
    nodeUrl,
    miningUrl,
  });
  await page.reload();
}

test("what the new network does not count is said to be so, and its tokens are not there", { timeout: 120_000 }, async () => {
  const { button, field, go, heading, text } = on(page);
  const seed = generateMnemonic();
  const wallet = await withToken(seed, "Coffee", "CFE");
  const stranger = await withToken(generateMnemonic(), "Prize", "PRZ");
  await stranger.sendTx({ outputs: [{ address: await wallet.address(), value: 100, token: (await stranger.tokens()).at(-1).uid }] });
  await Promise.all([wallet.stop(), stranger.stop()]);

  await page.goto(ORIGIN);
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await heading("Restore a wallet");
  await field("Word 1").fill(seed);
  await button("Continue").click();
  await field("Keep it here, encrypted with a password").check();
  await field("Password").fill(PASSWORD);
  await field("Password again").fill(PASSWORD);
  await button("Open the wallet").click();
  await balance("9.99");
  await page.getByRole("button", { name: /^Coffee/ }).waitFor();
  await text("Not yet accepted (1)");
  // What is kept is known to be there once it opens again.
  await button("Lock the wallet").click();

  await beginAnew();
  await field("Password").fill(PASSWORD);
  await button("Unlock").click();
  await balance("0.00");
  await page.waitForFunction(() => document.querySelectorAll(".tokens .token").length === 1);
  assert.deepEqual(await page.locator(".tokens-aside summary").allTextContents(), []);
  await go("History");
  await heading("3 transactions");
  // What a stranger sent is a stranger's still, and what the wallet created has its name.
  const titles = await page.locator(".activity.voided .activity-title").allTextContents();
  assert.deepEqual(titles, ["Receivedvoidedtoken not accepted", "Created token Coffeevoided", "Receivedvoided"]);
  await page.getByText("Created token Coffee").click();
  const dialog = page.getByRole("dialog", { name: "Created token Coffee" });
  await dialog.waitFor();
  assert.deepEqual(await dialog.locator(".error-message").innerText(), [
    "This transaction is voided",
    "",
    "The ledger does not count it: it moves nothing. That happens when another transaction spent the same outputs first, or when a local network was started again from the beginning.",
  ].join("\n"));
  await browser.shot("voided", { narrow: true });
});
