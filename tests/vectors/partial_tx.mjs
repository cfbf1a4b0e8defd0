// Writes partial_tx.json beside it, by the pinned @hathor/wallet-lib:
//   node tests/vectors/partial_tx.mjs
// Proposals of atomic swaps as the library writes them, what it says of them, and texts that it refuses.

import { readFileSync, writeFileSync } from 'node:fs';
import hathorLib from '@hathor/wallet-lib';

const { Address, Network, P2PKH, P2SH, PartialTx, PartialTxInputData } = hathorLib;

const network = new Network('testnet');
const ADDRESSES = {
  ana: 'WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f',
  bob: 'WYBwT3xLpDnHNtYZiU52oanupVeDKhAvNp',
  multisig: 'wcFwC82mLoUudtgakZGMPyTL2aHcgSJgDZ',
};
const id = (byte) => byte.repeat(32);
const [TX_A, TX_B, TOKEN_1, TOKEN_2] = ['0a', 'b1', '1f', 'e2'].map(id);

function script(address, timelock) {
  const to = new Address(address, { network });
  const Kind = to.getType() === 'p2sh' ? P2SH : P2PKH;
  return new Kind(to, { timelock }).createScript();
}

function build({ inputs = [], outputs = [] }) {
  const partial = new PartialTx(network);
  for (const { tx, index, value, address, token = '00', authorities = 0n } of inputs) {
    partial.addInput(tx, index, value, address, { token, authorities });
  }
  for (const { value, address, token = '00', authorities = 0n, timelock = null, change = false } of outputs) {
    partial.addOutput(value, script(address, timelock), { token, authorities, isChange: change });
  }
  return partial;
}

const { ana, bob, multisig } = ADDRESSES;
const proposals = {
  empty: {},
  'one sends': { inputs: [{ tx: TX_A, index: 0, value: 10n, address: ana }] },
  'one receives': { outputs: [{ value: 10n, address: ana }] },
  'change of two': {
    inputs: [
      { tx: TX_A, index: 0, value: 1_000n, address: ana },
      { tx: TX_B, index: 255, value: 700n, address: bob, token: TOKEN_1 },
    ],
    outputs: [
      { value: 990n, address: ana, change: true },
      { value: 10n, address: bob },
      { value: 500n, address: bob, token: TOKEN_1, change: true },
      { value: 200n, address: ana, token: TOKEN_1 },
    ],
  },
  // Outputs name their tokens first, then inputs.
  'two tokens, in the order of outputs': {
    inputs: [
      { tx: TX_A, index: 1, value: 5n, address: ana, token: TOKEN_1 },
      { tx: TX_B, index: 2, value: 15n, address: bob, token: TOKEN_2 },
    ],
    outputs: [
      { value: 15n, address: ana, token: TOKEN_2 },
      { value: 5n, address: bob, token: TOKEN_1 },
    ],
  },
  'a token that only an input has': {
    inputs: [{ tx: TX_A, index: 1, value: 5n, address: ana, token: TOKEN_2 }],
    outputs: [{ value: 1n, address: bob, token: TOKEN_1 }],
  },
  'time lock and multisig': {
    inputs: [{ tx: TX_A, index: 3, value: 8n, address: multisig }],
    outputs: [
      { value: 3n, address: bob, timelock: 1_700_000_000 },
      { value: 5n, address: multisig, change: true },
    ],
  },
  authorities: {
    inputs: [{ tx: TX_A, index: 1, value: 3n, address: ana, token: TOKEN_1, authorities: 3n }],
    outputs: [
      { value: 1n, address: bob, token: TOKEN_1, authorities: 1n },
      { value: 2n, address: ana, token: TOKEN_1, authorities: 2n },
    ],
  },
  'the largest amounts': {
    inputs: [{ tx: TX_A, index: 0, value: 2n ** 63n, address: ana }],
    outputs: [{ value: 2n ** 63n - 1n, address: bob }, { value: 1n, address: ana, change: true }],
  },
  'change past the tenth output': {
    outputs: Array.from({ length: 17 }, (_, i) => ({ value: BigInt(i + 1), address: bob, change: i === 16 })),
  },
};

const described = Object.entries(proposals).map(([name, given]) => {
  const partial = build(given);
  const text = partial.serialize();
  // It must be read as it was written.
  const again = PartialTx.deserialize(text, network);
  if (again.serialize() !== text) throw new Error(`${name}: ${again.serialize()} is not ${text}`);
  const balance = Object.fromEntries(Object.entries(partial.calculateTokenBalance())
    .map(([token, { inputs, outputs }]) => [token, [inputs.toString(), outputs.toString()]]));
  const tx = partial.getTx();
  const signatures = new PartialTxInputData(tx.getDataToSign().toString('hex'), tx.inputs.length);
  const none = signatures.serialize();
  tx.inputs.forEach((_, index) => signatures.addData(index, Buffer.from([0xc0, index])));
  return {
    name,
    text,
    balance,
    is_complete: partial.isComplete(),
    change: partial.outputs.map((output) => output.isChange),
    data_to_sign: tx.getDataToSign().toString('hex'),
    no_signatures: none,
    signatures: signatures.serialize(),
  };
});

const good = described[3].text.split('|');
const [, hex, inputs, change] = good;
const refusedTexts = [
  '', 'PartialTx', 'invalid-partial-tx', ['PartialTxs', hex, inputs, change].join('|'),
  good.slice(0, 3).join('|'), [...good, ''].join('|'),
  ['PartialTx', hex, inputs.split(':')[0], change].join('|'),
  ['PartialTx', hex, inputs.replace(/,3e8/, ',xyz'), change].join('|'),
  ['PartialTx', hex, inputs.replace(/,0,3e8/, ',g,3e8'), change].join('|'),
  ['PartialTx', hex.slice(0, -2), inputs, change].join('|'),
];
const refused = refusedTexts.map((text) => {
  try {
    PartialTx.deserialize(text, network);
  } catch (error) {
    return { text, error: error.message };
  }
  throw new Error(`the library reads ${text}`);
});

const { version } = JSON.parse(readFileSync(new URL('../../node_modules/@hathor/wallet-lib/package.json', import.meta.url)));
const path = new URL('partial_tx.json', import.meta.url);
writeFileSync(path, `${JSON.stringify({
  made_by: `tests/vectors/partial_tx.mjs, @hathor/wallet-lib ${version}`,
  network: 'testnet',
  proposals: described,
  refused,
}, null, 1)}\n`);

// The library leaves timers behind.
process.exit();
