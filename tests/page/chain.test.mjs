// Where a transaction is on the chain: what is on the screen follows the blocks, while it is there and seen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Wallet, deriveAddresses, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on, openWallet } from "./support/wallet.mjs";

const [friend] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
const seed = generateMnemonic();

let network;
let server;
let browser;
let page;
let parts;
let wallet;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  const { nodeUrl, miningUrl } = network;
  wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const paid = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 1_000 });
  await paid;
  browser = await startBrowser(server.port);
  ({ page } = browser);
  await page.clock.install();
  await page.addInitScript(() => {
    globalThis.looks = 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...more) {
      if (message.method === "chainFacts") globalThis.looks += 1;
      return post.call(this, message, ...more);
    };
  });
  parts = on(page);
  await openWallet(page, seed);
});

after(async () => {
  await wallet?.stop();
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

const looks = () => page.evaluate(() => globalThis.looks);
const looksReach = (count) => page.waitForFunction((wanted) => globalThis.looks >= wanted, count);

test("what was sent is said to wait for a block until it is in one", { timeout: 60_000 }, async () => {
  const { button, field, go, heading, text } = parts;
  await go("Send");
  await field("To address").fill(friend);
  await field("Amount").fill("1");
  await button("Review").click();
  await button("Send").click();
  await heading("Sent");
  await text("The network has accepted it. It waits for a block.");
  await network.control("blocks");
  await text("The network has accepted it. It is in a block.");
  // A reorganisation takes it out again.
  await network.control("undo-blocks");
  await text("The network has accepted it. It waits for a block.");
});

test("an open transaction follows the blocks, whatever single looks come to", { timeout: 90_000 }, async () => {
  const { button, go } = parts;
  await go("History");
  await page.locator(".activity", { hasText: "Sent" }).click();
  const dialog = page.getByRole("dialog", { name: "Sent" });
  const told = (text) => dialog.locator("dt:text-is('Confirmations') + dd").getByText(text, { exact: true }).waitFor();
  await told("None yet: it waits for a block");
  await network.control("blocks");
  await told("None yet: its block is the newest");
  await network.control("blocks");
  await told("1");
  // It is the number that everybody is told by the wallet.
  assert.equal(await wallet.confirmations(new URL(page.url()).hash.match(/tx=([0-9a-f]{64})/)[1]), 1);
  await network.control("blocks", { count: 2 });
  await told("3");

  // A look comes after the end of the one before.
  await network.control("node", { mode: "down", path: "transaction" });
  await looksReach((await looks()) + 3);
  await told("3");
  assert.equal(await page.locator("[role=alert], .error-message, .notice").count(), 0);
  await network.control("node", { mode: "normal" });
  await network.control("blocks");
  await told("4");

  // While nobody sees the page, nothing is asked.
  const seen = (hidden) => page.evaluate((is) => Object.defineProperty(document, "hidden", { configurable: true, get: () => is }), hidden);
  await seen(true);
  const before = await looks();
  await page.clock.runFor(60_000);
  assert.equal(await looks(), before);
  await network.control("blocks");
  await seen(false);
  await told("5");

  await button("Close").click();
  await dialog.waitFor({ state: "detached" });
  const last = await looks();
  await page.clock.runFor(60_000);
  assert.equal(await looks(), last);
});
