// What each transaction of the history did to the wallet, and what else programs had to work out by themselves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PKG } from "./support/package.mjs";
import { devnet, start } from "./support/wallets.mjs";

const { generateMnemonic } = await import(`${PKG}/node.mjs`);

const NOTHING = { deposit: 0n, fee: 0n, data: 0n, total: 0n };
const HTR = "00";

test("a history entry says what the transaction did to the wallet", async () => {
  const seed = generateMnemonic();
  const wallet = await start({ seed });
  const other = await start();
  const funded = wallet.once("tx");
  await devnet.control("fund", { address: await wallet.address(), amount: 1_000 });
  const { tx } = await funded;
  const [place] = tx.effect.ownOutputs;
  assert.equal(tx.outputs[place].value, 1_000n);
  assert.deepEqual(tx.effect, {
    direction: "received",
    kind: "payment",
    net: { [HTR]: 1_000n },
    cost: NOTHING,
    ownInputs: [],
    ownOutputs: [place],
    changeOutputs: [],
  });

  const paid = await wallet.sendTx({ outputs: [{ address: await other.address(), value: 30 }], changeAddress: await wallet.address() });
  const sent = await wallet.transaction(paid.hash);
  const change = sent.outputs.findIndex(({ value }) => value === 970n);
  assert.deepEqual(sent.effect, {
    direction: "sent",
    kind: "payment",
    net: { [HTR]: -30n },
    cost: NOTHING,
    ownInputs: [0],
    ownOutputs: [change],
    changeOutputs: [change],
  });

  const moved = await wallet.sendTx({ outputs: [{ address: await wallet.address(), value: 970 }] });
  const { direction, net, ownOutputs, changeOutputs } = (await wallet.transaction(moved.hash)).effect;
  assert.deepEqual([direction, net, ownOutputs, changeOutputs], ["self", { [HTR]: 0n }, [0], []]);

  const made = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 5_000 });
  const uid = made.hash;
  const creation = (await wallet.transaction(uid)).effect;
  assert.deepEqual([creation.kind, creation.direction, creation.net], ["creation", "self", { [HTR]: -50n, [uid]: 5_000n }]);
  assert.deepEqual(creation.cost, { deposit: 50n, fee: 0n, data: 0n, total: 50n });

  const nft = await wallet.createNft({ name: "Cup", symbol: "CUP", amount: 1, data: "ipfs://cup" });
  const ofNft = (await wallet.transaction(nft.hash)).effect;
  assert.deepEqual([ofNft.kind, ofNft.net], ["nft", { [HTR]: -2n, [nft.hash]: 1n }]);
  assert.deepEqual(ofNft.cost, { deposit: 1n, fee: 0n, data: 1n, total: 2n }, "this wallet knows that it has a deposit");

  const minted = await wallet.mintTokens({ token: uid, amount: 200 });
  const melted = await wallet.meltTokens({ token: uid, amount: 1_200 });
  const wrote = await wallet.sendTx({ outputs: [{ type: "data", data: "hello" }] });
  const effects = await Promise.all([minted, melted, wrote].map(async ({ hash }) => (await wallet.transaction(hash)).effect));
  assert.deepEqual(
    effects.map(({ kind, direction, net, cost }) => ({ kind, direction, net, cost })),
    [
      { kind: "mint", direction: "self", net: { [HTR]: -2n, [uid]: 200n }, cost: { deposit: 2n, fee: 0n, data: 0n, total: 2n } },
      { kind: "melt", direction: "self", net: { [HTR]: 12n, [uid]: -1_200n }, cost: { deposit: -12n, fee: 0n, data: 0n, total: -12n } },
      { kind: "data", direction: "self", net: { [HTR]: -1n }, cost: { deposit: 0n, fee: 0n, data: 1n, total: 1n } },
    ],
  );

  const history = await wallet.history();
  assert.deepEqual(history.map(({ effect }) => effect).sort(byKind), (await Promise.all(history.map(({ tx_id }) => wallet.transaction(tx_id)))).map(({ effect }) => effect).sort(byKind));
  const { available } = await wallet.balance();
  assert.equal(history.reduce((sum, { effect }) => sum + (effect.net[HTR] ?? 0n), 0n), available, "the balance is the sum of all");

  // A wallet that has not created the token has not learned how it is paid for: a cent can be its deposit or its fee. (Beside the first one
  // it would know what that one knows.)
  await wallet.stop();
  const again = await start({ seed });
  assert.equal((await again.transaction(nft.hash)).effect.cost, null);
  assert.deepEqual((await again.transaction(uid)).effect.cost, creation.cost);
});

const byKind = (one, other) => JSON.stringify(one, bigint).localeCompare(JSON.stringify(other, bigint));
const bigint = (_, value) => (typeof value === "bigint" ? `${value}` : value);

test("what fee tokens cost is told from deposits", async () => {
  const wallet = await start();
  const other = await start();
  const funded = wallet.once("balance");
  await devnet.control("fund", { address: await wallet.address(), amount: 1_000 });
  await funded;
  const { hash: token } = await wallet.createToken({ name: "Fee", symbol: "FEE", amount: 1_000, version: 2 });
  assert.deepEqual((await wallet.transaction(token)).effect.cost, { deposit: 0n, fee: 1n, data: 0n, total: 1n });
  const sent = await wallet.sendTx({ outputs: [{ address: await other.address(), value: 10, token }] });
  const { net, cost } = (await wallet.transaction(sent.hash)).effect;
  assert.deepEqual([net, cost], [{ [HTR]: -2n, [token]: -10n }, { deposit: 0n, fee: 2n, data: 0n, total: 2n }]);
});

test("a wallet says which rights it has, and what an NFT is", async () => {
  const wallet = await start();
  const other = await start();
  const funded = wallet.once("balance");
  await devnet.control("fund", { address: await wallet.address(), amount: 1_000 });
  await funded;
  const { hash: token } = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 100, createMelt: false });
  const nft = await wallet.createNft({ name: "Cup", symbol: "CUP", amount: 2, data: "ipfs://cup", createMelt: true });
  assert.deepEqual(await wallet.authorities(token), { mint: 1, melt: 0 });
  assert.deepEqual(await wallet.authorities(nft.hash), { mint: 0, melt: 1 });
  assert.deepEqual(await other.authorities(nft.hash), { mint: 0, melt: 0 });
  assert.deepEqual(await wallet.authorities(HTR), { mint: 0, melt: 0 });
  assert.equal((await other.token(nft.hash)).nftData, "ipfs://cup");
  assert.equal((await other.token(token)).nftData, null);
  assert.equal((await other.token(HTR)).nftData, null);
});

test("a swap and the calls of a contract say what they are", async () => {
  const [wallet, other] = [await start(), await start()];
  for (const each of [wallet, other]) {
    const funded = each.once("balance");
    await devnet.control("fund", { address: await each.address(), amount: 1_000 });
    await funded;
  }
  const { hash: token } = await other.createToken({ name: "Coffee", symbol: "CFE", amount: 100 });
  const offer = await wallet.proposeSwap({ send: { tokens: [{ value: 30 }] }, receive: { tokens: [{ value: 7, token }] } });
  const { data } = await other.proposeSwap({
    partialTx: offer.data,
    send: { tokens: [{ value: 7, token }] },
    receive: { tokens: [{ value: 30 }] },
  });
  const signatures = [await wallet.mySwapSignatures(data), await other.mySwapSignatures(data)];
  const swapped = await wallet.signAndPushSwap({ partialTx: data, signatures });
  const swap = await wallet.transaction(swapped.hash);
  assert.deepEqual([swap.effect.kind, swap.effect.net, swap.nc_execution], ["swap", { [HTR]: -30n, [token]: 7n }, undefined]);

  const blueprint = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";
  const address = await wallet.address({ index: 1 });
  const { hash: contract } = await wallet.createContract({
    blueprintId: blueprint,
    address,
    data: { args: [await wallet.oracleData(address), HTR, 4_000_000_000] },
  });
  const execution = async (id) => (await wallet.transaction(id)).nc_execution;
  assert.equal(await execution(contract), "pending");
  /** Mines a block that executes the call. */
  const mine = async (id) => {
    const news = wallet.events("tx");
    await devnet.control("blocks");
    for await (const { tx } of news) if (tx.tx_id === id && tx.nc_execution !== "pending") break;
  };
  await mine(contract);
  const deposit = { type: "deposit", token: HTR, amount: 100 };
  const bet = await wallet.executeContract({ ncId: contract, method: "bet", address, data: { args: [address, "1x0"], actions: [deposit] } });
  await mine(bet.hash);
  // There is no result yet.
  const withdrawal = { type: "withdrawal", token: HTR, amount: 100, address };
  const early = await wallet.executeContract({ ncId: contract, method: "withdraw", address, data: { actions: [withdrawal] } });
  await mine(early.hash);
  const calls = await Promise.all([contract, bet.hash, early.hash].map((id) => wallet.transaction(id)));
  assert.deepEqual(
    calls.map(({ effect, nc_execution, is_voided }) => [effect.kind, effect.net[HTR], nc_execution, is_voided]),
    [
      ["call", undefined, "success", false],
      ["call", -100n, "success", false],
      ["call", 100n, "failure", true],
    ],
  );
});
