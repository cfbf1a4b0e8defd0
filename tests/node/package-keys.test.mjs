// The entry `headless-wallet/keys`: the same answers as those of the whole package, from a file of a sixth of its size.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { PKG } from "./support/package.mjs";

const whole = await import(`${PKG}/node.mjs`);
const keys = await import(`${PKG}/keys-node.mjs`);
const required = createRequire(import.meta.url)(`${PKG}/keys.cjs`);

const WORDS =
  "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level";
const UID = "00c374c66017aa87af9b56fbcbf78f7f3248cc13f6921c43de4e626ab2dca3ee";
const CONFIGURATION = `[Tour Token:TOUR:${UID}:40d324c4]`;

/** What an entry does with a call, or what it says against it. */
const outcome = (call, entry) => {
  try {
    return call(entry);
  } catch ({ name, code, message, field }) {
    return { name, code, message, field };
  }
};

const CALLS = [
  ({ Account }) => Account.fromSeed(WORDS).addresses({ network: "mainnet", start: 2, count: 30 }),
  ({ Account }) => Account.fromSeed(WORDS, "a passphrase").xpub(),
  ({ Account }) => Account.fromXpub(Account.fromSeed(WORDS).xpub()).addresses({ network: "testnet" }),
  ({ Account }) => Account.multisigXpub(WORDS),
  ({ Account }) => Account.fromSeed(WORDS).signMessage(3, "Ça va?"),
  ({ Account }) => Account.fromXpub(Account.fromSeed(WORDS).xpub()).signMessage(0, "x"),
  ({ Account }) => Account.fromSeed("one two"),
  ({ Account, verifyMessage }) => {
    const account = Account.fromSeed(WORDS);
    const [address, other] = account.addresses({ network: "mainnet", count: 2 });
    const signature = account.signMessage(0, "Ça va?");
    return [address, other].map((claimed) => verifyMessage({ message: "Ça va?", address: claimed, signature }));
  },
  ({ verifyMessage }) => verifyMessage({ message: "", address: "nobody's", signature: "" }, "mainnet"),
  ({ verifyMessage }) => verifyMessage({ message: "é".repeat(8_193), address: "", signature: "" }),
  ({ verifyMessage }) => verifyMessage({ message: 1, address: "", signature: "" }),
  ({ verifyMessage }) => verifyMessage({ text: "" }),
  ({ deriveAddresses }) => deriveAddresses({ network: "privatenet", seed: WORDS, count: 2 }),
  ({ deriveAddresses }) => deriveAddresses({ network: "privatenet" }),
  ({ deriveAddresses }) => deriveAddresses({ network: "nowhere", seed: WORDS }),
  ({ validateMnemonic }) => [validateMnemonic(WORDS), validateMnemonic(`${WORDS} level`)],
  ({ checkMnemonic }) => checkMnemonic("avocado spott"),
  ({ wordList }) => wordList(),
  ({ checkAddress }) => [checkAddress("WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6"), checkAddress("WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW7", "mainnet")],
  ({ configurationString }) => configurationString({ uid: UID, name: "Tour Token", symbol: "TOUR" }),
  ({ parseConfigurationString }) => parseConfigurationString(CONFIGURATION),
  ({ parseConfigurationString }) => parseConfigurationString(CONFIGURATION.replace("TOUR", "TOUT")),
  ({ parseUnits, formatUnits }) => formatUnits(parseUnits("12.5")),
];

test("the entry for keys answers and refuses as the whole package does", () => {
  for (const call of CALLS) {
    const expected = outcome(call, whole);
    assert.notEqual(expected, undefined);
    assert.deepEqual(outcome(call, keys), expected, String(call));
    assert.deepEqual(outcome(call, required), expected, String(call));
  }
  assert.equal(keys.configurationString({ uid: UID, name: "Tour Token", symbol: "TOUR" }), CONFIGURATION);
});

test("new words are those of a wallet", () => {
  const words = keys.generateMnemonic();
  assert.equal(words.split(" ").length, 24);
  assert.equal(whole.validateMnemonic(words), true);
  assert.notEqual(keys.generateMnemonic(), words);
});

test("errors of the entry for keys can be told", () => {
  assert.throws(() => keys.Account.fromSeed("one"), (error) => keys.isWalletError(error) && whole.isWalletError(error) && error.code === "INVALID_INPUT");
});

test("the entry for keys is small, and knows of no network", () => {
  const wasm = readFileSync(join(PKG, "headless_wallet_keys.wasm"));
  const gzipped = gzipSync(wasm, { level: 9 }).length;
  assert.ok(gzipped <= 90_000, `${gzipped} bytes gzipped`);
  const js = ["keys-node.mjs", "keys-core.js", "keys-public.js", "keys-bindings.js", "node-file.js", "load.js"].map((name) => readFileSync(join(PKG, name), "utf8"));
  assert.doesNotMatch(js.join("\n"), /WebSocket|XMLHttpRequest|from "ws"/);
});
