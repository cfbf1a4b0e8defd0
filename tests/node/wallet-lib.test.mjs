// The reference wallet library, as published, lives on the local network: it starts a wallet, receives, sends and
// creates a token. What it accepts as a full node and mining service, other wallets will accept too. And it is one of two
// participants of a multisig wallet whose other one is the wallet server.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import hathorLib from '@hathor/wallet-lib';
import { WebSocketServer } from 'ws';

const {
  AtomicSwapServiceConnection, HathorWallet, Connection, PartialTxProposal, config, cryptoUtils, helpersUtils, swapService, tokensUtils, walletUtils,
} = hathorLib;

const BINARY = process.env.WALLET_BINARY
  ?? fileURLToPath(new URL('../../target/debug/headless-wallet', import.meta.url));
const GENESIS_WORDS = 'avocado spot town typical traffic vault danger century property shallow divorce festival '
  + 'spend attack anchor afford rotate green audit adjust fade wagon depart level';
const PASSWORDS = { password: 'secret', pinCode: '123456' };
const QUIET = Object.fromEntries(['debug', 'info', 'warn', 'error', 'log'].map((level) => [level, () => {}]));

// The library's queue re-arms a timer for ever, even after `stop`: its timers must not keep this process alive. While
// they matter the local network's process does.
for (const name of ['setTimeout', 'setInterval']) {
  const original = globalThis[name];
  globalThis[name] = (...args) => original(...args).unref();
}

let devnet;
let nodePort;
let miningPort;
const wallets = [];

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until `probe` gives something. */
async function eventually(what, probe) {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    const found = await probe();
    if (found) return found;
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  throw new Error(`${what}: it came to nothing`);
}

async function control(path, body) {
  const response = await fetch(`http://127.0.0.1:${nodePort}/devnet/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

async function startWallet(words, multisig = null) {
  const connection = new Connection({
    network: 'privatenet',
    servers: [`http://127.0.0.1:${nodePort}/v1a/`],
    logger: QUIET,
  });
  const wallet = new HathorWallet({ seed: words, multisig, connection, ...PASSWORDS, logger: QUIET });
  wallets.push(wallet);
  await wallet.start();
  await eventually('the wallet is ready', () => wallet.isReady());
  return wallet;
}

/** A wallet server that has the words of one participant, as `mine`, and how to ask it. */
async function startServer(words, pubkeys, settings = {}) {
  const server = spawn(BINARY, [
    'serve', '--http-port', '0', '--network', 'privatenet',
    '--server', `http://127.0.0.1:${nodePort}/v1a/`, '--tx-mining-url', `http://127.0.0.1:${miningPort}/`,
  ], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HEADLESS_CONSOLE_LEVEL: 'warn',
      HEADLESS_SEEDS: 'mine',
      HEADLESS_SEED_MINE: words,
      HEADLESS_MULTISIG_SEED_MINE_MAX_SIGNATURES: `${pubkeys.length}`,
      HEADLESS_MULTISIG_SEED_MINE_NUM_SIGNATURES: '2',
      HEADLESS_MULTISIG_SEED_MINE_PUBKEYS: pubkeys.join(' '),
      ...settings,
    },
  });
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const [url] = line.match(/http:\/\/127\.0\.0\.1:\d+/);
  const ask = async (path, body) => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-wallet-id': 'ours', 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return response.json();
  };
  const stop = () => {
    server.kill();
    return once(server, 'exit');
  };
  /** What a wallet's listener is told of proposals at the swap service. */
  const swapNews = async () => {
    const { body } = await fetch(`${url}/wallet/events`, { headers: { 'x-wallet-id': 'ours' } });
    const lines = createInterface({ input: Readable.fromWeb(body) });
    const told = [];
    lines.on('line', (line) => {
      const event = line.startsWith('data: ') && JSON.parse(line.slice(6));
      if (event.type === 'wallet:update-atomic-swap-proposal') told.push(event.data);
    });
    // The server ends it.
    lines.on('error', () => {});
    return told;
  };
  return { ask, swapNews, stop };
}

/** Available amount of a token. */
async function balance(wallet, token = '00') {
  const [entry] = await wallet.getBalance(token);
  return entry.balance.unlocked;
}

before(async () => {
  nodePort = await freePort();
  miningPort = await freePort();
  devnet = spawn(BINARY, [
    'devnet', '--node-port', nodePort, '--mining-port', miningPort, '--block-interval', '1000',
  ], { stdio: ['ignore', 'ignore', 'inherit'] });
  await eventually('the local network answers', () => {
    assert.equal(devnet.exitCode, null, `${BINARY} devnet ended`);
    return fetch(`http://127.0.0.1:${nodePort}/v1a/version`).then((response) => response.ok, () => false);
  });
  config.setTxMiningUrl(`http://127.0.0.1:${miningPort}/`);
  config.setServerUrl(`http://127.0.0.1:${nodePort}/v1a/`);
});

after(async () => {
  for (const wallet of wallets) await wallet.stop();
  devnet.kill();
  await once(devnet, 'exit');
});

test('a wallet starts, receives, sends and creates a token', async () => {
  const genesis = await startWallet(GENESIS_WORDS);
  const supply = await balance(genesis);
  assert.ok(supply > 1_000_000n, `${supply}`);

  const words = hathorLib.walletUtils.generateWalletWords(256);
  const wallet = await startWallet(words);
  assert.equal(await balance(wallet), 0n);

  const { address } = await wallet.getCurrentAddress();
  await control('fund', { address, amount: 1_000 });
  await eventually('the funds arrive', async () => await balance(wallet) === 1_000n);

  // A transaction must be later, in whole seconds, than what it confirms and spends, and the library takes no care of that.
  const secondIsOver = async (hash) => {
    const { timestamp } = await wallet.getTx(hash);
    await eventually('its second is over', () => Math.floor(Date.now() / 1000) > timestamp);
  };
  const [{ txId: funds }] = await wallet.getTxHistory();
  await secondIsOver(funds);
  const sent = await genesis.sendTransaction(address, 234n, { pinCode: PASSWORDS.pinCode });
  assert.match(sent.hash, /^[0-9a-f]{64}$/);
  await eventually('the payment arrives', async () => await balance(wallet) === 1_234n);
  await eventually('the change is back', async () => await balance(genesis) === supply - 234n);

  await secondIsOver(sent.hash);
  const created = await wallet.createNewToken('Test Coin', 'TEST', 10_000n, { pinCode: PASSWORDS.pinCode });
  await eventually('the tokens are there', async () => await balance(wallet, created.hash) === 10_000n);
  await eventually('the deposit is paid', async () => await balance(wallet) === 1_134n);
  const details = await wallet.getTokenDetails(created.hash);
  assert.deepEqual(details, {
    totalSupply: 10_000n,
    totalTransactions: 1,
    tokenInfo: { id: created.hash, name: 'Test Coin', symbol: 'TEST', version: 1 },
    authorities: { mint: true, melt: true },
  });
  assert.ok(tokensUtils.isConfigurationStringValid(
    tokensUtils.getConfigurationString(created.hash, 'Test Coin', 'TEST'),
  ));

  await eventually('a block confirms it', async () => {
    const response = await fetch(`http://127.0.0.1:${nodePort}/v1a/transaction?id=${created.hash}`);
    return (await response.json()).meta.first_block;
  });
});

test('the library and the server verify what the other has signed', async () => {
  const words = walletUtils.generateWalletWords(256);
  const { ask, stop } = await startServer(words, [walletUtils.getMultiSigXPubFromWords(words), walletUtils.getMultiSigXPubFromWords(GENESIS_WORDS)]);
  try {
    const theirs = await startWallet(words);
    assert.deepEqual(await ask('/start', { 'wallet-id': 'ours', seedKey: 'mine' }), { success: true });
    await eventually('the wallet is ready', async () => (await ask('/wallet/status')).statusCode === 3);
    for (const [index, message] of ['hello', '', 'mensagem com acentuação 🚀', 'x'.repeat(253), '\0\n', 'y'.repeat(16_384)].entries()) {
      const address = await theirs.getAddressAtIndex(index);
      const ours = await ask('/wallet/sign-message', { message, address });
      assert.deepEqual({ ...ours, signature: null }, { success: true, message, signature: null, address, index });
      assert.equal(cryptoUtils.verifyMessage(message, ours.signature, address), true);
      assert.equal(cryptoUtils.verifyMessage(`z${message.slice(1)}`, ours.signature, address), false);

      // One in some hundreds the library writes without the leading zero of a number, and can't read it itself.
      let signature;
      do {
        signature = await theirs.signMessageWithAddress(message, index, PASSWORDS.pinCode);
      } while (Buffer.from(signature, 'base64').length !== 65);
      const verify = (changed) => ask('/wallet/verify-message', { message, address, signature, ...changed });
      assert.deepEqual(await verify({}), { success: true, valid: true });
      const flipped = Buffer.from(signature, 'base64');
      flipped[1 + 7 * index] ^= 1 << index;
      const others = [
        { message: `z${message.slice(1)}` }, { address: await theirs.getAddressAtIndex(index + 1) }, { signature: flipped.toString('base64') },
      ];
      for (const other of others) assert.deepEqual(await verify(other), { success: true, valid: false }, JSON.stringify(other));
    }
  } finally {
    await stop();
  }
});

/**
 * A swap service: it keeps what it is given, shows it to those who know the hash of its password, and tells of changes those
 * who have subscribed to them.
 */
async function startSwapService() {
  const kept = new Map();
  const subscribers = new Map();
  const service = createHttpServer(async (request, response) => {
    const answer = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const body = JSON.parse((await request.toArray()).join('') || '{}');
    if (request.method === 'POST') {
      const id = `00000000-0000-4000-8000-${`${kept.size}`.padStart(12, '0')}`;
      kept.set(id, { ...body, id, version: 0, timestamp: new Date().toString(), signatures: null, history: [] });
      return answer(200, { success: true, id });
    }
    const refuse = (status, code, errorMessage) => answer(status, { code, errorMessage });
    // As the real one does, which minds the case of the header's name.
    const at = request.rawHeaders.indexOf('X-Auth-Password');
    if (at < 0) return refuse(400, 'INVALID_PASSWORD', 'Invalid password');
    const proposal = kept.get(request.url.slice(1));
    if (!proposal) return refuse(404, 'PROPOSAL_NOT_FOUND', 'Proposal not found');
    if (request.rawHeaders[at + 1] !== proposal.authPassword) return refuse(403, 'INCORRECT_PASSWORD', 'Incorrect password');
    if (request.method === 'GET') return answer(200, { ...proposal, authPassword: undefined });
    if (body.version !== proposal.version) return refuse(409, 'VERSION_CONFLICT', 'Version conflict');
    const { partialTx, timestamp } = proposal;
    kept.set(proposal.id, { ...proposal, ...body, version: body.version + 1, history: [{ partialTx, timestamp }, ...proposal.history] });
    for (const [socket, ids] of subscribers) {
      if (ids.has(proposal.id)) socket.send(JSON.stringify({ ...kept.get(proposal.id), type: 'proposal_updated', authPassword: undefined }));
    }
    return answer(200, { success: true });
  }).listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ server: service });
  sockets.on('connection', (socket) => {
    const ids = new Set();
    subscribers.set(socket, ids);
    socket.on('close', () => subscribers.delete(socket));
    socket.on('message', (text) => {
      const { type, proposalId } = JSON.parse(text);
      if (type === 'ping') socket.send(JSON.stringify({ type: 'pong' }));
      if (type === 'subscribe_proposal') ids.add(proposalId);
      if (type === 'unsubscribe_proposal') ids.delete(proposalId);
    });
  });
  await once(service, 'listening');
  const subscribed = (id) => [...subscribers.values()].filter((ids) => ids.has(id)).length;
  const stop = () => {
    sockets.clients.forEach((socket) => socket.terminate());
    service.close();
  };
  return { url: `http://127.0.0.1:${service.address().port}`, subscribed, stop };
}

test('the library and the server swap, by text and by a swap service', async () => {
  const service = await startSwapService();
  config.setSwapServiceBaseUrl(service.url);
  const pubkeys = [1, 2].map(() => walletUtils.getMultiSigXPubFromWords(walletUtils.generateWalletWords(256)));
  const { ask, swapNews, stop } = await startServer(walletUtils.generateWalletWords(256), pubkeys, { HEADLESS_ATOMIC_SWAP_SERVICE: service.url });
  const theirConnection = new AtomicSwapServiceConnection({ wsURL: service.url.replace('http', 'ws'), logger: QUIET });
  const swap = (path, body) => ask(`/wallet/atomic-swap/tx-proposal${path}`, body);
  const done = async (path, body) => {
    const answer = await swap(path, body);
    assert.equal(answer.success, true, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  try {
    const theirs = await startWallet(walletUtils.generateWalletWords(256));
    assert.deepEqual(await ask('/start', { 'wallet-id': 'ours', seedKey: 'mine' }), { success: true });
    await eventually('the wallet is ready', async () => (await ask('/wallet/status')).statusCode === 3);
    await control('fund', { address: (await ask('/wallet/address')).address, amount: 1_000 });
    await control('fund', { address: (await theirs.getCurrentAddress()).address, amount: 1_000 });
    const available = async (token) => (await ask(`/wallet/balance?token=${token}`)).available;
    await eventually('both have funds', async () => await available('00') === 1_000 && await balance(theirs) === 1_000n);
    const token = (await ask('/wallet/create-token', { name: 'Swapped', symbol: 'SWP', amount: 500 })).hash;
    const both = (ours, tokens) => eventually(`ours has ${ours} and ${tokens}`, async () => await available('00') === ours
      && await available(token) === tokens && await balance(theirs) === 1_995n - BigInt(ours)
      && await balance(theirs, token) === 500n - BigInt(tokens));

    const [weHeard, theyHeard] = [await swapNews(), []];
    theirConnection.on('update-atomic-swap-proposal', ({ id, version }) => theyHeard.push({ proposalId: id, version }));
    theirConnection.start();
    await once(theirConnection.websocket, 'is_online');

    // They propose, and keep it at the service; we answer there, and send.
    const proposal = new PartialTxProposal(theirs.storage);
    await proposal.addSend('00', 10n);
    await proposal.addReceive(token, 30n);
    const { id } = await swapService.create(proposal.partialTx.serialize(), 'a secret');
    await done(`/register/${id}`, { password: 'a secret' });
    theirConnection.subscribeProposal([id]);
    await eventually('both are subscribed', async () => service.subscribed(id) === 2);
    const fetched = await swap(`/fetch/${id}`);
    assert.deepEqual([fetched.proposal.partialTx, fetched.proposal.version], [proposal.partialTx.serialize(), 0]);
    const { data, isComplete } = await done('', {
      partial_tx: fetched.proposal.partialTx,
      send: { tokens: [{ token, value: 30 }] },
      receive: { tokens: [{ value: 10 }] },
      service: { proposal_id: id, version: 0 },
    });
    assert.equal(isComplete, true);
    await eventually('both are told of it', async () => weHeard.length === 1 && theyHeard.length === 1);
    assert.deepEqual([weHeard, theyHeard], [[{ proposalId: id, version: 1 }], [{ proposalId: id, version: 1 }]]);
    theirConnection.unsubscribeProposal(id);
    await eventually('only we are subscribed', async () => service.subscribed(id) === 1);
    const answered = await swapService.get(id, 'a secret');
    assert.deepEqual([answered.partialTx, answered.version, answered.history.length], [data, 1, 1]);
    const signed = PartialTxProposal.fromPartialTx(answered.partialTx, theirs.storage);
    assert.equal(signed.partialTx.serialize(), data);
    await signed.signData(PASSWORDS.pinCode);
    const ours = await done('/get-my-signatures', { partial_tx: data });
    const signatures = [signed.signatures.serialize(), ours.signatures];
    const { txHex } = await done('/sign', { partial_tx: data, signatures, service: { proposal_id: id, version: 1 } });
    const kept = await swapService.get(id, 'a secret');
    assert.equal(kept.signatures, (await done('/get-input-data', { txHex })).signatures);
    await done('/sign-and-push', { partial_tx: data, signatures });
    await both(1_005, 470);

    // We propose, and they answer and put it together.
    const { createdProposalId, data: first } = await done('', {
      send: { tokens: [{ token, value: 70 }] }, receive: { tokens: [{ value: 5 }] }, service: { is_new: true, password: 'another' },
    });
    const found = await swapService.get(createdProposalId, 'another');
    assert.equal(found.partialTx, first);
    await assert.rejects(swapService.get(createdProposalId, 'a wrong one'));
    const answer = PartialTxProposal.fromPartialTx(first, theirs.storage);
    await answer.addSend('00', 5n);
    await answer.addReceive(token, 70n);
    const partialTx = answer.partialTx.serialize();
    assert.equal((await swapService.update({ proposalId: createdProposalId, password: 'another', partialTx, version: 0 })).success, true);
    const { proposal: newest } = await swap(`/fetch/${createdProposalId}`);
    assert.deepEqual([newest.partialTx, newest.version], [partialTx, 1]);
    await answer.signData(PASSWORDS.pinCode);
    answer.signatures.addSignatures((await done('/get-my-signatures', { partial_tx: partialTx })).signatures);
    const together = answer.signatures.serialize();
    assert.equal(answer.isComplete(), true);
    await done('/sign-and-push', { partial_tx: partialTx, signatures: [together] });
    await both(1_010, 400);
  } finally {
    theirConnection.websocket.close();
    await stop();
    service.stop();
  }
});

test('the library and the server are participants of one multisig wallet', async () => {
  const words = [1, 2].map(() => walletUtils.generateWalletWords(256));
  const pubkeys = words.map((one) => walletUtils.getMultiSigXPubFromWords(one));
  const { ask, stop } = await startServer(words[0], pubkeys);
  const propose = (path, body) => ask(`/wallet/p2sh/tx-proposal${path}`, body);
  try {
    const theirs = await startWallet(words[1], { pubkeys, numSignatures: 2 });
    assert.deepEqual(await ask('/multisig-pubkey', { seedKey: 'mine' }), { success: true, xpubkey: pubkeys[0] });
    assert.deepEqual(
      await ask('/start', { 'wallet-id': 'ours', seedKey: 'mine', multisig: true }), { success: true },
    );
    await eventually('the wallet is ready', async () => (await ask('/wallet/status')).statusCode === 3);
    const { address } = await ask('/wallet/address?index=0');
    assert.equal(await theirs.getAddressAtIndex(0), address);
    await control('fund', { address, amount: 1_000 });
    const both = async (token, amount) => await balance(theirs, token) === BigInt(amount)
      && (await ask(`/wallet/balance?token=${token}`)).available === amount;
    await eventually('both have the funds', () => both('00', 1_000));

    // Signs a proposal on both sides, has either put the signatures together, and has the server send it.
    const carryOut = async (txHex) => {
      const mine = await propose('/get-my-signatures', { txHex });
      const signatures = [mine.signatures, await theirs.getAllSignatures(txHex, PASSWORDS.pinCode)];
      const signed = await propose('/sign', { txHex, signatures });
      const data = (transaction) => transaction.inputs.map((input) => input.data.toString('hex'));
      const network = theirs.getNetworkObject();
      assert.deepEqual(
        data(helpersUtils.createTxFromHex(signed.txHex, network)),
        data(await theirs.assemblePartialTransaction(txHex, [...signatures])),
      );
      const sent = await propose('/sign-and-push', { txHex, signatures });
      assert.equal(sent.success, true, JSON.stringify(sent));
      return sent.hash;
    };
    const foreign = 'WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc';
    const { txHex } = await propose('', { outputs: [{ address: foreign, value: 300 }] });
    await carryOut(txHex);
    await eventually('both know of the payment', () => both('00', 700));
    const creation = await theirs.prepareCreateNewToken('Tea', 'TEA', 100n, { signTx: false });
    const token = await carryOut(creation.toHex());
    await eventually('both have the tokens', () => both(token, 100));
  } finally {
    await stop();
  }
});
