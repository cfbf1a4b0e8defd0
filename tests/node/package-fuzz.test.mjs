// Whatever JavaScript hands over, the package answers with a value or with an error of its own that names what is wrong:
// WebAssembly never traps, and the instance goes on working.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";

const wallets = await import(`${PKG}/node.mjs`);
const { Account, Wallet, generateMnemonic, isWalletError } = wallets;

const ROUNDS = 400;
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const WORDS = `${"abandon ".repeat(23)}art`;
const ADDRESS = "WTjhJXzQJETVx7BVXdyZmvk396DRRsubdw";

let devnet;
let wallet;

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  const { nodeUrl, miningUrl } = devnet;
  wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: generateMnemonic() });
});

after(async () => {
  await wallet.stop();
  await devnet.stop();
});

/** A generator of numbers from 0 to 1, the same for the same seed. */
function numbers(state) {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NAMES = [
  "network", "nodeUrl", "miningUrl", "seed", "xpub", "passphrase", "gapLimit", "mining", "waitForChange", "onProgress", "store", "outputs", "inputs", "address",
  "value", "token", "type", "data", "hash", "index", "limit", "amount", "name", "symbol", "changeAddress", "maxUtxos",
  "createMint", "start", "count", "uid", "timelock", "amountSmallerThan", "markAsUsed", "version",
];

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const throwing = () => {
  throw new Error("of the getter");
};

/** Makes values of every kind, nested, many of them nearly right. */
function values(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const plain = [
    () => undefined, () => null, () => true, () => false, () => 0, () => -1, () => 1, () => 1.5, () => NaN, () => Infinity,
    () => 2 ** 31, () => 2 ** 53, () => -(2 ** 53), () => 1e300, () => 0n, () => -1n, () => 2n ** 63n, () => 2n ** 64n,
    () => 2n ** 127n, () => -(2n ** 127n), () => 2n ** 4096n, () => "", () => "00", () => "0".repeat(64), () => "data",
    () => "query", () => "privatenet", () => "mainnet", () => WORDS, () => ADDRESS, () => "\ud800", () => "\0",
    () => "z".repeat(250_000), () => "\u{1f600}".repeat(151), () => "tx", () => "00010000", () => Symbol("x"),
    () => () => 1, () => class {}, () => new Date(0), () => /x/, () => new Map([["a", 1]]), () => new Set(),
    () => new Uint8Array(3), () => new ArrayBuffer(2), () => Promise.resolve(1), () => new Error("x"), () => revoked(),
    () => new Proxy({}, { get: throwing }), () => new Proxy({}, { ownKeys: throwing }), () => new Proxy([], { get: throwing }),
    () => ({ get value() { return throwing(); } }), () => Object.create(null), () => Object.create({ network: "mainnet" }),
    () => new Array(2 ** 32 - 1), () => [, , 1], () => new String("mainnet"), () => new Number(1), () => globalThis,
    () => { const loop = {}; loop.outputs = [loop]; return loop; }, () => ({ length: 3 }), () => wallet, () => Wallet,
  ];
  const value = (depth) => {
    const kind = random();
    if (depth === 0 || kind < 0.4) return pick(plain)();
    if (kind < 0.55) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth - 1));
    const entries = Array.from({ length: Math.floor(random() * 6) }, () => [pick(NAMES), value(depth - 1)]);
    return Object.fromEntries(entries);
  };
  return () => value(4);
}

function check(what, error) {
  assert.ok(isWalletError(error), `${what} (FUZZ_SEED=${SEED}): ${error?.stack ?? String(error)}`);
  assert.notEqual(error.code, "INTERNAL", `${what} (FUZZ_SEED=${SEED}): ${error.message}`);
  if (error.code === "INVALID_INPUT") {
    assert.ok(error.message.length > 0);
  }
}

test("functions take any value", () => {
  const value = values(numbers(SEED));
  const functions = Object.entries(wallets).filter(([name, it]) => typeof it === "function" && !/^[A-Z]/.test(name) && name !== "init");
  const account = Account.fromSeed(WORDS);
  const calls = [
    ...functions,
    ["Account.fromSeed", (...args) => Account.fromSeed(...args)],
    ["Account.fromXpub", (...args) => Account.fromXpub(...args)],
    ["Account.addresses", (...args) => account.addresses(...args)],
    ["Account.signMessage", (...args) => account.signMessage(...args)],
    ["wallet.on", (...args) => wallet.on(...args)],
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, call] of calls) {
      try {
        call(value(), value());
      } catch (error) {
        check(name, error);
      }
    }
  }
  assert.equal(wallets.validateMnemonic(WORDS), true);
});

test("methods take any value, and the wallet stays usable", async () => {
  const value = values(numbers(SEED + 1));
  const methods = ["balance", "tokens", "addresses", "address", "utxos", "history", "sendTx", "createToken", "createNft", "meltTokens"];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of methods) {
      await wallet[name](value(), value()).catch((error) => check(name, error));
    }
    await Wallet.start(value()).then((started) => started.stop(), (error) => check("Wallet.start", error));
  }
  assert.deepEqual(await wallet.balance(), { available: 0n, locked: 0n });
  assert.equal(wallet.status().statusMessage, "Ready");
});

test("nearly right requests are refused by the name of what is wrong", async () => {
  const field = (promise) => promise.then(() => assert.fail("it was taken"), (error) => error.field);
  const output = { address: ADDRESS, value: 1n };
  const outputs = (change) => wallet.sendTx({ outputs: [output, { ...output, ...change }] });
  assert.equal(await field(wallet.sendTx()), "outputs");
  assert.equal(await field(wallet.sendTx({ outputs: {} })), "outputs");
  assert.equal(await field(wallet.sendTx({ outputs: [] })), "outputs");
  assert.equal(await field(wallet.sendTx({ outputs: [null] })), "outputs[0]");
  for (const value of ["1", 1.5, 2 ** 53, NaN, null, true, {}, 2n ** 200n]) {
    assert.equal(await field(outputs({ value })), "outputs[1].value", String(value));
  }
  for (const value of [0, -1n]) {
    assert.equal(await field(outputs({ value })), "outputs[1].value", String(value));
  }
  assert.equal(await field(outputs({ address: "nowhere" })), "outputs[1].address");
  assert.equal(await field(outputs({ token: "HTR" })), "outputs[1].token");
  assert.equal(await field(outputs({ timelock: 2 ** 32 })), "outputs[1].timelock");
  assert.equal(await field(outputs({ amount: 1 })), "outputs[1].amount");
  assert.equal(await field(wallet.sendTx({ outputs: [output], inputs: [{ hash: "00", index: 0 }] })), "inputs[0].hash");
  assert.equal(await field(wallet.sendTx({ outputs: [{ type: "data", data: "\ud800" }] })), "outputs[0].data");
  assert.equal(await field(wallet.sendTx({ outputs: [{ type: "data", data: "x".repeat(151) }] })), "outputs[0].data");
  assert.equal(await field(wallet.sendTx({ outputs: Array(26).fill({ type: "data", data: "x" }) })), "outputs");
  assert.equal(await field(wallet.createToken({ name: "A", symbol: "TOOLONG", amount: 1 })), "symbol");
  assert.equal(await field(wallet.createToken({ name: "A", symbol: "A", amount: -1 })), "amount");
  assert.equal(await field(wallet.createNft({ name: "A", symbol: "A", amount: 1 })), "data");
  assert.equal(await field(wallet.createNft({ name: "A", symbol: "A", amount: 1, data: "x", createMint: "yes" })), "createMint");
  assert.equal(await field(wallet.meltTokens({ token: 5, amount: 1 })), "token");
  assert.equal(await field(wallet.utxos({ maxUtxos: "1" })), "maxUtxos");
  assert.equal(await field(wallet.history({ limit: -1 })), "limit");
  assert.equal(await field(wallet.balance(5)), "request");
  assert.equal(await field(wallet.address({ index: 2 ** 31 })), "index");
});
