// The history as the page keeps it: in which order its transactions stand, and the tokens that they brought.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const [CAFE, BEEF] = ["ca".repeat(32), "be".repeat(32)];
let vite;
let Ledger;

before(async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  ({ Ledger } = await vite.ssrLoadModule("/src/engine/ledger.ts"));
});

after(() => vite?.close());

/** A transaction that brings some of a token. */
const received = (tx_id, timestamp, token = "00") => ({
  tx_id,
  timestamp,
  is_voided: false,
  inputs: [],
  outputs: [],
  effect: { direction: "received", kind: "payment", net: { [token]: 5n }, ownInputs: [], ownOutputs: [], changeOutputs: [] },
});

test("transactions stand newest first, and those of one second by their ids, in whatever order they came", () => {
  const history = [received("b", 2), received("a", 2), received("d", 1), received("c", 3)];
  const order = (ledger) => ledger.newestFirst().map(({ tx_id }) => tx_id);
  assert.deepEqual(order(new Ledger(history)), ["c", "b", "a", "d"]);
  const filled = new Ledger([]);
  for (const tx of history.toReversed()) filled.apply(tx);
  assert.deepEqual(order(filled), ["c", "b", "a", "d"]);
});

test("tokens stand in the order in which they came, however the history was read", () => {
  const history = [received("b", 2, CAFE), received("a", 2, BEEF), received("c", 3, CAFE), received("d", 1)];
  for (const read of [history, history.toReversed()]) {
    assert.deepEqual(new Ledger(read).inOrder([CAFE, BEEF]), [BEEF, CAFE]);
    assert.deepEqual(new Ledger(read).inOrder([BEEF, CAFE]), [BEEF, CAFE]);
  }
});

test("a token of which the ledger counts no transaction is gone, and by whom it came is still known", () => {
  const voided = { ...received(CAFE, 2, CAFE), is_voided: true, effect: { ...received(CAFE, 2, CAFE).effect, direction: "own", kind: "creation" } };
  const told = (history) => [new Ledger(history).isGone(CAFE), new Ledger(history).originOf(CAFE)];
  assert.deepEqual(told([voided]), [true, "created"]);
  assert.deepEqual(told([{ ...received("a", 3, CAFE), is_voided: true }]), [true, "received"]);
  // One that is counted is enough, and then it alone says by whom.
  assert.deepEqual(told([voided, received("a", 3, CAFE)]), [false, "received"]);
  assert.deepEqual(told([received("a", 3, CAFE), voided, received("b", 1, BEEF)]), [false, "received"]);
  assert.deepEqual(told([]), [false, "received"]);
});
