// The addresses of a wallet that has many: a part of them at a time, what each holds, and which have had
// nothing but change.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deriveAddresses, generateMnemonic, Wallet } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on, openWallet, plain } from "./support/wallet.mjs";

const PAID = 27;
const seed = generateMnemonic();
const own = deriveAddresses({ network: "privatenet", seed, count: PAID + 2 });
const [friend] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
let network;
let server;
let browser;
let page;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  for (const [at, address] of own.slice(0, PAID).entries()) await network.control("fund", { address, amount: 100 * (at + 1) });
  await network.control("fund", { address: own[3], amount: 50 });
  const { nodeUrl, miningUrl } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  // Of 27.00 at address 26, 0.30 come back to address 27.
  const inputs = [{ type: "query", filterAddress: own[PAID - 1] }];
  await wallet.sendTx({ outputs: [{ address: friend, value: 2_670 }], inputs, changeAddress: own[PAID] });
  await wallet.stop();
  browser = await startBrowser(server.port);
  ({ page } = browser);
  await openWallet(page, seed);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

test("addresses are shown a part at a time, with what each holds and which are for change", { timeout: 60_000 }, async () => {
  const { button, go, text } = on(page);
  /** The rows as they are read, without their buttons. */
  const rows = async () =>
    (await page.locator(".addresses tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].slice(0, 4).map((cell) => cell.innerText).join(" | ")))).map(plain);
  const row = (at, uses, holds, tag = "") => `${at} | ${own[at]}${tag} | ${uses} | ${holds} HTR`;
  await go("Receive");
  await text("1 to 25 of 29");
  const shown = (from, to) =>
    Array.from({ length: from - to + 1 }, (_, at) => from - at).map((at) => row(at, at === 3 ? "2 transactions" : "1 transaction", at === 3 ? "4.50" : `${at + 1}.00`));
  assert.deepEqual(await rows(), [row(28, "no transaction yet", "0.00"), row(27, "1 transaction", "0.30", "change"), row(26, "2 transactions", "0.00"), ...shown(25, 4)]);
  assert.ok(await button("Newer").isDisabled());
  await browser.shot("addresses-many", { narrow: true });
  await button("Older").click();
  await text("26 to 29 of 29");
  assert.deepEqual(await rows(), shown(3, 0));
  assert.ok(await button("Older").isDisabled());
  await button("Newer").click();
  await text("1 to 25 of 29");
});
