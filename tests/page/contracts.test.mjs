// Calls of contracts as the page shows them: what was called, what it moved, and what became of it in its block.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on, openWallet } from "./support/wallet.mjs";

/** The blueprint that every full node has. */
const BET = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";

let network;
let server;
let browser;
let page;
let shot;
/** Calls from elsewhere what the page shows: both are of the same words. */
let caller;
let friend;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browser = await startBrowser(server.port);
  ({ page, shot } = browser);
});

after(async () => {
  await Promise.all([caller, friend].map((wallet) => wallet?.stop()));
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

const start = (seed) =>
  Wallet.start({ network: "privatenet", nodeUrl: network.nodeUrl, miningUrl: network.miningUrl, seed });

async function funded(wallet) {
  const balance = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 1_000 });
  await balance;
}

/** The rows of a history, as far as they don't tell when: what, about what, with which state, and what it changed. */
const rows = () =>
  page.locator(".activity").evaluateAll((list) =>
    list.map((row) => {
      const text = (selector) => row.querySelector(selector)?.textContent.replaceAll(/\s+/g, " ").trim();
      const state = text(".activity-title em") ?? "";
      const title = text(".activity-title").slice(0, -state.length || undefined);
      return [title, state, text(".activity-about bdi") ?? "", text(".activity-amounts")].join(" | ");
    }),
  );

test("calls of contracts stand in the history with what they did", { timeout: 120_000 }, async () => {
  const words = generateMnemonic();
  [caller, friend] = await Promise.all([start(words), start(generateMnemonic())]);
  await Promise.all([funded(caller), funded(friend)]);
  await openWallet(page, words);
  const { go, heading, text, button } = on(page);

  const [own, oracle] = [await caller.address({ index: 1 }), await caller.address({ index: 2 })];
  const theirs = await friend.address({ index: 1 });
  const script = await caller.oracleData(oracle);
  const { hash: contract } = await caller.createContract({ blueprintId: BET, address: own, data: { args: [script, "00", 4_000_000_000] } });
  const short = `${contract.slice(0, 8)}…${contract.slice(-6)}`;
  await go("History");
  await heading("2 transactions");
  // Nobody can say what it is made of while it is not there.
  // (Those of one second stand in any order.)
  const creation = async () => (await rows()).find((row) => row.startsWith("Created a contract"));
  assert.equal(await creation(), `Created a contract | waiting for its block | · contract ${short} | `);
  await shot("contract-waiting");
  await network.control("blocks", { count: 1 });
  await text("· Bet " + short);
  assert.equal(await creation(), `Created a contract |  | · Bet ${short} | `);

  const bet = (wallet, address, score, amount) =>
    wallet.executeContract({
      ncId: contract,
      method: "bet",
      address,
      data: { args: [address, score], actions: [{ type: "deposit", token: "00", amount }] },
    });
  await bet(friend, theirs, "2x0", 200);
  const { hash: placed } = await bet(caller, own, "1x0", 150);
  await network.control("blocks", { count: 1 });
  // There is no result yet: it can't be carried out.
  const withdraw = (amount) =>
    caller.executeContract({ ncId: contract, method: "withdraw", address: own, data: { actions: [{ type: "withdrawal", token: "00", amount, address: own }] } });
  const { hash: failed } = await withdraw(350);
  await heading("4 transactions");
  assert.equal((await rows()).find((row) => row.startsWith("Called withdraw")), `Called withdraw | waiting for its block | · Bet ${short} | +3.50 HTR`);
  await network.control("blocks", { count: 1 });
  await text("failed");

  const signed = await caller.oracleSignedResult({ oracleData: script, contractId: contract, result: "1x0", type: "str" });
  await caller.executeContract({ ncId: contract, method: "set_result", address: oracle, data: { args: [signed] } });
  await network.control("blocks", { count: 1 });
  const { hash: paid } = await withdraw(350);
  await network.control("blocks", { count: 1 });
  await heading("6 transactions");
  await page.waitForFunction(() => !document.querySelector("main").textContent.includes("waiting for its block"));
  assert.deepEqual(
    // Those of one second stand in any order.
    (await rows()).filter((row) => !row.startsWith("Received")).toSorted(),
    [
      `Called withdraw |  | · Bet ${short} | +3.50 HTR`,
      `Called set_result |  | · Bet ${short} | `,
      `Called withdraw | failed | · Bet ${short} | +3.50 HTR`,
      `Called bet |  | · Bet ${short} | −1.50 HTR`,
      `Created a contract |  | · Bet ${short} | `,
    ].toSorted(),
  );
  await shot("contract-calls", { narrow: true });

  const fact = (dialog, name) => dialog.locator(`dt:text-is("${name}") + dd`).innerText();
  await page.locator(".activity", { hasText: "Called withdraw" }).filter({ hasNotText: "failed" }).click();
  const dialog = page.getByRole("dialog", { name: "Called withdraw" });
  await dialog.waitFor();
  assert.equal(await fact(dialog, "State"), "executed");
  assert.equal(await fact(dialog, "Moves"), "3.50 HTR out of the contract");
  assert.equal(await fact(dialog, "Contract"), contract);
  assert.equal(await fact(dialog, "Blueprint"), `Bet\n${BET}`);
  assert.equal(await fact(dialog, "Called by"), `${own}yours`);
  assert.equal(await fact(dialog, "Arguments"), "none");
  assert.equal(await fact(dialog, "Identifier"), paid);
  await dialog.getByRole("button", { name: "Copy contract identifier" }).click();
  await text("Contract identifier copied.");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), contract);
  await shot("contract-call", { narrow: true });
  await button("Close").click();

  await page.locator(".activity", { hasText: "failed" }).click();
  await dialog.getByText("It is in a block, but the contract did not execute it. It moves nothing.", { exact: true }).waitFor();
  assert.equal(await fact(dialog, "State"), "failed");
  assert.equal(await fact(dialog, "Would have changed"), "+3.50 HTR");
  // Its block has no confirmations to tell of: it moves nothing.
  assert.match(await fact(dialog, "Block"), /^In block [1-9]/);
  assert.equal(await dialog.getByText("Confirmations", { exact: true }).count(), 0);
  const colours = await dialog.locator('dt:text-is("Would have changed") + dd').evaluate((all) => [all, all.firstElementChild].map((one) => getComputedStyle(one).color));
  assert.equal(colours[0], colours[1], "it does not look like income");
  assert.equal(await fact(dialog, "Identifier"), failed);
  await shot("contract-call-failed");
  await button("Close").click();

  await page.locator(".activity", { hasText: "Called bet" }).click();
  const betting = page.getByRole("dialog", { name: "Called bet" });
  await betting.waitFor();
  const { nc_args: raw } = (await caller.history()).find(({ tx_id: id }) => id === placed);
  assert.equal(await fact(betting, "Arguments"), `Raw bytes in hexadecimal: the blueprint says what they mean.\n${raw}`);
  await shot("contract-arguments", { narrow: true });
  await button("Close").click();
  await caller.createBlueprint({ code: "@export\nclass AuthorityBlueprint(Blueprint):\n    pass\n", address: own });
  await page.locator(".activity", { hasText: "Published a blueprint" }).waitFor();
  await go("Overview");
  await page.locator("[data-testid=balance]").getByText("12.00 HTR", { exact: true }).waitFor();
});
