// The option `store`: what a wallet hands over to be kept, and that nothing which a store gives back, or fails to keep, leads to a
// wrong balance.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";

const { Account, Wallet, generateMnemonic, isWalletError, wordList } = await import(`${PKG}/node.mjs`);

/** Payments to one address: so many that asking for what is new is cheaper than loading all of it. */
const PAYMENTS = 12;
const AMOUNT = 100;

let devnet;
let seed;
/** What a wallet with those payments keeps. */
let entries;
let history;

/** A store in memory. `kept` can be looked at and tampered with; `problem` makes it fail. */
class MemoryStore {
  names = [];
  kept;
  problem;
  open_ = 0;

  constructor(kept = []) {
    this.kept = new Map(kept);
  }

  open(name) {
    this.names.push(name);
    this.open_ += 1;
    return this;
  }

  load() {
    return this.kept;
  }

  async write(changed, anew) {
    if (this.problem) throw this.problem;
    if (anew) this.kept.clear();
    for (const [key, bytes] of changed) this.kept.set(key, bytes);
  }

  close() {
    this.open_ -= 1;
  }
}

const start = (options) =>
  Wallet.start({ network: "privatenet", nodeUrl: devnet.nodeUrl, miningUrl: devnet.miningUrl, seed, ...options });

const rejects = (promise, expected) => assert.rejects(promise, ({ name, code, field, message }) => {
  assert.deepEqual({ name, code, field, message }, { field: undefined, ...expected });
  return true;
});

/** Resolves once `holds` does, asked at every event. */
function until(wallet, holds) {
  return new Promise((resolve) => {
    const ends = [];
    const look = async () => {
      if (!(await holds())) return;
      ends.forEach((end) => end());
      resolve();
    };
    for (const event of ["balance", "state"]) ends.push(wallet.on(event, look));
    look();
  });
}

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  seed = generateMnemonic();
  const store = new MemoryStore();
  const wallet = await start({ store });
  const address = await wallet.address();
  await devnet.control("fund", { address, amount: AMOUNT, count: PAYMENTS });
  await until(wallet, async () => (await wallet.balance()).available === BigInt(PAYMENTS * AMOUNT));
  history = await wallet.history();
  await wallet.stop();
  entries = [...store.kept];
});

after(() => devnet.stop());

test("what is kept are the wallet's transactions, and no secret", () => {
  assert.deepEqual(
    entries.map(([key]) => key).sort(),
    [...history.map(({ tx_id }) => tx_id), "counters"].sort(),
  );
  const text = entries.map(([key, bytes]) => key + Buffer.from(bytes).toString("latin1")).join();
  const words = new Set(seed.split(" ").filter((word) => word.length > 3));
  assert.deepEqual(wordList().filter((word) => words.has(word) && text.includes(word)), []);
  assert.ok(!text.includes(Account.fromSeed(seed).xpub()));
});

test("a wallet goes on where it was", async () => {
  const store = new MemoryStore(entries);
  let wallet = await start({ store });
  const used = await wallet.address({ markAsUsed: true });
  const next = await wallet.address();
  assert.notEqual(next, used);
  await wallet.stop();
  assert.equal(store.open_, 0);
  wallet = await start({ store });
  // The ledger does not tell which address was shown: only the store does.
  assert.equal(await wallet.address(), next);
  assert.deepEqual(await wallet.balance(), { available: 1_200n, locked: 0n });
  assert.deepEqual(await wallet.history(), history);
  await wallet.stop();
  assert.equal(new Set(store.names).size, 1);
  assert.match(store.names[0], /^privatenet-[0-9a-f]{16}-[0-9a-f]{40}$/);
});

/** The check value at the end of a record: FNV-1a over the transaction's id and all before it. */
function checked(id, bytes) {
  const body = bytes.subarray(0, -8);
  let hash = 0xcbf29ce484222325n;
  for (const byte of [...Buffer.from(id, "hex"), ...body]) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  const record = Buffer.concat([body, Buffer.alloc(8)]);
  record.writeBigUInt64BE(hash, body.length);
  return new Uint8Array(record);
}

const isCounters = ([key]) => key === "counters";
const changed = (change) => {
  const [at] = [entries.findIndex(([key]) => key !== "counters")];
  return entries.with(at, change(...entries[at]));
};
const flipped = (bytes, at) => Uint8Array.from(bytes, (byte, place) => (place === at ? byte ^ 1 : byte));

const TORN = {
  "a flipped bit": () => changed((id, bytes) => [id, flipped(bytes, 20)]),
  "half a record": () => changed((id, bytes) => [id, bytes.slice(0, bytes.length / 2)]),
  "an empty record": () => changed((id) => [id, new Uint8Array()]),
  "a record under another's id": () => changed((id, bytes) => [id.replace(/^./, (digit) => (digit === "0" ? "1" : "0")), bytes]),
  "a key that is no id": () => [...entries, ["zz", new Uint8Array(40)]],
  "no counters": () => entries.filter((entry) => !isCounters(entry)),
  "a text for bytes": () => changed((id) => [id, "bytes"]),
  "no entries at all, but numbers": () => [1, 2, 3],
};

for (const [what, torn] of Object.entries(TORN)) {
  test(`torn content leads to a clean rescan: ${what}`, async (t) => {
    const warned = t.mock.method(console, "warn", () => {});
    const store = new MemoryStore();
    store.load = () => torn();
    const wallet = await start({ store });
    assert.deepEqual(await wallet.balance(), { available: 1_200n, locked: 0n });
    assert.deepEqual(await wallet.history(), history);
    await wallet.stop();
    const [name] = store.names;
    assert.deepEqual(warned.mock.calls.map((call) => call.arguments), [
      [`headless-wallet: store ${name}: a record is damaged: the history is loaded anew`],
    ]);
    assert.deepEqual([...store.kept.keys()].sort(), entries.map(([key]) => key).sort());
  });
}

const DRIFTED = {
  "a transaction is missing": () => entries.filter(([key]) => key !== history[3].tx_id),
  "most are missing": () => entries.filter(([key], at) => isCounters([key]) || at > PAYMENTS - 2),
  "all are missing": () => entries.filter(isCounters),
  "one is voided that is not": () => changed((id, bytes) => [id, checked(id, flipped(bytes, 0))]),
};

for (const [what, drifted] of Object.entries(DRIFTED)) {
  test(`drifted content is found out and put right: ${what}`, async () => {
    const store = new MemoryStore(drifted());
    let wallet = await start({ store });
    assert.deepEqual(await wallet.balance(), { available: 1_200n, locked: 0n });
    assert.deepEqual(await wallet.history(), history);
    await wallet.stop();
    wallet = await start({ store: new MemoryStore(store.kept) });
    assert.deepEqual(await wallet.history(), history);
    await wallet.stop();
  });
}

test("a store that can't be written is told of, and written once it can be", async () => {
  const store = new MemoryStore();
  store.problem = new Error("the disk is full");
  const wallet = await start({ store, seed: generateMnemonic() });
  const address = await wallet.address();
  await devnet.control("fund", { address, amount: 7 });
  await until(wallet, async () => (await wallet.balance()).available === 7n && wallet.status().error);
  const { statusMessage, error } = wallet.status();
  assert.deepEqual({ statusMessage, error }, {
    statusMessage: "Ready",
    error: `store ${store.names[0]}: the disk is full: what happens now is not kept, which is tried again within 10 s; until then a new `
      + "start asks the full node for it",
  });
  assert.equal(store.kept.size, 0);
  store.problem = undefined;
  await wallet.stop();
  assert.equal(store.kept.size, 2);
});

test("a store that can't be opened or read ends the start, and what a later version wrote is left alone", async () => {
  const store = new MemoryStore();
  const { name } = await start({ store, seed }).then(async (wallet) => ({ name: store.names[0], done: await wallet.stop() }));
  const failure = (message) => ({ name: "StartError", code: "STORE", message: `store ${name}: ${message}` });
  const broken = (change) => start({ store: Object.assign(new MemoryStore(entries), change) });
  await rejects(broken({ open: () => { throw new Error("not today"); } }), failure("not today"));
  await rejects(broken({ open: () => Promise.reject("a text") }), failure("a text"));
  await rejects(broken({ open: () => Promise.reject() }), failure("it failed and gave no reason"));
  await rejects(broken({ open: () => ({ load() {}, write() {} }) }), failure("what `open` gives must have a method `close`"));
  await rejects(broken({ open: () => null }), failure("what `open` gives must be an object with a method `load`"));
  const unreadable = new MemoryStore(entries);
  unreadable.load = () => { throw new Error("unreadable"); };
  await rejects(start({ store: unreadable }), failure("unreadable"));
  assert.equal(unreadable.open_, 0);
  const later = new MemoryStore(entries.map(([key, bytes]) => [key, key === "counters" ? bytes.with(0, 2) : bytes]));
  const before = [...later.kept];
  await rejects(start({ store: later }), failure(
    "its format is version 2, which this program can't read: use the program that wrote it, or a later one",
  ));
  assert.deepEqual([...later.kept], before);
});

test("what is no store is refused by name", async () => {
  const refused = (message) => ({ name: "InputError", code: "INVALID_INPUT", field: "store", message });
  for (const store of [null, 1, "kept"]) await rejects(start({ store }), refused("store must be an object with a method `open`"));
  await rejects(start({ store: {} }), refused("store must have a method `open`"));
  await rejects(start({ store: { open: 1 } }), refused("store must have a method `open`"));
});

test("whatever a store gives, the wallet is right or says why it can't be started", async (t) => {
  t.mock.method(console, "warn", () => {});
  const throwing = () => { throw new Error("never"); };
  const odd = [
    undefined, null, 0, "", "text", Symbol("x"), [], [[]], [[1, 2]], [["counters"]], [["counters", {}]], [["counters", new Uint8Array(9)]],
    [null], { [Symbol.iterator]: 1 }, { [Symbol.iterator]: throwing }, { get [Symbol.iterator]() { return throwing(); } },
    { [Symbol.iterator]: () => ({ next: throwing }) }, [Object.create(Uint8Array.prototype)], [["counters", Object.create(Uint8Array.prototype)]],
    [["counters", new Uint8Array(2 ** 21)]], [["counters", new Proxy(new Uint8Array(9), {})]], [new Proxy([], { get: throwing })],
    { then: throwing }, { then: (resolve) => resolve([["x", 1]]) },
  ];
  for (const value of odd) {
    const store = new MemoryStore();
    store.load = () => value;
    const wallet = await start({ store }).catch((error) => assert.ok(isWalletError(error) && error.code === "STORE", error.stack));
    if (!wallet) continue;
    assert.deepEqual(await wallet.balance(), { available: 1_200n, locked: 0n });
    await wallet.stop();
  }
});
