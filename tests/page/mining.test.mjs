// Proof of work where there is no mining service to do it: the page's worker does it, while the page goes on. It is as much work as
// mainnet demands.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deriveAddresses, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on } from "./support/wallet.mjs";

let network;
let server;
let browser;
let page;

before(async () => {
  network = await startDevnet("--block-interval", "0", "--weight", "real");
  await network.control("mining", { mode: "down" });
  server = await servePage(network);
  browser = await startBrowser(server.port);
  ({ page } = browser);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

const button = (name) => page.getByRole("button", { name, exact: true });
const field = (name) => page.getByLabel(name, { exact: true });
const heading = (name) => page.getByRole("heading", { name, exact: true }).waitFor();
const balance = (amount) => page.locator("[data-testid=balance]").getByText(`${amount} HTR`, { exact: true }).waitFor();
const go = (name) => on(page).go(name);
/** Who has fetched the core: nobody else can do its work. */
const fetchedCore = () => performance.getEntriesByType("resource").some(({ name }) => name.endsWith(".wasm"));

async function settings(mining) {
  await page.getByRole("button", { name: /^Network: / }).click();
  await choose(field("Proof of work"), mining);
  await page.locator("button[type=submit]", { hasText: "Save" }).click();
}

/** The transactions that pay an address, as the node has them. */
async function paid(address) {
  const asked = new URL(`thin_wallet/address_history?addresses[]=${address}&paginate=true`, network.nodeUrl);
  return (await (await fetch(asked)).json()).history;
}

/** Pays a stranger in the page; gives the transaction as the node has it, and how often the page could do something meanwhile. */
async function send(amount) {
  const [stranger] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
  await go("Send");
  await field("To address").fill(stranger);
  await field("Amount").fill(amount);
  await button("Review").click();
  const turns = page.evaluate(
    () =>
      new Promise((done) => {
        const sending = () => document.querySelector('progress[aria-label="Sending"]') !== null;
        const { port1, port2 } = new MessageChannel();
        let turns = 0;
        let begun = false;
        port1.onmessage = () => {
          begun ||= sending();
          if (begun && !sending()) return done(turns);
          turns += Number(begun);
          // Other events have their turn.
          setTimeout(() => port2.postMessage(null));
        };
        port2.postMessage(null);
      }),
  );
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await heading("Sent");
  const [payment, ...others] = await paid(stranger);
  assert.deepEqual(others, []);
  return { payment, turns: await turns };
}

test("a page's worker does the proof of work, and the page goes on meanwhile", async () => {
  const words = generateMnemonic();
  const [address] = deriveAddresses({ network: "privatenet", seed: words, count: 1 });
  await network.control("fund", { address, amount: 1_000, count: 2 });
  await page.goto(ORIGIN);
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), words);
  await field("Word 1").focus();
  await page.keyboard.press("Control+V");
  await button("Continue").click();
  await button("Open the wallet").click();
  await balance("20.00");

  for (const [mining, left] of [["Mining service or this device", "17.50"], ["This device only", "15.00"]]) {
    await settings(mining);
    await go("Overview");
    await balance(left === "17.50" ? "20.00" : "17.50");
    const { payment, turns } = await send("2.50");
    assert.ok(payment.weight > 14, `${payment.weight}`);
    assert.equal(payment.is_voided, false);
    assert.ok(turns >= 10, `${turns} turns`);
    await go("Overview");
    await balance(left);
  }
  assert.equal(await page.evaluate(fetchedCore), false);
  const [worker, ...others] = page.workers();
  assert.deepEqual(others, []);
  assert.equal(await worker.evaluate(fetchedCore), true);
});

test("who wants the mining service alone is told that it is away", async () => {
  await settings("Mining service only");
  await go("Overview");
  await balance("15.00");
  await go("Send");
  await field("To address").fill(deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 })[0]);
  await field("Amount").fill("2.50");
  await button("Review").click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The mining service does not answer", { exact: true }).first().waitFor();
});
