// What a proposal of a swap means: what it changes, what is missing, and what has to be agreed to.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const CAFE = "ca".repeat(32);
const LATER = Math.floor(Date.now() / 1_000) + 86_400;

let vite;
let engine;
let warningsOf;

before(async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  engine = await vite.ssrLoadModule("/src/engine/swap.ts");
  ({ warningsOf } = await vite.ssrLoadModule("/src/pages/swap/warnings.ts"));
});

after(() => vite?.close());

/** A part of a proposal, as the package tells it. */
const part = (value, token, mine, address, { token_data = 0, timelock = null, txId = "00".repeat(32), index = 0 } = {}) => ({
  value,
  token,
  token_data,
  mine,
  decoded: { address, timelock },
  txId,
  index,
});
const nothing = { available: 0n, locked: 0n };
const change = (available, locked = 0n, { mint = 0n, melt = 0n } = {}) => ({
  tokens: { available, locked },
  authorities: { mint: { ...nothing, available: mint }, melt: { ...nothing, available: melt } },
});
const view = (inputs, outputs, balance = {}) => engine.swapView({ tx: { inputs, outputs }, balance }, undefined);

test("what is missing is what comes out and does not go in, and the other way round", () => {
  const inputs = [part(100n, "00", true, "Wmine"), part(1n, CAFE, false, "Wtheirs", { token_data: 129 })];
  const outputs = [part(70n, "00", true, "Wchange"), part(5n, CAFE, true, "Wmine"), part(1n, CAFE, false, "Wtheirs", { token_data: 129 })];
  const { open, own, others, outputs: shown } = view(inputs, outputs);
  assert.deepEqual(open, [{ token: "00", amount: -30n }, { token: CAFE, amount: 5n }]);
  assert.deepEqual([own, others], [[`${"00".repeat(32)}:0`], ["Wtheirs"]]);
  assert.deepEqual(shown.map(({ authority, whose }) => [authority, whose]), [[undefined, "yours"], [undefined, "yours"], ["mint", undefined]]);
  // Who gives nothing to it may still get something.
  assert.deepEqual(view([part(5n, "00", true, "Wmine")], [part(5n, "00", false, "Wtheirs")]).others, ["Wtheirs"]);
});

test("a transaction that spends the same carried it out, and none did if nothing is spent", () => {
  const proposal = (...inputs) => ({ tx: { inputs, outputs: [] }, balance: {} });
  const [one, other] = [part(1n, "00", true, "W", { index: 1 }), part(1n, "00", false, "W", { index: 2 })];
  const spends = (indexes, more = {}) => ({ tx_id: `spends ${indexes}`, is_voided: false, inputs: indexes.map((index) => ({ tx_id: one.txId, index })), ...more });
  const history = [spends([]), spends([1]), spends([2, 1], { is_voided: true, tx_id: "lost" }), spends([2, 1])];
  assert.equal(engine.carriedOutBy(history, proposal(one, other)), "spends 2,1");
  assert.equal(engine.carriedOutBy(history, proposal(other)), undefined);
  assert.equal(engine.carriedOutBy(history, proposal()), undefined);
});

test("what takes and brings nothing, gives rights away, or is locked has to be agreed to", () => {
  const warnings = (balance, outputs = []) => warningsOf(view([], outputs, balance));
  const gift = "You get nothing for what you give: it is a gift.";
  const right = "You give away a right: whoever has it can mint more of the token, or melt it.";
  assert.deepEqual(warnings({ "00": change(-5n), [CAFE]: change(3n) }), []);
  assert.deepEqual(warnings({ "00": change(5n) }), []);
  assert.deepEqual(warnings({ "00": change(-5n), [CAFE]: change(0n) }), [gift]);
  assert.deepEqual(warnings({ "00": change(5n), [CAFE]: change(0n, 0n, { mint: -1n }) }), [right]);
  assert.deepEqual(warnings({ [CAFE]: change(0n, 0n, { melt: -1n }) }), [gift, right]);
  // What comes of one token and goes of it at once is its sum.
  assert.deepEqual(warnings({ "00": change(-5n, 4n) }), [gift]);
  const locked = [part(3n, CAFE, true, "Wmine", { timelock: LATER })];
  assert.match(warnings({ "00": change(-5n), [CAFE]: change(0n, 3n) }, locked).join(), /^Some of what you get can't be spent before .+\.$/);
  const theirs = [part(3n, CAFE, false, "Wtheirs", { timelock: LATER })];
  assert.deepEqual(warnings({ "00": change(-5n), [CAFE]: change(3n) }, theirs), []);
});
