// Messages signed with the key of an address: the package and the reference library verify what the other has signed.
import assert from "node:assert/strict";
import { test } from "node:test";
import hathorLib from "@hathor/wallet-lib";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";

const { cryptoUtils, walletUtils } = hathorLib;
// Otherwise a timer of the library keeps this process alive for ever.
hathorLib.stopGLLBackgroundTask();
const { Account, Wallet, generateMnemonic, isWalletError, verifyMessage } = await import(`${PKG}/node.mjs`);

const MESSAGES = ["hello", "", "mensagem com acentuação 🚀", "x".repeat(252), "x".repeat(253), "\0\n", "é".repeat(8_192)];

/**
 * A signature by the library, whose nonces are random. One in some hundreds it writes without the leading zero of a number, and
 * can't read it itself: then another one.
 */
function theirs(message, key) {
  for (;;) {
    const signature = cryptoUtils.signMessage(message, key);
    if (Buffer.from(signature, "base64").length === 65) return signature;
  }
}

const refusal = (code, message) => (error) => {
  assert.ok(isWalletError(error), `${error}`);
  assert.deepEqual([error.code, error.message], [code, message]);
  return true;
};

test("either verifies what the other has signed, and nothing else", () => {
  for (const [index, message] of MESSAGES.entries()) {
    const words = generateMnemonic();
    const account = Account.fromSeed(words);
    const [address, other] = account.addresses({ network: "mainnet", start: index, count: 2 });
    const key = walletUtils.getXPrivKeyFromSeed(words).deriveNonCompliantChild(`m/44'/280'/0'/0/${index}`).privateKey;
    const signatures = [account.signMessage(index, message), theirs(message, key)];
    assert.equal(account.signMessage(index, message), signatures[0]);
    for (const signature of signatures) {
      const context = JSON.stringify({ words, message: message.slice(0, 30), signature });
      assert.equal(cryptoUtils.verifyMessage(message, signature, address), true, context);
      for (const network of [undefined, "mainnet"]) {
        assert.equal(verifyMessage({ message, address, signature }, network), true, context);
      }
      assert.equal(verifyMessage({ message: `z${message.slice(2)}`, address, signature }), false, context);
      assert.equal(verifyMessage({ message, address: other, signature }), false, context);
      const bytes = Buffer.from(signature, "base64");
      assert.deepEqual([bytes.length, bytes[0] === 31 || bytes[0] === 32, bytes[33] < 0x80], [65, true, true], context);
      for (let bit = index; bit < bytes.length * 8; bit += 37) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] ^= 1 << (bit & 7);
        assert.equal(verifyMessage({ message, address, signature: flipped.toString("base64") }), false, `${context} ${bit}`);
      }
      for (const bad of ["", "x", signature.slice(4), `${signature}AAAA`]) {
        assert.equal(verifyMessage({ message, address, signature: bad }), false, bad);
      }
    }
  }
});

test("what can't be verified or signed is refused by name", () => {
  const account = Account.fromSeed(generateMnemonic());
  const [address] = account.addresses({ network: "mainnet", count: 1 });
  const message = "é".repeat(8_193);
  const long = "message must have at most 16384 bytes in UTF-8, and has 16386: sign its hash instead";
  assert.throws(() => account.signMessage(0, message), refusal("INVALID_INPUT", long));
  assert.throws(() => verifyMessage({ message, address, signature: "" }), refusal("INVALID_INPUT", long));
  const wrong = `address must be an address of testnet: Invalid address: ${address}. `
    + "Invalid network byte. Expected: 73 or 135 and received 40. It is an address of mainnet.";
  assert.throws(() => verifyMessage({ message: "", address, signature: "" }, "testnet"), refusal("INVALID_INPUT", wrong));
  const multisig = "address must be of one key (P2PKH): nobody signs messages for a multisig address";
  const shared = "hb6kF8SKo1C1Yc9uJZPq3AXUuAbU5aXdgf";
  assert.throws(() => verifyMessage({ message: "", address: shared, signature: "" }), refusal("INVALID_INPUT", multisig));
});

test("a wallet signs with the keys of its addresses", async () => {
  const { nodeUrl, miningUrl, stop } = await startDevnet("--block-interval", "0");
  const wallets = [];
  const start = async (options) => {
    wallets.push(await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, ...options }));
    return wallets.at(-1);
  };
  try {
    const seed = generateMnemonic();
    const wallet = await start({ seed });
    const address = await wallet.address({ index: 2 });
    const signed = await wallet.signMessage({ message: "hello", address });
    const signature = Account.fromSeed(seed).signMessage(2, "hello");
    assert.deepEqual(signed, { success: true, message: "hello", signature, address, index: 2 });
    assert.equal(await wallet.verifyMessage({ message: "hello", address, signature }), true);
    assert.equal(await wallet.verifyMessage({ message: "hallo", address, signature }), false);

    const watching = await start({ xpub: Account.fromSeed(seed).xpub() });
    const readOnly = "this account is of an xpub and can't sign: make it from its words";
    await assert.rejects(watching.signMessage({ message: "hello", address }), refusal("READ_ONLY", readOnly));
    const [foreign] = Account.fromSeed(generateMnemonic()).addresses({ network: "privatenet", count: 1 });
    const notMine = "Address does not belong to this wallet.";
    await assert.rejects(wallet.signMessage({ message: "hello", address: foreign }), refusal("ADDRESS_NOT_MINE", notMine));
    const pubkeys = [seed, generateMnemonic()].map((words) => Account.multisigXpub(words));
    const shared = await start({ seed, multisig: { pubkeys, numSignatures: 2 } });
    const ofSeveral = "this wallet is multisig: its addresses are of several keys, and a message is signed by one; sign with an "
      + "address of a wallet of one key";
    await assert.rejects(
      shared.signMessage({ message: "hello", address: await shared.address() }),
      refusal("MULTISIG", ofSeveral),
    );
  } finally {
    await Promise.all(wallets.map((wallet) => wallet.stop()));
    await stop();
  }
});
