// What the page tells a full node: the addresses that it watches, and never the wallet's xpub.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDevnet } from "../node/support/devnet.mjs";
import { startTap } from "../node/support/tap.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";

/** Under which the page keeps the network that was chosen. */
const PLACE = "headless-wallet:place";

let network;
let tap;
let server;
let browser;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  tap = await startTap(network.nodeUrl);
  server = await servePage({ nodeUrl: tap.nodeUrl, miningUrl: network.miningUrl });
  browser = await startBrowser(server.port);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await tap?.stop();
  await network?.stop();
});

/** Creates a wallet, up to the question whether its words are kept. */
async function create(page) {
  const button = (name) => page.getByRole("button", { name, exact: true });
  await page.goto(ORIGIN);
  await page.getByRole("button", { name: /^Create a wallet/ }).click();
  await button("Show the seed phrase").click();
  const words = await page.locator(".words li").allTextContents();
  await button("I have written it down").click();
  const boxes = page.locator(".confirm-words label");
  await boxes.first().waitFor();
  for (const label of await boxes.allTextContents()) {
    await page.getByLabel(label, { exact: true }).fill(words[Number(label.slice(5)) - 1]);
  }
  await button("Continue").click();
}

test("a wallet of the page is opened without its xpub being told", { timeout: 60_000 }, async () => {
  const { page } = browser;
  await create(page);
  const keep = page.getByLabel("Keep it here, encrypted with a password");
  await keep.check();
  await page.getByLabel("Password", { exact: true }).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0, "play money may be kept anywhere");
  await keep.uncheck();
  await page.getByRole("button", { name: "Open the wallet", exact: true }).click();
  await page.locator("[data-testid=balance]").getByText("0.00 HTR", { exact: true }).waitFor();
  const said = tap.said.join("\n");
  assert.match(said, /"type":"request:history:manual"/);
  assert.doesNotMatch(said, /xpub/);
});

test("keeping real money's words at an origin of this computer is warned of", { timeout: 60_000 }, async () => {
  const { page } = browser;
  await page.evaluate((key) => localStorage.setItem(key, '{"preset":"mainnet"}'), PLACE);
  await create(page);
  await page.getByLabel("Keep it here, encrypted with a password").check();
  const warning = page.getByRole("alert").getByText("Not recommended for real money: this page is served at localhost:3000.");
  await warning.waitFor();
});
