// The npm package as its users have it, on a local network: a wallet's whole life, and what becomes of it when a service fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";
import { devnet, start, wallets } from "./support/wallets.mjs";

const { Account, Wallet, generateMnemonic, isWalletError } = await import(`${PKG}/node.mjs`);

/** Resolves with the next event of a kind for which `wanted` holds. */
function next(wallet, event, wanted = () => true) {
  return new Promise((resolve) => {
    const off = wallet.on(event, (news) => {
      if (wanted(news)) {
        off();
        resolve(news);
      }
    });
  });
}

/** A wallet that holds `amount` cents of HTR. */
async function startFunded(amount, options) {
  const wallet = await start(options);
  const funded = next(wallet, "balance", ({ token, available }) => token === "00" && available === BigInt(amount));
  await devnet.control("fund", { address: await wallet.address(), amount });
  await funded;
  return wallet;
}

const rejects = (promise, expected) => assert.rejects(promise, (error) => {
  assert.ok(error instanceof Error && isWalletError(error), `${error}`);
  const { name, code, field, message } = error;
  assert.deepEqual({ name, code, field, message }, { field: undefined, ...expected });
  return true;
});

test("a wallet is started, receives, and tells of it", async () => {
  const progress = [];
  const wallet = await start({ onProgress: (news) => progress.push(news) });
  assert.deepEqual(progress.at(-1), { addresses: 20, transactions: 0 });
  const { serverInfo, ...status } = wallet.status();
  assert.deepEqual(status, {
    statusCode: 3,
    statusMessage: "Ready",
    network: "privatenet",
    serverUrl: devnet.nodeUrl,
    progress: { addresses: 20, transactions: 0 },
  });
  assert.equal(serverInfo.network, "privatenet");
  assert.deepEqual(await wallet.balance(), { available: 0n, locked: 0n });
  assert.deepEqual(await wallet.tokens(), [{ uid: "00", name: "Hathor", symbol: "HTR", nftData: null, available: 0n, locked: 0n }]);
  const addresses = await wallet.addresses();
  assert.equal(addresses.length, 20);
  assert.equal(await wallet.address(), addresses[0]);

  const tx = next(wallet, "tx");
  const balance = next(wallet, "balance");
  const [id] = (await devnet.control("fund", { address: addresses[0], amount: 1_234 })).tx_ids;
  assert.equal((await tx).tx.tx_id, id);
  assert.equal((await tx).isNew, true);
  assert.deepEqual(await balance, { token: "00", available: 1_234n, locked: 0n });
  assert.deepEqual(await wallet.balance(), { available: 1_234n, locked: 0n });
  assert.deepEqual(await wallet.balance("00"), { available: 1_234n, locked: 0n });
  assert.deepEqual(await wallet.balance({ token: "00" }), { available: 1_234n, locked: 0n });
  assert.equal(await wallet.address(), addresses[1]);
  assert.equal(await wallet.address({ index: 0 }), addresses[0]);
  assert.equal((await wallet.addresses()).length, 21);
  assert.deepEqual((await wallet.utxos()).utxos.map(({ address, amount, locked, tx_id }) => ({ address, amount, locked, tx_id })), [
    { address: addresses[0], amount: 1_234n, locked: false, tx_id: id },
  ]);
});

test("a feature of the network that this version does not support is told", async () => {
  const warning = (state, words) => ({
    feature: "TOKEN_AMOUNT_V2",
    state,
    message:
      `the network's feature TOKEN_AMOUNT_V2 ${words}; this version of headless-wallet does not support it: ` +
      "requests name whole cents, and contracts that count in 18 decimals can't be called. Upgrade headless-wallet",
  });
  const own = await startDevnet("--block-interval", "0");
  try {
    await own.control("features", { features: { TOKEN_AMOUNT_V2: "LOCKED_IN", FEE_TOKENS: "ACTIVE" } });
    const { nodeUrl, miningUrl } = own;
    const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: generateMnemonic() });
    assert.deepEqual(wallet.status().warnings, [warning("LOCKED_IN", "is locked in and will become active")]);
    await own.control("features", { features: { TOKEN_AMOUNT_V2: "ACTIVE" } });
    const active = new Promise((resolve) => {
      wallet.on("state", ({ warnings }) => warnings?.[0].state === "ACTIVE" && resolve(warnings));
    });
    await own.control("disconnect");
    assert.deepEqual(await active, [warning("ACTIVE", "is active")]);
    assert.deepEqual(wallet.status().warnings, [warning("ACTIVE", "is active")]);
    await wallet.stop();
  } finally {
    await own.stop();
  }
});

test("a wallet creates a token and an NFT, sends data and value, melts, and has it all in its history", async () => {
  const wallet = await startFunded(10_000);
  const other = await start();

  const token = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 1_000n });
  assert.equal(token.success, true);
  assert.equal(token.version, 2);
  assert.match(token.configurationString, new RegExp(`^\\[Coffee:CFE:${token.hash}:[0-9a-f]{8}\\]$`));
  assert.deepEqual(await wallet.balance(token.hash), { available: 1_000n, locked: 0n });
  assert.deepEqual(await wallet.balance(), { available: 9_990n, locked: 0n });

  const nft = await wallet.createNft({ name: "Cup", symbol: "CUP", amount: 1, data: "ipfs://cup/metadata.json", createMelt: true });
  const { script, ...output } = nft.outputs[0];
  assert.deepEqual(output, { value: 1n, tokenData: 0 });
  // A length, `ipfs://cup/metadata.json`, OP_CHECKSIG.
  assert.equal(script, `18${Buffer.from("ipfs://cup/metadata.json").toString("hex")}ac`);
  // A cent is deposited, and a cent pays for the data.
  assert.deepEqual(await wallet.balance(), { available: 9_988n, locked: 0n });

  const received = next(other, "balance", ({ available }) => available === 250n);
  const sent = await wallet.sendTx({
    outputs: [
      { type: "data", data: "hello, ledger" },
      { address: await other.address(), value: 250n, token: token.hash },
    ],
  });
  assert.deepEqual(sent.tokens, [token.hash]);
  assert.deepEqual(Object.keys(sent).sort(), ["hash", "inputs", "nonce", "outputs", "parents", "success", "timestamp", "tokens", "version", "weight"]);
  assert.deepEqual(await received, { token: token.hash, available: 250n, locked: 0n });

  const melted = await wallet.meltTokens({ token: token.hash, amount: 500 });
  assert.equal(melted.version, 1);
  assert.deepEqual(await wallet.balance(token.hash), { available: 250n, locked: 0n });
  assert.deepEqual(await wallet.balance(), { available: 9_992n, locked: 0n });

  const history = await wallet.history();
  assert.deepEqual(
    new Set(history.map(({ tx_id }) => tx_id).slice(0, -1)),
    new Set([token, nft, sent, melted].map(({ hash }) => hash)),
  );
  assert.deepEqual(history.find(({ tx_id }) => tx_id === token.hash).token_name, "Coffee");
  const data = history.find(({ tx_id }) => tx_id === sent.hash).outputs.map(({ decoded }) => decoded);
  assert.ok(data.some((decoded) => decoded.type === "DATA" && decoded.data === "hello, ledger"));
  assert.deepEqual(await wallet.history({ limit: 2 }), history.slice(0, 2));
  assert.deepEqual(await wallet.history({ limit: 0 }), []);
  const tokens = [
    { uid: "00", name: "Hathor", symbol: "HTR", nftData: null, available: 9_992n, locked: 0n },
    { uid: token.hash, name: "Coffee", symbol: "CFE", nftData: null, available: 250n, locked: 0n },
    { uid: nft.hash, name: "Cup", symbol: "CUP", nftData: "ipfs://cup/metadata.json", available: 1n, locked: 0n },
  ];
  assert.deepEqual(await wallet.tokens(), tokens);
  // Names never change, so they are asked for once.
  await devnet.control("node", { mode: "down", path: "thin_wallet/token" });
  assert.deepEqual(await wallet.tokens(), tokens);
  await assert.rejects(wallet.token(token.hash), { code: "NODE_BAD_ANSWER" });
  await devnet.control("node");
});

test("the end of a time lock is told", async () => {
  const wallet = await startFunded(1_000);
  const told = [];
  const off = wallet.on("balance", (news) => told.push(news));
  const ended = next(wallet, "balance", ({ available }) => available === 1_000n);
  const timelock = Math.floor(Date.now() / 1_000) + 4;
  await wallet.sendTx({ outputs: [{ address: await wallet.address(), value: 400n, timelock }] });
  await ended;
  assert.ok(Date.now() > timelock * 1_000, "told too early");
  off();
  assert.deepEqual(told, [{ token: "00", available: 600n, locked: 400n }, { token: "00", available: 1_000n, locked: 0n }]);
});

test("unspent outputs are filtered", async () => {
  const wallet = await start();
  const address = await wallet.address();
  const all = next(wallet, "balance", ({ available }) => available === 446n);
  for (const amount of [97, 100, 200, 49]) {
    await devnet.control("fund", { address, amount });
  }
  await all;
  const amounts = async (filter) => (await wallet.utxos(filter)).utxos.map(({ amount }) => amount).sort((a, b) => Number(a - b));
  assert.deepEqual(await amounts(), [49n, 97n, 100n, 200n]);
  assert.deepEqual(await amounts({ amountBiggerThan: 49, amountSmallerThan: 200n }), [97n, 100n]);
  assert.deepEqual(await amounts({ filterAddress: await wallet.address({ index: 7 }) }), []);
  const { utxos, ...totals } = await wallet.utxos({ maxUtxos: 1, filterAddress: address });
  assert.equal(utxos.length, 1);
  assert.deepEqual(totals, {
    total_amount_available: utxos[0].amount,
    total_utxos_available: 1,
    total_amount_locked: 0n,
    total_utxos_locked: 0,
  });
});

test("a wallet of an xpub sees what its owner has, and can't spend it", async () => {
  const seed = generateMnemonic();
  const owner = await startFunded(500, { seed });
  const watcher = await start({ seed: undefined, xpub: Account.fromSeed(seed).xpub() });
  assert.deepEqual(await watcher.balance(), { available: 500n, locked: 0n });
  assert.deepEqual(await watcher.addresses(), await owner.addresses());
  await rejects(watcher.sendTx({ outputs: [{ address: await owner.address(), value: 1 }] }), {
    name: "SendError",
    code: "READ_ONLY",
    message: "this wallet was started from an xpub and can't sign: start it from its words to send",
  });
});

test("sends are refused with a reason that programs can tell", async () => {
  const wallet = await startFunded(100);
  const address = await wallet.address();
  await rejects(wallet.sendTx({ outputs: [{ address, value: 101n }] }), {
    name: "SendError",
    code: "INSUFFICIENT_FUNDS",
    message: "Not enough HTR: 1.01 needed, 1.00 available",
  });
  await rejects(wallet.sendTx({ outputs: [{ address: "HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq", value: 1n }] }), {
    name: "InputError",
    code: "INVALID_INPUT",
    field: "outputs[0].address",
    message: "outputs[0].address must be an address of privatenet: Invalid address: HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq. "
      + "Invalid network byte. Expected: 73 or 135 and received 40. It is an address of mainnet.",
  });
  await rejects(wallet.sendTx({ outputs: [{ address, value: 1.5 }] }), {
    name: "InputError",
    code: "INVALID_INPUT",
    field: "outputs[0].value",
    message: "outputs[0].value must be a safe integer or a bigint: this number is not exact",
  });
  await rejects(wallet.createToken({ name: "x".repeat(31), symbol: "X", amount: 1 }), {
    name: "InputError",
    code: "INVALID_INPUT",
    field: "name",
    message: "name must have at most 30 characters (Token name size is 31 but maximum size is 30)",
  });
  await rejects(wallet.createToken({ name: "x", symbol: "X", amount: 0 }), {
    name: "InputError",
    code: "INVALID_INPUT",
    field: "amount",
    message: "amount: Value must be a positive number.",
  });
  await rejects(wallet.sendTx({ outputs: [], change_address: address }), {
    name: "InputError",
    code: "INVALID_INPUT",
    field: "change_address",
    message: "change_address is not known: expected outputs, inputs, changeAddress",
  });
  const unused = (request, field, must) =>
    rejects(request, { name: "InputError", code: "INVALID_INPUT", field, message: `${field} ${must}` });
  const outputs = [{ address, value: 1 }];
  const id = "ab".repeat(32);
  await unused(wallet.sendTx({ outputs, inputs: [{ type: "query" }, { hash: id, index: 0 }] }), "inputs[1]", "must be left out: a query stands alone");
  await unused(wallet.buildTx({ outputs, inputs: [{ type: "query", hash: id }] }), "inputs[0].hash", "must be left out: a query names no output");
  await unused(wallet.mintTokens({ token: id, amount: 1, createMint: false, mintAuthorityAddress: address }), "mintAuthorityAddress", "must be left out: no such authority is created");
});

test("an authority is given up, and an input that is given twice is refused as that", async () => {
  const wallet = await startFunded(1_000);
  const { utxos: [{ tx_id: hash, index }] } = await wallet.utxos();
  const twice = [{ hash, index }, { hash, index }];
  const outputs = [{ address: await wallet.address(), value: 1 }];
  await assert.rejects(wallet.sendTx({ outputs, inputs: twice }), { code: "INVALID_INPUT", message: /given twice/ });
  const { hash: token } = await wallet.createToken({ name: "Tea", symbol: "TEA", amount: 100 });
  await wallet.mintTokens({ token, amount: 100, createMint: false });
  await wallet.meltTokens({ token, amount: 100, createMelt: false });
  assert.deepEqual(await wallet.authorities(token), { mint: 0, melt: 0 });
});

test("a wallet outlives a node and a mining service that fail in the middle of a call", async () => {
  const wallet = await startFunded(1_000);
  const request = { outputs: [{ address: await wallet.address(), value: 1 }] };
  await devnet.control("mining", { mode: "failed" });
  await assert.rejects(wallet.sendTx(request), { name: "SendError", code: "MINING_REFUSED" });
  await devnet.control("mining");
  // The node takes it, and the answer is lost: the wallet finds out what became of it.
  await devnet.control("node", { mode: "broken", path: "push_tx" });
  assert.equal((await wallet.sendTx({ outputs: [{ address: await wallet.address(), value: 2 }] })).success, true);

  const lost = next(wallet, "state", ({ statusMessage }) => statusMessage === "Connecting");
  await devnet.control("node", { mode: "down" });
  const { error, nextTry } = await lost;
  assert.ok(error.startsWith(`full node `), error);
  assert.ok(nextTry > 0, `${nextTry}`);
  await assert.rejects(wallet.balance(), { name: "NotReadyError", code: "NOT_READY" });
  await assert.rejects(wallet.sendTx(request), { name: "NotReadyError", code: "NOT_READY" });

  const back = next(wallet, "state", ({ statusMessage }) => statusMessage === "Ready");
  await devnet.control("node");
  wallet.reconnect();
  assert.equal((await back).nextTry, undefined);
  assert.equal((await wallet.sendTx(request)).success, true);
});

test("a local network that ends in the middle of a call rejects it", async () => {
  const { nodeUrl, miningUrl, control, stop } = await startDevnet("--block-interval", "0");
  const wallet = await start({ nodeUrl, miningUrl });
  const funded = next(wallet, "balance");
  await control("fund", { address: await wallet.address(), amount: 100 });
  await funded;
  await control("mining", { delay_ms: 60_000 });
  const send = assert.rejects(wallet.sendTx({ outputs: [{ address: await wallet.address(), value: 1 }] }), {
    name: "SendError",
    // Which of the two it is asking when they end: the node for parents, or the mining service.
    code: /^(MINING|NODE)_UNREACHABLE$/,
  });
  await stop();
  await send;
  const error = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: generateMnemonic() }).catch((error) => error);
  assert.deepEqual([error.name, error.code], ["StartError", "NODE_UNREACHABLE"]);
  assert.equal(error.cause.message, "TypeError: fetch failed (ECONNREFUSED)");
  assert.match(error.message, /: the connection broke \(TypeError: fetch failed \(ECONNREFUSED\)\): check that it runs and that `nodeUrl` is right; /);
  await assert.rejects(wallet.balance(), { name: "NotReadyError", code: "NOT_READY" });
});

test("it can do the proof of work itself, and everything else goes on meanwhile", async () => {
  const { nodeUrl, control, stop } = await startDevnet("--block-interval", "0", "--weight", "real");
  const nowhere = "http://127.0.0.1:9/";
  try {
    for (const options of [{ mining: "local" }, { mining: "service-then-local", miningUrl: nowhere }]) {
      const wallet = await Wallet.start({ network: "privatenet", nodeUrl, seed: generateMnemonic(), ...options });
      wallets.push(wallet);
      const funded = next(wallet, "balance", ({ available }) => available === 50n);
      await control("fund", { address: await wallet.address(), amount: 50 });
      await funded;
      let turns = 0;
      const turning = setInterval(() => (turns += 1), 0);
      const sent = await wallet.sendTx({ outputs: [{ type: "data", data: "by hand" }] });
      clearInterval(turning);
      assert.ok(sent.weight > 14, `${sent.weight}`);
      assert.ok(turns > 0);
      assert.equal((await wallet.balance()).available, 49n);
    }
  } finally {
    await stop();
  }
  await rejects(start({ mining: "both" }), {
    name: "InputError",
    code: "INVALID_INPUT",
    field: "mining",
    message: 'mining must be "service", "local" or "service-then-local"',
  });
});

test("a wallet that is told not to wait for change refuses at once", async () => {
  const { nodeUrl, miningUrl, control, stop } = await startDevnet("--block-interval", "0");
  const wallet = await start({ nodeUrl, miningUrl, waitForChange: false });
  const funded = next(wallet, "balance", ({ available }) => available === 50n);
  await control("fund", { address: await wallet.address(), amount: 50 });
  await funded;
  await control("mining", { delay_ms: 500 });
  const pay = () => wallet.sendTx({ outputs: [{ type: "data", data: "one" }] });
  const first = pay();
  await rejects(pay(), {
    name: "SendError",
    code: "INSUFFICIENT_FUNDS",
    message: "Not enough HTR: 0.01 needed, 0.00 available",
  });
  await first;
  await wallet.stop();
  await stop();
});

test("a start that can't succeed says why, and leaves nothing running", async () => {
  const options = { network: "privatenet", nodeUrl: devnet.nodeUrl, miningUrl: devnet.miningUrl, seed: generateMnemonic() };
  await rejects(Wallet.start({ ...options, network: "mainnet" }), {
    name: "StartError",
    code: "WRONG_NETWORK",
    message: "Wrong network. server=privatenet expected=mainnet: `network` and `nodeUrl` must be of one network",
  });
  await rejects(Wallet.start({ ...options, seed: "abandon ".repeat(24) }), {
    name: "InputError",
    code: "INVALID_INPUT",
    field: "seed",
    message: "seed must be 24 words of the English list: Invalid sequence of words.",
  });
});

test("a stopped wallet says that it is", async () => {
  const wallet = await start();
  const states = [];
  wallet.on("state", ({ statusMessage }) => states.push(statusMessage));
  await wallet.stop();
  await wallet.stop();
  assert.equal(wallet.status().statusMessage, "Closed");
  await rejects(wallet.balance(), { name: "NotReadyError", code: "STOPPED", message: "the wallet is stopped" });
  assert.deepEqual(states, ["Closed"]);
});

test("a listener that throws harms nobody, and one that left is not called", async (t) => {
  const log = t.mock.method(console, "error", () => {});
  const wallet = await start();
  const fault = new Error("of the listener");
  wallet.on("balance", () => {
    throw fault;
  });
  let calls = 0;
  const off = wallet.on("balance", () => {
    calls += 1;
  });
  off();
  off();
  const told = next(wallet, "balance");
  await devnet.control("fund", { address: await wallet.address(), amount: 1 });
  await told;
  assert.deepEqual(log.mock.calls.map((call) => call.arguments), [[fault]]);
  assert.equal(calls, 0);
});
