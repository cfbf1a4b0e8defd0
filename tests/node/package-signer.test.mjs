// The option `signer`: a wallet without keys, which a worker has alone, and what becomes of a call whose signer refuses, lies or never
// answers.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";
import { PKG } from "./support/package.mjs";
import { devnet, start } from "./support/wallets.mjs";

const { Account, generateMnemonic, verifyMessage } = await import(`${PKG}/node.mjs`);
const words = generateMnemonic();

let wallet;
let to;
/** What was asked, and how the workers behave. */
const asked = [];
let manner = "honest";
const waiting = new Map();
const workers = [];
let signer;

/** A worker that has words alone, and the signer that asks it: for a wallet of one key, or a participant of several. */
async function signerOf(workerData) {
  const worker = new Worker(new URL("./support/signing-worker.mjs", import.meta.url), { workerData });
  workers.push(worker);
  const [{ xpub }] = await once(worker, "message");
  worker.on("message", ({ id, signatures, error }) => {
    const { resolve, reject } = waiting.get(id);
    if (error) reject(new Error(error));
    else resolve(signatures);
  });
  return {
    xpub,
    timeout: 2_000,
    sign(request) {
      asked.push(request);
      return new Promise((resolve, reject) => {
        waiting.set(asked.length, { resolve, reject });
        worker.postMessage({ id: asked.length, request, manner });
      });
    },
  };
}

before(async () => {
  signer = await signerOf({ words });
  wallet = await start({ seed: undefined, signer });
  to = await (await start()).address();
  const { tx_ids: [funding] } = await devnet.control("fund", { address: await wallet.address(), amount: 1_000 });
  await wallet.waitForTransaction(funding);
});

after(() => Promise.all(workers.map((worker) => worker.terminate())));

const fails = (promise, code, message) => assert.rejects(promise, (error) => {
  assert.deepEqual([error.code, error.message], [code, message]);
  return true;
});

test("a worker signs sends of several inputs, tokens and messages, and sees all of them", async () => {
  assert.equal(signer.xpub, Account.fromSeed(words).xpub());
  asked.length = 0;
  await wallet.sendTx({ outputs: [300n, 300n].map((value) => ({ address: to, value })) });
  const [request] = asked;
  assert.equal(asked.length, 1);
  assert.equal(request.purpose, "send");
  assert.match(request.digest, /^[0-9a-f]{64}$/);
  assert.equal(request.previous.length, 1);
  assert.deepEqual(request.inputs.map(([, index]) => index), request.indexes);
  assert.equal(request.own.length, 1);
  const { hash } = await wallet.createToken({ name: "Worker", symbol: "WRK", amount: 100n });
  await wallet.waitForTransaction(hash);
  const address = await wallet.address({ index: 0 });
  const { signature } = await wallet.signMessage({ address, message: "hello" });
  assert.ok(verifyMessage({ address, message: "hello", signature }));
});

test("what a signer refuses, or lies about, is not sent, and the next call is", async () => {
  const before = await wallet.balance();
  const send = () => wallet.simpleSendTx({ address: to, value: 1n });
  const unused = "what the wallet's signer gave is not used: ";
  for (const [how, code, message] of [
    ["refuses", "SIGNER_REFUSED", 'the wallet\'s signer refuses this by its rule "sign": the button was not pressed'],
    ["another digest", "SIGNER_FAILED", `${unused}a signature for address INDEX of something else`],
    ["another key", "SIGNER_FAILED", `${unused}a signature for address INDEX of something else`],
    ["too few", "SIGNER_FAILED", `${unused}0 signatures of 1 that it was asked for`],
    ["nonsense", "SIGNER_FAILED", `${unused}what \`sign\` gives[0] must be r and s, 64 bytes in hexadecimal`],
    ["silent", "SIGNER_UNREACHABLE", "the wallet's signer can't be reached, and nothing was signed: it did not answer within 2000 ms"],
  ]) {
    manner = how;
    await assert.rejects(send(), (error) => {
      // Whichever output it spends.
      const [index] = asked.at(-1).indexes;
      assert.deepEqual([error.code, error.message], [code, message.replace("INDEX", index)]);
      return true;
    });
    assert.deepEqual(await wallet.balance(), before, how);
  }
  manner = "silent";
  await assert.rejects(wallet.simpleSendTx({ address: to, value: 1n }, { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  manner = "honest";
  await send();
});

test("a signer that is none is refused by name", async () => {
  const options = { seed: undefined };
  await fails(start({ ...options, signer: { sign() {} } }), "INVALID_INPUT", "signer.xpub must be a string");
  await fails(start({ ...options, signer: { xpub: signer.xpub } }), "INVALID_INPUT", "signer must have a method `sign`");
  await fails(start({ signer }), "INVALID_INPUT", "seed must be left out where there is a signer: it has the keys");
});

test("a participant's words are in a worker, which signs its share of what several send", async () => {
  const [own, other] = [generateMnemonic(), generateMnemonic()];
  const share = await signerOf({ words: own, several: true });
  const xpubs = [own, other].map((seed) => Account.multisigXpub(seed));
  assert.equal(share.xpub, xpubs[0]);
  const multisig = { pubkeys: xpubs, numSignatures: 2 };
  const [one, two] = [await start({ seed: undefined, signer: share, multisig }), await start({ seed: other, multisig })];
  assert.deepEqual(await one.addresses(), await two.addresses());
  for (const address of (await one.addresses()).slice(0, 2)) {
    const { tx_ids: [funding] } = await devnet.control("fund", { address, amount: 50 });
    await Promise.all([one, two].map((each) => each.waitForTransaction(funding)));
  }
  await assert.rejects(one.simpleSendTx({ address: to, value: 1n }), { code: "MULTISIG" });

  const { txHex } = await one.proposeTx({ outputs: [{ address: to, value: 70n }] });
  asked.length = 0;
  const shares = [await one.mySignatures(txHex), await two.mySignatures(txHex)];
  assert.equal(asked.length, 1);
  const [request] = asked;
  assert.deepEqual([request.purpose, request.scripts, request.caller], ["share", [], null]);
  assert.deepEqual([request.multisig.numSignatures, request.multisig.pubkeys.toSorted()], [2, xpubs.toSorted()]);
  assert.deepEqual(request.inputs.map(([, index]) => index), request.indexes);
  assert.deepEqual([request.indexes.toSorted(), request.previous.length, request.own.length], [[0, 1], 2, 1]);
  const { hash } = await one.signAndPush({ txHex, signatures: shares });
  await two.waitForTransaction(hash);
  assert.deepEqual(await two.balance(), { available: 30n, locked: 0n });

  // What is no share of this participant's is not given.
  const next = await two.proposeTx({ outputs: [{ address: to, value: 1n }] });
  manner = "another key";
  await assert.rejects(one.mySignatures(next.txHex), (error) => {
    const [index] = asked.at(-1).indexes;
    const message = `what the wallet's signer gave is not used: a signature for address ${index} of something else`;
    assert.deepEqual([error.code, error.message], ["SIGNER_FAILED", message]);
    return true;
  });
  manner = "refuses";
  await fails(one.mySignatures(next.txHex), "SIGNER_REFUSED", 'the wallet\'s signer refuses this by its rule "sign": the button was not pressed');
  manner = "honest";
  const stranger = { ...share, xpub: Account.multisigXpub(generateMnemonic()) };
  await fails(start({ seed: undefined, signer: stranger, multisig }), "INVALID_INPUT", "signer.xpub must be one of `multisig.pubkeys`");
  await fails(start({ seed: other, signer: share, multisig }), "INVALID_INPUT", "seed must be left out where there is a signer: it has the keys");
});
