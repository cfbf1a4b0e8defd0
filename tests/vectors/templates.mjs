// Writes templates.json beside it, by the pinned @hathor/wallet-lib:
//   node tests/vectors/templates.mjs
// What the library says of templates that are not as they must be, and the transactions that its interpreter builds from the
// outputs of one wallet. Templates follow the library's own tests of instructions, executors and the interpreter.

import { writeFileSync } from 'node:fs';
import hathorLib from '@hathor/wallet-lib';
import { deriveAddressFromXPubP2PKH } from '@hathor/wallet-lib/lib/utils/address.js';
import { MemoryStore } from '@hathor/wallet-lib/lib/storage/index.js';
import { TransactionTemplate } from '@hathor/wallet-lib/lib/template/transaction/instructions.js';
import { WalletTxTemplateInterpreter } from '@hathor/wallet-lib/lib/template/transaction/interpreter.js';
import nanoApi from '@hathor/wallet-lib/lib/api/nano.js';
import HathorWallet from '@hathor/wallet-lib/lib/new/wallet.js';

// The library logs by it, and Node 20 has none.
JSON.rawJSON ??= (text) => text;

const { Network, walletUtils } = hathorLib;
const network = new Network('mainnet');
const words = `${'abandon '.repeat(23)}art`;
const account = walletUtils.getXPubKeyFromSeed(words, { networkName: 'mainnet' });
const change = walletUtils.xpubDeriveChild(account, 0);
const keys = walletUtils.getXPrivKeyFromSeed(words, { networkName: 'mainnet' }).deriveNonCompliantChild("m/44'/280'/0'/0");
const address = (index) => deriveAddressFromXPubP2PKH(change, index, 'mainnet').base58;

const id = (byte) => byte.repeat(32);
const [DBT, OTHER, FEE, UNKNOWN] = ['d1', 'd2', 'fe', '99'].map(id);
const ELSEWHERE = 'HQd4qcgRN5dSKpheuBeXmtTtT6gSg4GQJp';
const VERSIONS = { [DBT]: 1, [OTHER]: 1, [FEE]: 2 };

// What a node says of the contracts that are called.
const [CONTRACT, BLUEPRINT] = ['c0', 'b0'].map(id);
const METHODS = {
  initialize: ['TxOutputScript', 'TokenUid', 'Timestamp'],
  bet: ['Address', 'str'],
  set_result: ['SignedData[str]'],
  settle: [],
  much: ['int', 'tuple[Amount, bool]?', 'dict[str, list[bytes]]', 'SignedData[tuple[int, str]]'],
};
nanoApi.default.getBlueprintInformation = async (blueprint) => {
  if (blueprint !== BLUEPRINT) throw new Error('Blueprint not found.');
  return { public_methods: Object.fromEntries(Object.entries(METHODS).map(([name, types]) => [name, { args: types.map((type) => ({ type })) }])) };
};

// One output each, in the order of the store.
const UTXOS = [
  ['01', 100, '00', 0],
  ['02', 7, '00', 1],
  ['03', 2000, '00', 2],
  ['04', 1000, DBT, 0],
  ['05', 30, DBT, 1],
  ['06', 500, FEE, 0],
  ['07', 60, FEE, 1],
  ['08', 1, DBT, 0, true],
  ['09', 2, DBT, 1, true],
  ['0a', 1, FEE, 0, true],
  ['0b', 50, OTHER, 2],
].map(([tx, value, token, index, authority = false]) => ({
  tx: id(tx), value: String(value), token, address: address(index), authority,
}));
// Somebody else's.
const FOREIGN = { tx: id('f0'), value: '40', token: '00', address: ELSEWHERE, authority: false };
const CURRENT = address(3);

function output({ value, token, address: to, authority }) {
  return { value: BigInt(value), token, token_data: token === '00' ? 0 : authority ? 129 : 1, decoded: { address: to }, script: '' };
}

async function walletOfUtxos() {
  const store = new MemoryStore();
  for (const { tx, value, token, address: to, authority } of UTXOS) {
    const authorities = authority ? BigInt(value) : 0n;
    await store.saveUtxo({ txId: tx, index: 0, token, address: to, value: BigInt(value), authorities, timelock: null, type: 1, height: null });
  }
  store.getCurrentHeight = async () => 1000;
  const wallet = {
    logger: { info() {}, error() {} },
    storage: { isReadonly: async () => false, selectUtxos: (options) => store.selectUtxos(options), getTokenDepositPercentage: () => 0.01 },
    getNetworkObject: () => network,
    getCurrentAddress: async () => ({ address: CURRENT }),
    getAddressAtIndex: async (index) => address(index),
    getNanoHeaderSeqnum: async () => 0,
    isAddressMine: () => true,
    async getPrivateKeyFromAddress(of) {
      const index = [...Array(30).keys()].find((at) => address(at) === of);
      return keys.deriveNonCompliantChild(index).privateKey;
    },
    async getFullTxById(txId) {
      if (txId !== CONTRACT) throw new Error('unknown transaction');
      return { tx: { nc_id: CONTRACT, nc_blueprint_id: BLUEPRINT } };
    },
    async getBalance(token) {
      const own = UTXOS.filter((utxo) => utxo.token === token);
      const unlocked = own.filter((utxo) => !utxo.authority).reduce((sum, { value }) => sum + BigInt(value), 0n);
      const count = (mask) => own.filter(({ authority, value }) => authority && value === mask).length;
      return [{ balance: { unlocked }, tokenAuthorities: { unlocked: { mint: count('1'), melt: count('2') } } }];
    },
    getAvailableUtxos: (options) => store.selectUtxos({ ...options, only_available_utxos: true }),
    getUtxosForAmount: HathorWallet.default.prototype.getUtxosForAmount,
    async getTx(txId) {
      const utxo = [...UTXOS, FOREIGN].find(({ tx }) => tx === txId);
      if (!utxo) throw new Error('unknown transaction');
      return { tx_id: txId, outputs: [output(utxo)] };
    },
    async getTokenDetails(token) {
      if (!(token in VERSIONS)) throw new Error('Unknown token');
      return { tokenInfo: { name: 'N', symbol: 'S', version: VERSIONS[token] }, authorities: {} };
    },
  };
  return wallet;
}

const A = ELSEWHERE;
const htr = (amount, more) => ({ type: 'output/token', amount, address: A, ...more });
const setvar = (name, value) => ({ type: 'action/setvar', name, value });
const call = (name, method, more) => ({ type: 'action/setvar', name, call: { method, ...more } });
const complete = (more) => ({ type: 'action/complete', ...more });
const creates = { type: 'action/config', createToken: true, tokenName: 'Tmpl Test Token', tokenSymbol: 'TTT' };
const raw = (byte, more) => ({ type: 'input/raw', txId: id(byte), index: 0, ...more });

const execute = (method, args, actions, more) => ({ type: 'nano/execute', id: CONTRACT, method, caller: address(0), args, actions, ...more });
const deposit = (amount, more) => ({ action: 'deposit', amount, ...more });
const withdrawal = (amount, more) => ({ action: 'withdrawal', amount, ...more });
const grant = (authority, more) => ({ action: 'grant_authority', authority, token: DBT, ...more });
const acquire = (authority, more) => ({ action: 'acquire_authority', authority, token: DBT, ...more });
const settle = (...actions) => execute('settle', [], actions);

const BUILT = {
  nothing: [],
  'an input and an output': [call('addr', 'get_wallet_address'), { type: 'input/utxo', fill: 1 }, htr(1, { address: '{addr}' })],
  'an input of exactly the amount': [{ type: 'input/utxo', fill: 100 }, htr(100)],
  'the smallest input that suffices': [{ type: 'input/utxo', fill: 90 }, htr(90)],
  'the largest inputs until they suffice': [{ type: 'input/utxo', fill: 2050 }, htr(2050)],
  'too little': [{ type: 'input/utxo', fill: 2108 }],
  'inputs of an address': [{ type: 'input/utxo', fill: 3, address: address(1) }, htr(3)],
  'too little at an address': [{ type: 'input/utxo', fill: 8, address: address(1) }],
  'change elsewhere': [{ type: 'input/utxo', fill: 1, changeAddress: A }, htr(1)],
  'no change': [{ type: 'input/utxo', fill: 1, autoChange: false }],
  'a custom token': [{ type: 'input/utxo', fill: 20, token: DBT }, htr(20, { token: DBT })],
  'positions': [
    { type: 'input/utxo', fill: 100 }, { type: 'input/utxo', fill: 7, position: 0 }, raw('03', { position: 1 }), htr(1), htr(2, { position: 0 }),
    htr(3, { position: 1 }), htr(4, { position: -2 }), htr(5, { position: 99 }),
  ],
  'raw inputs': [raw('01'), raw('04'), raw('08'), htr(1)],
  "somebody else's output": [raw('f0'), htr(40)],
  'an index past the outputs': [raw('01', { index: 1 })],
  'index as text': [raw('01', { index: '0' })],
  'raw outputs': [
    { type: 'output/raw', amount: 5, script: 'cafe' }, { type: 'output/raw', amount: '6', script: 'CAFE01', token: DBT },
    { type: 'output/raw', script: '01', token: DBT, authority: 'melt' }, { type: 'output/raw', amount: 7, script: '02', token: OTHER, authority: 'mint' },
  ],
  'a raw output without an amount': [{ type: 'output/raw', script: '01' }],
  'authorities': [
    { type: 'input/authority', authority: 'mint', token: DBT }, { type: 'input/authority', authority: 'melt', token: DBT },
    { type: 'output/authority', authority: 'mint', token: DBT, address: A, count: 3 }, { type: 'output/authority', authority: 'melt', token: DBT, address: A },
  ],
  'authorities of an address': [{ type: 'input/authority', authority: 'melt', token: DBT, address: address(1) }],
  'an authority without a token': [{ type: 'output/authority', authority: 'mint', address: A }],
  'mint': [
    { type: 'input/utxo', fill: 1 }, { type: 'input/authority', authority: 'mint', token: DBT }, htr(100, { token: DBT }),
    { type: 'output/authority', authority: 'mint', address: A, token: DBT },
  ],
  'melt': [
    { type: 'input/utxo', fill: 100, token: DBT }, { type: 'input/authority', authority: 'melt', token: DBT }, htr(1),
    { type: 'output/authority', authority: 'melt', address: A, token: DBT },
  ],
  'data': [{ type: 'output/data', data: 'cafe' }, { type: 'output/data', data: 'a longer text '.repeat(8), token: DBT }],
  'data of a variable': [setvar('what', 'all of it'), { type: 'output/data', data: 'hello {what}!' }],
  'a token': [creates, { type: 'input/utxo', fill: 1 }, htr(100, { useCreatedToken: true })],
  'a token and its authorities': [
    creates, { type: 'input/utxo', fill: 1 }, htr(100, { useCreatedToken: true }),
    { type: 'output/authority', authority: 'mint', address: A, useCreatedToken: true, count: 2 },
    { type: 'output/authority', authority: 'melt', address: A, useCreatedToken: true },
    { type: 'output/data', data: 'x', useCreatedToken: true }, { type: 'output/raw', script: '03', amount: 9, useCreatedToken: true },
    { type: 'output/raw', script: '04', authority: 'melt', useCreatedToken: true },
  ],
  'a token by its version': [{ type: 'action/config', version: 2, tokenName: 'N', tokenSymbol: 'S' }, htr(1, { useCreatedToken: true })],
  'a token whose deposit is calculated': [creates, htr(300, { useCreatedToken: true }), complete({ calculateFee: true })],
  'a token with other outputs whose deposit is calculated': [creates, htr(1000, { useCreatedToken: true }), htr(95), complete({ calculateFee: true })],
  'a fee token whose fee is calculated': [
    { ...creates, tokenVersion: 2 }, htr(300, { useCreatedToken: true }), htr(1, { useCreatedToken: true }), complete({ calculateFee: true }),
  ],
  'a token without a name': [{ type: 'action/config', createToken: true, tokenSymbol: 'S' }, htr(1, { useCreatedToken: true })],
  'a token without a version': [{ type: 'action/config', createToken: true, tokenName: 'N', tokenSymbol: 'S', tokenVersion: 0 }],
  'the created token without a version': [{ ...creates, tokenVersion: 0 }, htr(1, { useCreatedToken: true })],
  'a token after others': [htr(1, { token: DBT }), creates],
  'another token in a creation': [creates, htr(1, { token: DBT })],
  'the created token where none is': [htr(1, { useCreatedToken: true })],
  'created authority where no token is': [{ type: 'output/authority', authority: 'mint', address: A, useCreatedToken: true }],
  'an unknown version': [{ type: 'action/config', version: 3 }],
  'signal bits': [{ type: 'action/config', signalBits: 6 }],
  'signal bits, and said again': [{ type: 'action/config', signalBits: 6 }, { type: 'action/config', signalBits: 0 }],
  'complete inputs': [htr(90), htr(20, { token: DBT }), complete()],
  'complete change': [
    { type: 'input/utxo', fill: 100, autoChange: false }, { type: 'input/utxo', fill: 1, token: OTHER, autoChange: false }, htr(1),
    htr(2, { token: OTHER }), complete(),
  ],
  'complete one token': [htr(90), htr(20, { token: DBT }), complete({ token: DBT })],
  'complete HTR alone': [htr(90), htr(20, { token: DBT }), complete({ token: '00' })],
  'complete with change elsewhere': [htr(90), complete({ changeAddress: A })],
  'complete from an address': [htr(3), complete({ address: address(1) })],
  'complete from an address with too little': [htr(8), complete({ address: address(1) })],
  'complete without inputs': [htr(90), raw('04'), htr(1, { token: DBT }), complete({ skipSelection: true })],
  'complete without change': [raw('01'), htr(1), raw('04'), htr(2000, { token: OTHER }), complete({ skipChange: true, token: '00' })],
  'complete authorities': [
    { type: 'output/authority', authority: 'mint', token: DBT, address: A }, { type: 'output/authority', authority: 'melt', token: DBT, address: A }, complete(),
  ],
  'complete authorities that are left over': [raw('08'), raw('09'), raw('04'), htr(10, { token: DBT }), complete()],
  'complete without authorities': [raw('08'), raw('04'), htr(10, { token: DBT }), complete({ skipAuthorities: true })],
  'complete the fee': [htr(20, { token: FEE }), complete({ calculateFee: true })],
  'complete the fee of several outputs': [htr(20, { token: FEE }), htr(30, { token: FEE }), htr(9), complete({ calculateFee: true })],
  'complete the fee of inputs alone': [raw('07'), complete({ calculateFee: true })],
  'complete without the fee': [htr(20, { token: FEE }), complete()],
  'complete twice': [htr(20), complete(), htr(5, { token: DBT }), complete()],
  'fees': [{ type: 'action/fee', amount: 3 }, { type: 'action/fee', amount: '4' }, htr(1)],
  'fees in a token': [htr(1, { token: DBT }), htr(1, { token: OTHER }), { type: 'action/fee', amount: 300, token: OTHER }, { type: 'action/fee', amount: 1 }],
  'balances': [
    call('htr', 'get_wallet_balance'), call('dbt', 'get_wallet_balance', { token: DBT }), setvar('token', FEE),
    call('fee', 'get_wallet_balance', { token: '{token}' }), call('mint', 'get_wallet_balance', { token: DBT, authority: 'mint' }),
    call('melt', 'get_wallet_balance', { token: DBT, authority: 'melt' }),
    htr('{htr}'), htr('{dbt}', { token: DBT }), htr('{fee}', { token: '{token}' }), htr('{mint}'), htr('{melt}'),
  ],
  'addresses by their indexes': [call('a', 'get_wallet_address', { index: 17 }), htr(1, { address: '{a}' })],
  'an address beyond those that are watched': [call('a', 'get_wallet_address', { index: 77 }), htr(1, { address: '{a}' })],
  'an oracle': [call('script', 'get_oracle_script', { index: 2 }), { type: 'output/raw', amount: 1, script: '{script}' }],
  'variables of all kinds': [
    setvar('n', 2), setvar('t', DBT), setvar('to', A), setvar('i', 0), setvar('x', id('04')), setvar('s', 'abcd'), setvar('name', 'Vars'),
    { type: 'input/raw', txId: '{x}', index: '{i}' }, htr('{n}', { address: '{to}', token: '{t}' }),
    { type: 'output/raw', script: '{s}', amount: '{n}' }, { type: 'output/raw', script: '{s}', authority: 'mint', token: '{t}' },
    { type: 'output/authority', authority: 'melt', token: '{t}', address: '{to}', count: '{n}' }, { type: 'action/fee', amount: '{n}' },
    complete({ token: '{t}', changeAddress: '{to}', skipAuthorities: true }),
  ],
  'a variable twice': [setvar('n', 2), setvar('n', 3), htr('{n}')],
  'an unset variable': [htr('{what}')],
  'a variable that is set later': [htr('{n}'), setvar('n', 1)],
  'a bad address': [setvar('addr', 'H'.repeat(34)), { type: 'input/utxo', fill: 1 }, htr(1, { address: '{addr}' })],
  'an address of another network': [htr(1, { address: 'WYiD1E8n5oB9weZ8NMyM3KoCjKf1KCjWAZ' })],
  'a contract that is created': [
    call('addr', 'get_wallet_address', { index: 0 }), call('oracle', 'get_oracle_script', { index: 0 }), setvar('blueprint', BLUEPRINT),
    execute('initialize', ['{oracle}', '00', 1750000000], undefined, { id: '{blueprint}', caller: '{addr}' }),
  ],
  'a deposit': [
    setvar('caller', address(0)), setvar('contract', CONTRACT), setvar('n', 10),
    execute('bet', [address(5), '1x0'], [deposit('{n}', { changeAddress: '{caller}' })], { id: '{contract}', caller: '{caller}' }),
  ],
  'a call of nothing but a method': [settle()],
  'a call without arguments or actions': [{ type: 'nano/execute', id: CONTRACT, method: 'settle', caller: address(2) }],
  'a deposit of exactly what an output holds': [settle(deposit(100))],
  'deposits': [settle(deposit(90), deposit('20', { token: DBT }), deposit(3, { address: address(1) }), deposit(50, { token: FEE, autoChange: false }))],
  'a deposit of inputs that are there': [{ type: 'input/utxo', fill: 12 }, settle(deposit(10, { skipSelection: true })), htr(2)],
  'a deposit of too little': [settle(deposit(3000))],
  'withdrawals': [settle(withdrawal(5), withdrawal(6, { token: DBT, address: A }), withdrawal(7, { token: OTHER, skipOutputs: true })), htr(7, { token: OTHER })],
  'authorities that are granted': [settle(grant('mint'), grant('melt', { address: address(1) }))],
  'an authority that is granted of inputs that are there': [raw('08'), settle(grant('mint', { skipSelection: true }))],
  'authorities that are acquired': [
    settle(acquire('mint'), acquire('melt', { address: A }), acquire('mint', { skipOutputs: true })), { type: 'output/authority', authority: 'mint', token: DBT, address: A },
  ],
  'all actions': [settle(acquire('mint', { token: OTHER }), deposit(1), grant('melt'), withdrawal(2, { token: FEE })), { type: 'action/fee', amount: 1 }, htr(3)],
  'a deposit, and completed': [settle(deposit(10)), htr(5), complete()],
  'a deposit that is completed': [htr(20, { token: FEE }), settle(deposit(10, { token: FEE, skipSelection: true })), complete({ calculateFee: true })],
  'a creation that calls': [
    creates, htr(100, { useCreatedToken: true }), { type: 'output/data', data: 'foobar' }, execute('bet', [address(5), '1x0'], [deposit(10, { skipSelection: true })]),
    { type: 'input/utxo', fill: 12 },
  ],
  'a creation whose token goes into a contract': [creates, settle(deposit(100, { useCreatedToken: true })), htr(7, { useCreatedToken: true }), { type: 'input/utxo', fill: 1 }],
  'a creation that a contract pays': [creates, htr(100, { useCreatedToken: true }), settle(withdrawal(5, { skipOutputs: true })), htr(4)],
  'a creation that grants another token': [creates, settle(grant('mint'))],
  'what an oracle says': [
    setvar('contract', CONTRACT), call('result', 'get_oracle_signed_data', { index: 4, ncId: '{contract}', type: 'SignedData[str]', data: '1x0' }),
    execute('set_result', ['{result}']),
  ],
  'arguments of many types': [
    setvar('seven', [7, 'x']), call('said', 'get_oracle_signed_data', { index: 29, ncId: CONTRACT, type: 'SignedData[tuple[int, str]]', data: '{seven}' }),
    setvar('no', null), execute('much', [-5, '{no}', { a: ['00ff', ''], b: [] }, '{said}']),
  ],
  'more arguments of many types': [
    call('said', 'get_oracle_signed_data', { index: 0, ncId: CONTRACT, type: 'SignedData[tuple[int, str]]', data: [1, ''] }),
    execute('much', ['1234567890123', [3, true], {}, '{said}']),
  ],
  'two calls': [settle(), settle()],
  'too few arguments': [execute('bet', [address(5)])],
  'too many arguments': [execute('settle', [1])],
  'an unset variable in arguments': [execute('bet', ['{who}', 'x'])],
  'an unset variable in an action': [settle(deposit('{n}'))],
  'an unknown contract': [execute('settle', [], [], { id: id('99') })],
  'an unknown blueprint': [execute('initialize', [], [], { id: id('99') })],
  'what an oracle says of another type': [call('result', 'get_oracle_signed_data', { index: 4, ncId: CONTRACT, type: 'str', data: '1x0' })],
  'an argument of another type': [execute('bet', ['x', 'y'])],
};

const interpreter = new WalletTxTemplateInterpreter(await walletOfUtxos());
const built = [];
for (const [name, template] of Object.entries(BUILT)) {
  try {
    const tx = await interpreter.build(TransactionTemplate.parse(template));
    built.push({ name, template, hex: tx.toHex() });
  } catch (error) {
    built.push({ name, template, error: error.message });
  }
}

const T = DBT;
const FIELDS = {
  'input/raw': [{ index: 0, txId: T }, ['position', 'index', 'txId']],
  'input/utxo': [{ fill: 1 }, ['position', 'fill', 'token', 'address', 'autoChange', 'changeAddress']],
  'input/authority': [{ authority: 'mint', token: T }, ['position', 'authority', 'token', 'count', 'address']],
  'output/raw': [{ script: 'cafe', amount: 1 }, ['position', 'amount', 'script', 'token', 'timelock', 'authority', 'useCreatedToken']],
  'output/token': [{ amount: 1, address: A }, ['position', 'amount', 'token', 'address', 'timelock', 'checkAddress', 'useCreatedToken']],
  'output/authority': [
    { authority: 'mint', address: A }, ['position', 'count', 'token', 'authority', 'address', 'timelock', 'checkAddress', 'useCreatedToken'],
  ],
  'output/data': [{ data: 'x' }, ['position', 'data', 'token', 'useCreatedToken']],
  'action/shuffle': [{ target: 'all' }, ['target']],
  'action/complete': [
    {}, ['token', 'address', 'changeAddress', 'timelock', 'skipSelection', 'skipChange', 'skipAuthorities', 'calculateFee'],
  ],
  'action/config': [{}, ['version', 'signalBits', 'createToken', 'tokenName', 'tokenSymbol', 'tokenVersion']],
  'action/setvar': [{ name: 'a' }, ['name', 'value', 'call']],
  'nano/execute': [{ id: T, method: 'm', caller: A }, ['id', 'method', 'args', 'caller', 'actions']],
  'action/fee': [{ amount: 1 }, ['token', 'amount']],
};
const VALUES = [undefined, null, true, 1, 0, -1, 300, 'x', '', '7', '{v}', 'x {v_1} y', '{}', '{a b}', T, '00', 'mint', A, [], {}];
const templates = [null, true, 'x', {}, [1], [null], [[]], [{}], [{ type: 'x' }], [{ type: 1 }], [{ type: 'nano/execute' }, { type: 'output/token' }]];
for (const [type, [fine, fields]] of Object.entries(FIELDS)) {
  for (const field of fields) {
    for (const value of VALUES) {
      const { [field]: _, ...others } = { type, ...fine };
      templates.push([value === undefined ? others : { ...others, [field]: value }]);
    }
  }
}
for (const text of ['x'.repeat(30), 'x'.repeat(31), 'é'.repeat(5), 'é'.repeat(6), '🐟'.repeat(3)]) {
  templates.push([{ type: 'action/config', tokenName: text }], [{ type: 'action/config', tokenSymbol: text }]);
}
const calls = [
  { method: 'x' }, { method: 'get_wallet_address', index: '1' }, { method: 'get_wallet_address', index: 1 }, { method: 'get_oracle_script' },
  { method: 'get_oracle_script', index: null }, { method: 'get_wallet_balance', token: 'x', authority: 'y' }, { method: 'get_wallet_balance', token: '{t}' },
  { method: 'get_oracle_signed_data', index: 1, type: 'x', ncId: 'zz' }, { method: 'get_oracle_signed_data' },
  { method: 'get_oracle_signed_data', index: 1, type: 'SignedData[str]', data: 'x', ncId: T },
];
templates.push(...calls.map((of) => [{ type: 'action/setvar', name: 'a', call: of }]));
const actions = [
  {}, 1, { action: 'x' }, { action: 'deposit' }, { action: 'deposit', amount: 'x' }, { action: 'deposit', amount: 1 }, { action: 'withdrawal', amount: '{v}' },
  { action: 'deposit', amount: 0 }, { action: 'withdrawal', amount: 1, token: 'x' }, { action: 'grant_authority', token: T, authority: 'mint' },
  { action: 'grant_authority', token: T }, { action: 'acquire_authority', token: T, authority: 'melt', skipOutputs: true },
];
templates.push(...actions.map((of) => [{ type: 'nano/execute', id: T, method: 'm', caller: A, actions: [of] }]));

const read = templates.map((template) => {
  const { success, error } = TransactionTemplate.safeParse(template);
  return { template, details: success ? [] : error.errors.map(({ path, message }) => `${path.join('.')} is ${message}`) };
});

const file = {
  source: { generated_with: '@hathor/wallet-lib 2.15.0 (npm), by tests/vectors/templates.mjs' },
  utxos: UTXOS, foreign: FOREIGN, current_address: CURRENT, versions: VERSIONS, contract: CONTRACT, blueprint: BLUEPRINT, methods: METHODS, built, read,
};
const lines = (list) => list.map((one) => `  ${JSON.stringify(one)}`).join(',\n');
const parts = Object.entries(file).map(([name, value]) =>
  Array.isArray(value) ? `${JSON.stringify(name)}: [\n${lines(value)}\n]` : `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
writeFileSync(new URL('templates.json', import.meta.url), `{\n${parts.join(',\n')}\n}\n`);
// The library keeps connections open.
process.exit(0);
