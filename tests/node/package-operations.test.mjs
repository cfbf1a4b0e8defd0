// What the npm package does besides paying: each operation of the interface that needs no server, and JavaScript's own manners.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";
import { devnet, start } from "./support/wallets.mjs";
import { WebSocketServer } from "ws";

const { Account, Wallet, formatUnits, generateMnemonic, isWalletError, parseJson, parseUnits, stringifyJson } = await import(
  `${PKG}/node.mjs`
);

async function funded(amount, options) {
  const wallet = await start(options);
  const paid = wallet.once("balance");
  await devnet.control("fund", { address: await wallet.address(), amount });
  assert.equal((await paid).available, BigInt(amount));
  return wallet;
}

/** Well-formed, and of no transaction. */
const WRONG_SIGNATURE = "3006020101020101";
const STRANGER = Account.fromSeed(generateMnemonic()).addresses({ network: "privatenet", count: 1 })[0];

const rejects = (promise, code) =>
  assert.rejects(promise, (error) => {
    assert.ok(isWalletError(error), `${error}`);
    assert.equal(error.code, code);
    return true;
  });

test("tokens are minted, looked up and consolidated, and a dry run sends nothing", async () => {
  const wallet = await funded(1_000);
  const { hash: uid, configurationString } = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 1_000 });
  assert.deepEqual(await wallet.token(uid), {
    uid,
    name: "Coffee",
    symbol: "CFE",
    configurationString,
    version: 1,
    total: 1_000n,
    canMint: true,
    canMelt: true,
    nftData: null,
  });
  assert.equal(await wallet.token("ab".repeat(32)), null);

  const dry = await wallet.mintTokens({ token: uid, amount: 500 }, { dryRun: true });
  assert.deepEqual([dry.dry_run, dry.cost], [true, { deposit: 5n, fee: 0n, data: 0n, total: 5n }]);
  assert.deepEqual(await wallet.balance(uid), { available: 1_000n, locked: 0n });

  const minted = await wallet.mintTokens({ token: uid, amount: 500 });
  const found = await wallet.waitForTransaction(minted.hash);
  assert.equal(found.tx_id, minted.hash);
  assert.deepEqual(await wallet.balance(uid), { available: 1_500n, locked: 0n });
  assert.deepEqual(await wallet.balances(), [
    { token: "00", ...(await wallet.balance()) },
    { token: uid, available: 1_500n, locked: 0n },
  ]);
  const all = await wallet.history();
  assert.equal(all.length, 3);
  assert.deepEqual(await wallet.history({ limit: 1, before: all[0].tx_id }), [all[1]]);
  assert.deepEqual(await wallet.history({ after: all[1].tx_id, since: all[0].timestamp }), [all[0]]);
  assert.deepEqual((await wallet.history({ token: uid })).map(({ tx_id }) => tx_id), [minted.hash, uid]);
  assert.deepEqual(await wallet.history({ address: STRANGER }), []);
  await assert.rejects(wallet.history({ before: "ab".repeat(32) }), {
    code: "INVALID_INPUT",
    field: "before",
    message: "before must be a transaction of the wallet's history",
  });
  const destinationAddress = await wallet.address();
  const consolidated = await wallet.consolidateUtxos({ destinationAddress, token: uid });
  assert.deepEqual([consolidated.total_utxos_consolidated, consolidated.total_amount], [2, 1_500n]);
  assert.deepEqual((await wallet.utxos({ token: uid })).utxos.map(({ amount }) => amount), [1_500n]);

  const index = await wallet.addressIndex(destinationAddress);
  assert.equal(await wallet.address({ index }), destinationAddress);
  const info = await wallet.addressInfo({ address: destinationAddress, token: uid });
  assert.deepEqual([info.total_amount_available, info.index], [1_500n, index]);
  assert.equal(await wallet.addressIndex(await (await start()).address()), undefined);
  assert.equal((await wallet.transaction(minted.hash)).tx_id, minted.hash);
  assert.equal(await wallet.confirmations(minted.hash), 0);
});

test("what an amount deposits and gives back is told to the cent, as the node's release computes it", async () => {
  const vectors = readFileSync(new URL("../vectors/deposits_double.txt", import.meta.url), "utf8").trim().split("\n").slice(1);
  // Above 2^53 cents few of them are those of integers.
  const large = vectors.map((line) => line.split(" ").map(BigInt)).filter(([amount]) => amount > 2n ** 53n);
  assert.ok(large.some(([amount, deposit]) => deposit !== (amount + 99n) / 100n));
  for (const release of ["0.70", "0.71"]) {
    const { nodeUrl, miningUrl, control, stop } = await startDevnet("--block-interval", "0", "--node-release", release);
    const wallet = await start({ nodeUrl, miningUrl });
    // The wallet has nothing yet: whatever it says does not hang on that.
    for (const [amount, deposit, withdraw] of large) {
      const expected = release === "0.70" ? { deposit, withdraw } : { deposit: (amount + 99n) / 100n, withdraw: amount / 100n };
      assert.deepEqual(await wallet.tokenDeposit({ amount }), expected, `${amount}`);
    }
    assert.deepEqual(await wallet.tokenDeposit({ amount: 199 }), { deposit: 2n, withdraw: 1n });
    assert.deepEqual(await wallet.tokenDeposit({ amount: 0 }), { deposit: 0n, withdraw: 0n });
    const paid = wallet.once("balance");
    await control("fund", { address: await wallet.address(), amount: 100 });
    await paid;
    const { hash: bought } = await wallet.createToken({ name: "Deposit", symbol: "DEP", amount: 100 });
    const { hash: free } = await wallet.createToken({ name: "Fee", symbol: "FEE", amount: 100, version: 2 });
    assert.deepEqual(await wallet.tokenDeposit({ amount: 199, token: bought }), { deposit: 2n, withdraw: 1n });
    assert.deepEqual(await wallet.tokenDeposit({ amount: 199, token: free }), { deposit: 0n, withdraw: 0n });
    await wallet.stop();
    await stop();
  }
});

test("a deposit is not told of what is no amount or has none", async () => {
  const wallet = await start();
  for (const [request, field, message] of [
    [{ amount: -1 }, "amount", "amount must be from 0 to 9223372036854775808"],
    [{ amount: 2n ** 63n + 1n }, "amount", "amount must be from 0 to 9223372036854775808"],
    [{ amount: 1.5 }, "amount", "amount must be a safe integer or a bigint: this number is not exact"],
    [{}, "amount", "amount must be a bigint or a safe integer"],
    [{ amount: 1, token: "00" }, "token", "token must be a custom token: HTR has no deposit"],
    [{ amount: 1, token: "x" }, "token", 'token must be a token\'s uid: "00" or 64 hexadecimal digits'],
    [{ amount: 1, uid: "00" }, "uid", "uid is not known: expected amount, token"],
  ]) {
    await assert.rejects(wallet.tokenDeposit(request), { name: "InputError", code: "INVALID_INPUT", field, message });
  }
});

test("a transaction is confirmed by blocks, and a wait for that can be given up", async () => {
  const wallet = await funded(100);
  const { hash } = await wallet.simpleSendTx({ address: await wallet.address(), value: 1 });
  const giveUp = new AbortController();
  const waits = wallet.waitForTransaction(hash, { confirmations: 2, signal: giveUp.signal });
  giveUp.abort(new Error("no patience"));
  await assert.rejects(waits, { message: "no patience" });
  const confirmed = wallet.waitForTransaction(hash, { confirmations: 2 });
  await devnet.control("blocks", { count: 3 });
  assert.equal((await confirmed).tx_id, hash);
  assert.ok((await wallet.confirmations(hash)) >= 2);
});

/** A store that keeps its entries here. */
const storeOf = (entries) => ({
  open: () => ({
    load: () => entries,
    write(more, anew) {
      if (anew) entries.clear();
      for (const [key, bytes] of more) entries.set(key, bytes);
    },
    close() {},
  }),
});

test("a request with an idempotency key is carried out once, also after a restart", async () => {
  const entries = new Map();
  const store = storeOf(entries);
  const seed = generateMnemonic();
  const first = await funded(100, { seed, store });
  const request = { address: await first.address(), value: 7 };
  const options = { idempotencyKey: "order 7" };
  const [one, two] = [await first.simpleSendTx(request, options), await first.simpleSendTx({ ...request, value: 7n }, options)];
  assert.equal(one.hash, two.hash);
  await rejects(first.simpleSendTx({ ...request, value: 8 }, options), "IDEMPOTENCY_KEY_TAKEN");
  await first.stop();
  const again = await start({ seed, store });
  assert.equal((await again.simpleSendTx(request, options)).hash, one.hash);
  assert.notEqual((await again.simpleSendTx(request, { idempotencyKey: "order 8" })).hash, one.hash);
  await again.stop();
  // What was pushed for the key can't be read any more: it may have been paid, so nothing is paid again.
  entries.get("push-0")[60] ^= 1;
  const damaged = await start({ seed, store });
  await rejects(damaged.simpleSendTx(request, options), "STORE");
});

test("a key is carried out once, also while its first request is under way", async () => {
  for (const store of [undefined, storeOf(new Map())]) {
    const wallet = await funded(1_000, { store });
    const to = await (await start()).address();
    const sent = async () => (await wallet.history()).filter(({ outputs }) => outputs.some((output) => output.value === 7n)).length;
    const request = { address: to, value: 7 };
    const giveUp = new AbortController();
    const first = wallet.simpleSendTx(request, { idempotencyKey: "order", signal: giveUp.signal });
    giveUp.abort(new Error("no patience"));
    const again = [1, 2, 3].map(() => wallet.simpleSendTx(request, { idempotencyKey: "order" }));
    const other = wallet.simpleSendTx({ ...request, value: 8 }, { idempotencyKey: "order" });
    await assert.rejects(first, { message: "no patience" });
    const hashes = new Set((await Promise.all(again)).map(({ hash }) => hash));
    assert.equal(hashes.size, 1);
    await rejects(other, "IDEMPOTENCY_KEY_TAKEN");
    assert.equal(await sent(), 1);
    const tokens = await Promise.all([1, 2].map(() => wallet.createToken({ name: "Once", symbol: "ONE", amount: 100 }, { idempotencyKey: "token" })));
    assert.equal(tokens[0].hash, tokens[1].hash);
  }
});

test("two wallets of the same words share what they spend", async () => {
  const seed = generateMnemonic();
  const one = await funded(100, { seed });
  const two = await start({ seed });
  const to = await (await start()).address();
  const paid = await Promise.all([one, two].map((wallet) => wallet.simpleSendTx({ address: to, value: 10 })));
  assert.notEqual(paid[0].hash, paid[1].hash);
  const spent = paid.flatMap(({ inputs }) => inputs.map(({ hash, index }) => `${hash}:${index}`));
  assert.equal(new Set(spent).size, spent.length);
});

test("a multisig wallet sends what enough of its participants have signed", async () => {
  const seeds = [generateMnemonic(), generateMnemonic(), generateMnemonic()];
  const multisig = { pubkeys: seeds.map((seed) => Account.multisigXpub(seed)), numSignatures: 2 };
  const one = await funded(100, { seed: seeds[0], multisig });
  const two = await start({ seed: seeds[2], multisig });
  assert.deepEqual(await one.addresses(), await two.addresses());
  assert.deepEqual(await two.balance(), { available: 100n, locked: 0n });
  await rejects(one.sendTx({ outputs: [{ address: await one.address(), value: 1 }] }), "MULTISIG");

  const single = await start();
  const { txHex } = await one.proposeTx({ outputs: [{ address: await single.address(), value: 30 }] });
  assert.equal((await two.decodeTx(txHex)).success, true);
  const signatures = [await one.mySignatures(txHex), await two.mySignatures(txHex)];
  await rejects(two.signAndPush({ txHex, signatures: signatures.slice(1) }), "INVALID_SIGNATURES");
  await rejects(single.mySignatures(txHex), "NOT_MULTISIG");
  assert.equal((await two.signProposal({ txHex, signatures })).success, true);
  const paid = single.once("balance");
  const { hash } = await two.signAndPush({ txHex, signatures });
  assert.deepEqual(await paid, { token: "00", available: 30n, locked: 0n });
  assert.equal((await single.transaction(hash)).tx_id, hash);
});

test("a contract is made, bet on, decided and paid by templates", async () => {
  const wallet = await funded(1_000);
  const BET = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";
  const set = (name, value) => ({ type: "action/setvar", name, value });
  const asked = (name, method, more) => ({ type: "action/setvar", name, call: { method, ...more } });
  const execute = (method, args, actions = []) => ({ type: "nano/execute", id: "{contract}", method, caller: "{me}", args, actions });
  const run = async (...instructions) => {
    const me = asked("me", "get_wallet_address", { index: 0 });
    const { hash } = await wallet.runTemplate({ template: [me, ...instructions] });
    const news = wallet.events("tx");
    await devnet.control("blocks");
    for await (const { tx } of news) if (tx.tx_id === hash && tx.nc_execution !== "pending") break;
    assert.equal((await wallet.transaction(hash)).nc_execution, "success");
    return hash;
  };
  const oracle = asked("oracle", "get_oracle_script", { index: 0 });
  const contract = await run(oracle, set("contract", BET), execute("initialize", ["{oracle}", "00", 4_000_000_000]));
  await run(set("contract", contract), execute("bet", ["{me}", "1x0"], [{ action: "deposit", amount: 100n }]));
  assert.deepEqual(await wallet.balance(), { available: 900n, locked: 0n });
  const said = asked("result", "get_oracle_signed_data", { index: 0, ncId: "{contract}", type: "SignedData[str]", data: "1x0" });
  await run(set("contract", contract), said, execute("set_result", ["{result}"]));
  const withdraw = [set("contract", contract), execute("withdraw", [], [{ action: "withdrawal", amount: 100 }])];
  const dry = await wallet.runTemplate({ template: [asked("me", "get_wallet_address"), ...withdraw] }, { dryRun: true });
  assert.deepEqual([dry.dry_run, dry.inputs, dry.outputs[0].value], [true, [], 100n]);
  await run(...withdraw);
  assert.deepEqual(await wallet.balance(), { available: 1_000n, locked: 0n });
  await rejects(wallet.runTemplate({ template: [set("me", await wallet.address()), set("contract", contract), execute("bet", [])] }), "INVALID_INPUT");
});

test("two wallets swap amounts in one transaction", async () => {
  const [ana, bob] = await Promise.all([funded(100), funded(100)]);
  const { hash: token } = await bob.createToken({ name: "Swapped", symbol: "SWP", amount: 500 });
  const first = await ana.proposeSwap({ send: { tokens: [{ value: 10 }] }, receive: { tokens: [{ token, value: 30n }] } });
  assert.equal(first.isComplete, false);
  assert.equal((await ana.lockedUtxos()).length, 1);
  await rejects(ana.mySwapSignatures(first.data), "INVALID_SWAP");
  await rejects(bob.proposeSwap({ partialTx: "PartialTx|", receive: { tokens: [{ value: 1 }] } }), "INVALID_INPUT");
  const { data: partialTx, isComplete } = await bob.proposeSwap({
    partialTx: first.data,
    send: { tokens: [{ token, value: 30 }] },
    receive: { tokens: [{ value: 10, address: await bob.address() }] },
  });
  assert.equal(isComplete, true);
  const { balance } = await ana.decodeTx({ partialTx });
  assert.deepEqual([balance["00"].tokens.available, balance[token].tokens.available], [-10n, 30n]);
  const signatures = [await ana.mySwapSignatures(partialTx), await bob.mySwapSignatures(partialTx)];
  const { txHex } = await ana.signSwap({ partialTx, signatures });
  const together = await ana.swapInputData(txHex);
  assert.equal((await ana.signAndPushSwap({ partialTx, signatures: [together] }, { dryRun: true })).dry_run, true);
  const [sent, again] = [
    await ana.signAndPushSwap({ partialTx, signatures }, { idempotencyKey: "swap" }),
    await ana.signAndPushSwap({ partialTx, signatures }, { idempotencyKey: "swap" }),
  ];
  assert.equal(sent.hash, again.hash);
  assert.deepEqual([(await ana.balance()).available, (await ana.balance(token)).available], [90n, 30n]);
  await bob.waitForTransaction(sent.hash);
  assert.deepEqual([await ana.lockedUtxos(), await bob.lockedUtxos()], [[], []]);
  const left = await ana.proposeSwap({ send: { tokens: [{ value: 1 }] } });
  await ana.unlockSwap(left.data);
  assert.deepEqual(await ana.lockedUtxos(), []);
});

test("a proposal is signed as the wallet left it, or as it is if that is asked for", async () => {
  const [ana, bob] = await Promise.all([funded(100), start()]);
  const first = await ana.proposeSwap({ send: { tokens: [{ value: 10 }] } });
  const whole = await ana.proposeSwap({ partialTx: first.data, receive: { tokens: [{ value: 10 }] } });
  assert.match(await ana.mySwapSignatures(whole.data), /^PartialTxInputData\|/);
  // What ana was to get is bob's.
  const { data: partialTx, isComplete } = await bob.proposeSwap({ partialTx: first.data, receive: { tokens: [{ value: 10 }] } });
  assert.equal(isComplete, true);
  await rejects(ana.mySwapSignatures(partialTx), "SWAP_CHANGED");
  assert.match(await ana.mySwapSignatures({ partialTx, asIs: true }), /^PartialTxInputData\|/);
});

test("a swap service keeps proposals that it can't read", async () => {
  const kept = new Map();
  const service = createServer(async (request, response) => {
    const answer = (status, body) => response.writeHead(status).end(JSON.stringify(body));
    const body = JSON.parse((await request.toArray()).join("") || "{}");
    if (request.method === "POST") {
      kept.set("one", { id: "one", version: 0, timestamp: "now", signatures: null, history: [], ...body });
      return answer(200, { success: true, id: "one" });
    }
    // As the real one does, which minds the case of the header's name.
    const at = request.rawHeaders.indexOf("X-Auth-Password");
    if (at < 0) return answer(400, { code: "INVALID_PASSWORD", errorMessage: "Invalid password" });
    const proposal = kept.get(request.url.slice(1));
    if (!proposal) return answer(404, { code: "PROPOSAL_NOT_FOUND", errorMessage: "Proposal not found" });
    if (proposal.authPassword !== request.rawHeaders[at + 1]) return answer(403, { code: "INCORRECT_PASSWORD", errorMessage: "Incorrect password" });
    return answer(200, proposal);
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const swapServiceUrl = `http://127.0.0.1:${service.address().port}`;
  const sockets = new WebSocketServer({ server: service });
  const heard = [];
  sockets.on("connection", (socket) => socket.on("message", (text) => {
    const { type, proposalId } = JSON.parse(text);
    if (type === "ping") return socket.send(JSON.stringify({ type: "pong" }));
    heard.push([type, proposalId]);
    if (type === "subscribe_proposal") socket.send(JSON.stringify({ type: "proposal_updated", id: proposalId, version: 7 }));
  }));
  try {
    const [ana, bob] = [await funded(100, { swapServiceUrl }), await start({ swapServiceUrl })];
    assert.equal(sockets.clients.size, 0);
    const changed = ana.once("swap");
    const password = "secret";
    const { data, createdProposalId } = await ana.proposeSwap({ send: { tokens: [{ value: 5 }] }, service: { isNew: true, password } });
    assert.equal(createdProposalId, "one");
    assert.deepEqual([await changed, heard], [{ proposalId: "one", version: 7 }, [["subscribe_proposal", "one"]]]);
    assert.doesNotMatch(JSON.stringify([...kept.values()]), /PartialTx\||secret/);
    assert.deepEqual([await ana.swapProposals(), await bob.swapProposals()], [["one"], []]);
    await rejects(bob.registerSwapProposal({ proposalId: "one", password: "another" }), "INVALID_INPUT");
    const bobIsTold = bob.once("swap");
    await bob.registerSwapProposal({ proposalId: "one", password });
    await bobIsTold;
    const { partialTx, version, history } = await bob.swapProposal("one");
    assert.deepEqual([partialTx, version, history], [data, 0, []]);
    const [socket] = [...sockets.clients].slice(-1);
    await bob.deleteSwapProposal("one");
    assert.deepEqual(await bob.swapProposals(), []);
    await (socket.readyState === socket.CLOSED || once(socket, "close"));
    assert.equal(sockets.clients.size, 1);
  } finally {
    sockets.close();
    sockets.clients.forEach((socket) => socket.terminate());
    service.close();
  }
  const none = await start();
  await rejects(none.registerSwapProposal({ proposalId: "one", password: "secret" }), "INVALID_INPUT");
});

test("outputs are set aside and given back, and what is built elsewhere is found out about", async () => {
  const wallet = await funded(50);
  const { txHex, dataToSignHash } = await wallet.buildTx({ outputs: [{ address: await wallet.address(), value: 50 }] });
  assert.match(dataToSignHash, /^[0-9a-f]{64}$/);
  assert.deepEqual(await wallet.walletInputs(txHex), {
    success: true,
    inputs: [{ inputIndex: 0, addressIndex: 0, addressPath: "m/44'/280'/0'/0/0" }],
  });
  await rejects(wallet.pushTx(txHex), "NOT_SIGNED");
  const none = await wallet.inputData({ index: 0, signature: WRONG_SIGNATURE });
  await rejects(wallet.addSignatures({ txHex, signatures: [{ index: 0, data: none.inputData }] }), "INVALID_SIGNATURES");
  await rejects(wallet.addressInfo(STRANGER), "ADDRESS_NOT_MINE");
  await wallet.lockUtxos(txHex, { ttl: 60_000 });
  const all = { address: await wallet.address(), value: 50 };
  await rejects(wallet.simpleSendTx(all), "INSUFFICIENT_FUNDS");
  await wallet.unlockUtxos(txHex);
  assert.equal((await wallet.simpleSendTx(all)).inputs.length, 1);
});

test("the addresses between two indexes are watched, and more of them on request", async () => {
  const wallet = await start({ indexLimit: { first: 2, last: 4 } });
  assert.equal((await wallet.addresses()).length, 3);
  await wallet.loadMoreAddresses(2);
  assert.equal(await wallet.lastLoadedAddressIndex(), 6);
  await wallet.loadAddressesTo(9);
  assert.equal((await wallet.addresses()).length, 8);
  await rejects(start({ indexLimit: { last: 4 }, gapLimit: 20 }), "INVALID_INPUT");
  await rejects((await start()).loadMoreAddresses(1), "INVALID_INPUT");
});

test("events come one by one, until the loop is left, given up or the wallet stopped", async () => {
  const wallet = await funded(100);
  const events = wallet.events("tx");
  const { hash } = await wallet.simpleSendTx({ address: await wallet.address(), value: 1 });
  for await (const { tx } of events) {
    assert.equal(tx.tx_id, hash);
    break;
  }
  assert.deepEqual(await events.next(), { done: true, value: undefined });
  const giveUp = new AbortController();
  const next = wallet.events("tx", { signal: giveUp.signal }).next();
  giveUp.abort(new Error("enough"));
  await assert.rejects(next, { message: "enough" });
  const last = wallet.events("tx").next();
  await wallet[Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]();
  assert.deepEqual(await last, { done: true, value: undefined });
  // What is asked after the end has ended.
  assert.deepEqual(await wallet.events("tx").next(), { done: true, value: undefined });
  await rejects(wallet.once("balance"), "STOPPED");
});

test("what is waited for ends with the wallet, and what makes no sense is not waited for", async () => {
  const wallet = await start();
  await assert.rejects(wallet.waitForTransaction("xyz"), { code: "INVALID_INPUT", field: "id" });
  const waits = [wallet.waitForTransaction("ab".repeat(32)), wallet.once("tx")];
  const events = wallet.events("balance");
  const nexts = [events.next(), events.next()];
  await devnet.control("fund", { address: await wallet.address(), amount: 5 });
  assert.equal((await nexts[0]).value.available, 5n);
  await waits.pop();
  const ends = [...waits, wallet.once("tx")].map((wait) => rejects(wait, "STOPPED"));
  await wallet.stop();
  assert.deepEqual(await nexts[1], { done: true, value: undefined });
  await Promise.all(ends);
});

test("a start can be given up, and a wallet is not made by `new`", async () => {
  const stopped = AbortSignal.abort(new Error("not now"));
  await assert.rejects(start({ signal: stopped }), { message: "not now" });
  // A node that never answers: the start waits for it, and nothing goes on once it is given up.
  const giveUp = new AbortController();
  const waits = start({ signal: giveUp.signal });
  giveUp.abort(new Error("too long"));
  await assert.rejects(waits, { message: "too long" });
  assert.throws(() => new Wallet(), { code: "INVALID_INPUT", message: "a wallet is made by `await Wallet.start(options)`, not by `new`" });
});

test("an error says what is lacking, and what it comes from", async () => {
  const wallet = await funded(50);
  const address = await wallet.address();
  const lacking = async (promise) => {
    const { code, need, have, token } = await promise.catch((error) => error);
    return { code, need, have, token };
  };
  const code = "INSUFFICIENT_FUNDS";
  assert.deepEqual(await lacking(wallet.simpleSendTx({ address, value: 60 })), { code, need: 60n, have: 50n, token: "00" });
  assert.deepEqual(await lacking(wallet.createToken({ name: "Much", symbol: "M", amount: 10_000 })), { code, need: 100n, have: 50n, token: "00" });
  assert.deepEqual(await lacking(wallet.simpleSendTx({ address: "x", value: 1 })), {
    code: "INVALID_INPUT", need: undefined, have: undefined, token: undefined,
  });
  const away = await start({ miningUrl: "http://127.0.0.1:9/" });
  const paid = away.once("balance");
  await devnet.control("fund", { address: await away.address(), amount: 5 });
  await paid;
  const error = await away.simpleSendTx({ address, value: 1 }).catch((error) => error);
  assert.equal(error.code, "MINING_UNREACHABLE");
  assert.ok(error.cause instanceof Error);
  assert.match(error.cause.message, /^TypeError: fetch failed/);
  assert.ok(error.message.includes(error.cause.message), error.message);
});

test("an error has the line of its caller", async () => {
  const wallet = await start();
  const error = await wallet.sendTx({ outputs: [] }).catch((error) => error);
  assert.match(error.stack, /^InputError: outputs must be an array of at least one output\n +at .*package-operations\.test\.mjs:\d+/);
});

test("amounts are read and written, and JSON has integers of any size", () => {
  assert.deepEqual(["1.23", "-0.05", "7", "92233720368547758.07"].map((text) => parseUnits(text)), [123n, -5n, 700n, 2n ** 63n - 1n]);
  assert.deepEqual([123n, -5n, 700, 2n ** 63n - 1n].map((units) => formatUnits(units)), ["1.23", "-0.05", "7.00", "92233720368547758.07"]);
  assert.deepEqual([parseUnits("5", 0), formatUnits(5n, 0), formatUnits(5n, 3)], [5n, "5", "0.005"]);
  for (const wrong of ["", "1,5", "1.234", ".5", "1e3", 5, null]) assert.throws(() => parseUnits(wrong), { code: "INVALID_INPUT", field: "amount" });
  const value = { small: 5, large: 2n ** 63n, text: "int 5: 9007199254740993", list: [1.5, -9007199254740993n] };
  const text = '{"small":5,"large":9223372036854775808,"text":"int 5: 9007199254740993","list":[1.5,-9007199254740993]}';
  assert.equal(stringifyJson(value), text);
  assert.deepEqual(parseJson(text), value);
  assert.throws(() => parseJson("{"), { code: "INVALID_INPUT", field: "text" });
});
