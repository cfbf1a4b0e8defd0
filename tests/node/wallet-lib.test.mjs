// The reference wallet library, as published, lives on the local network: it starts a wallet, receives, sends and
// creates a token. What it accepts as a full node and mining service, other wallets will accept too.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import hathorLib from '@hathor/wallet-lib';

const { HathorWallet, Connection, config, tokensUtils } = hathorLib;

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
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

async function startWallet(words) {
  const connection = new Connection({
    network: 'privatenet',
    servers: [`http://127.0.0.1:${nodePort}/v1a/`],
    logger: QUIET,
  });
  const wallet = new HathorWallet({ seed: words, connection, ...PASSWORDS, logger: QUIET });
  wallets.push(wallet);
  await wallet.start();
  await eventually('the wallet is ready', () => wallet.isReady());
  return wallet;
}

/** Available amount of a token. */
async function balance(wallet, token = '00') {
  const [entry] = await wallet.getBalance(token);
  return entry.balance.unlocked;
}

before(async () => {
  nodePort = await freePort();
  const miningPort = await freePort();
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

  const sent = await genesis.sendTransaction(address, 234n, { pinCode: PASSWORDS.pinCode });
  assert.match(sent.hash, /^[0-9a-f]{64}$/);
  await eventually('the payment arrives', async () => await balance(wallet) === 1_234n);
  await eventually('the change is back', async () => await balance(genesis) === supply - 234n);

  // A transaction must be later, in whole seconds, than what it spends, and the library takes no care of that.
  const { timestamp } = await wallet.getTx(sent.hash);
  await eventually("the payment's second is over", () => Math.floor(Date.now() / 1000) > timestamp);
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
