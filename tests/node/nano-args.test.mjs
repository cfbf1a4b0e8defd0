// The reference wallet library makes the same bytes of contracts' arguments as full nodes do, and so as this wallet does.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Network from '@hathor/wallet-lib/lib/models/network.js';
import parser from '@hathor/wallet-lib/lib/nano_contracts/ncTypes/parser.js';

const VECTORS = JSON.parse(readFileSync(new URL('../vectors/nano_args.json', import.meta.url), 'utf8'));
const NETWORK = new Network.default('privatenet');
// It writes times as signed numbers.
const LAST_TIME = 2 ** 31 - 1;

test('the reference wallet library makes the same bytes of arguments', () => {
  const compared = VECTORS.one.filter(({ type, json }) => type !== 'Timestamp' || json <= LAST_TIME);
  for (const { type, json, args } of compared) {
    const name = type === 'union[Address, ContractId]' ? 'CallerId' : type;
    const bytes = parser.getFieldParser(name, NETWORK).fromUser(json).toBuffer();
    assert.equal(`01${bytes.toString('hex')}`, args, `${type} ${JSON.stringify(json)}`);
  }
  assert.equal(VECTORS.one.length - compared.length, 2);
});
