// The declarations are precise and true: a program that uses everything rightly compiles, wrong uses do not, and what the
// package answers at run time is of exactly the declared types.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { startDevnet } from "./support/devnet.mjs";
import { PKG, ROOT } from "./support/package.mjs";

const { Wallet, ...helpers } = await import(`${PKG}/node.mjs`);
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const DIRECTORY = join(ROOT, "target/projects/types");
const OPTIONS = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    types: [],
    paths: { "headless-wallet": [join(PKG, "index.d.ts")], "headless-wallet/indexeddb": [join(PKG, "indexeddb.d.ts")], "headless-wallet/keys": [join(PKG, "keys.d.ts")], "headless-wallet/rules": [join(PKG, "rules.d.ts")] },
  },
};

before(() => {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(join(DIRECTORY, "package.json"), JSON.stringify({ type: "module" }));
});

/** Compiles one file, strictly; gives what the compiler says, by line. */
function compile(name, text, lib = OPTIONS.compilerOptions.lib, options = OPTIONS.compilerOptions) {
  const project = join(DIRECTORY, `${name}.json`);
  writeFileSync(join(DIRECTORY, `${name}.ts`), text);
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...options, lib }, files: [`${name}.ts`] }));
  const { stdout } = spawnSync(process.execPath, [TSC, "--pretty", "false", "--project", project], { cwd: DIRECTORY, encoding: "utf8" });
  return stdout.split("\n").filter((line) => /error TS/.test(line));
}

test("the global fetch and WebSocket can be given as one's own", () => {
  const text = `import { Wallet } from "headless-wallet";
    export const wallet = Wallet.start({
      network: "mainnet",
      seed: "words",
      fetch: (url, options) => fetch(url, { ...options, cache: "no-store" }),
      WebSocket,
    });
    export const other = Wallet.start({ network: "mainnet", seed: "words", fetch: globalThis.fetch });`;
  assert.deepEqual(compile("own", text, ["es2022", "dom"]), []);
});

test("what must compile compiles", () => {
  assert.deepEqual(compile("right", readFileSync(join(ROOT, "tests/node/types/right.ts"), "utf8")), []);
});

test("a wallet can be declared with `await using`, where the language has it", () => {
  const text = `import { Wallet } from "headless-wallet";
    export async function balance(seed: string): Promise<bigint> {
      await using wallet = await Wallet.start({ network: "mainnet", seed });
      return (await wallet.balance()).available;
    }`;
  assert.deepEqual(compile("using", text, ["es2022", "esnext.disposable"]), []);
});

test("the entry for keys declares what it has", async () => {
  const text = readFileSync(join(PKG, "keys.d.ts"), "utf8");
  const declared = [...text.matchAll(/^  (\w+),$/gm)].map(([, name]) => name).sort();
  assert.deepEqual(declared, Object.keys(await import(`${PKG}/keys-node.mjs`)).sort());
  const used = `import { Account, type AddressCheck, checkAddress, init } from "headless-wallet/keys";
    const texts: string[] = Account.fromSeed("words").addresses({ network: "testnet" });
    const check: AddressCheck = checkAddress(texts[0] ?? "");
    export default init().then(() => check);`;
  assert.deepEqual(compile("keys", used), []);
});

test("what must not compile does not, line by line", () => {
  const text = readFileSync(join(ROOT, "tests/node/types/wrong.ts"), "utf8");
  const found = new Set(compile("wrong", text).map((line) => Number(line.match(/\((\d+),/)[1])));
  const expected = text.split("\n").flatMap((line, index) => (line.includes("// wrong") ? [index + 1] : []));
  assert.ok(expected.length > 10);
  assert.deepEqual([...found], expected);
});

test("the declarations have no any, and nothing that is not declared", () => {
  const types = readFileSync(join(PKG, "index.d.ts"), "utf8");
  assert.doesNotMatch(types, /\bany\b(?! )|: any|<any/);
  assert.equal(readFileSync(join(PKG, "index.d.cts"), "utf8"), types);
});

test("everything that is declared is documented", () => {
  const lines = readFileSync(join(PKG, "index.d.ts"), "utf8").split("\n");
  const declares = (line) => /^export (declare )?(function|class|interface|type) /.test(line) || /^ {4}(static )?[a-z]\w*\(/.test(line);
  const name = (line) => line.match(/^ {4}(\w+)\(/)?.[1];
  // The words stand before the first of several forms.
  const isDocumented = (index) => lines[index - 1].endsWith("*/") || (name(lines[index]) && name(lines[index]) === name(lines[index - 1]));
  assert.deepEqual(lines.filter((line, index) => declares(line) && !isDocumented(index)), []);
});

test("examples in the declarations compile, and each argument of a method is described", () => {
  const text = readFileSync(join(PKG, "index.d.ts"), "utf8");
  const comments = [...text.matchAll(/^ *\/\*\*\n((?: *\* ?.*\n)*?) *\*\/\n *(.*)$/gm)].map(([, comment, declared]) => [comment.replace(/^ *\* ?/gm, ""), declared]);
  const examples = comments.flatMap(([comment]) => comment.split("@example\n").slice(1));
  assert.ok(examples.length >= 15, String(examples.length));
  const imports = 'import { Wallet, checkAddress, deriveAddresses, formatUnits, generateMnemonic, isWalletError, sealSecret } from "headless-wallet";';
  const globals = "declare const wallet: Wallet; declare const console: { log(...values: unknown[]): void }; declare const process: { env: { SEED?: string } }; declare const localStorage: { setItem(name: string, text: string): void };";
  const blocks = examples.map((example) => `async () => {\n${example}\n}`);
  const options = { ...OPTIONS.compilerOptions, noUnusedLocals: false };
  assert.deepEqual(compile("examples", `${imports}\n${globals}\nexport default [${blocks.join(",\n")}];`, undefined, options), []);
  const methods = comments.filter(([comment, declared]) => /^(export function |static )?\w+(<.*?>)?\(\w/.test(declared) && comment.includes("@"));
  assert.ok(methods.length >= 60, String(methods.length));
  for (const [comment, declared] of methods) {
    const given = [...declared.replace(/\([^()]*\) =>/g, "").matchAll(/(?<=[(,] ?)(\w+)\??: /g)].map(([, name]) => name);
    assert.deepEqual([...comment.matchAll(/^@param (\w+) \S/gm)].map(([, name]) => name), given, declared);
  }
});

/** A value as TypeScript that makes it: the compiler checks it member by member, in both directions. */
function literal(value) {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{ ${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`).join(", ")} }`;
  }
  return JSON.stringify(value);
}

test("what the package answers is of the declared types", async () => {
  const { nodeUrl, miningUrl, control, stop } = await startDevnet("--block-interval", "0");
  const seed = helpers.generateMnemonic();
  const progress = [];
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed, onProgress: (news) => progress.push(news) });
  const news = { tx: [], balance: [], state: [], progress };
  for (const topic of ["tx", "balance", "state"]) {
    wallet.on(topic, (told) => news[topic].push(told));
  }
  try {
    const funded = new Promise((resolve) => { wallet.on("balance", resolve); });
    await control("fund", { address: await wallet.address(), amount: 1_000 });
    await funded;
    const created = await wallet.createToken({ name: "Types", symbol: "TYP", amount: 100, data: ["x"] });
    const nft = await wallet.createNft({ name: "One", symbol: "ONE", amount: 1, data: "x", createMelt: true });
    const sent = await wallet.sendTx({ outputs: [{ type: "data", data: "x" }, { address: await wallet.address(), value: 1, timelock: 1 }] });
    const melted = await wallet.meltTokens({ token: created.hash, amount: 100n });
    const history = await wallet.history();
    const tried = [
      await wallet.sendTx({ outputs: [{ type: "data", data: "x" }] }, { dryRun: true }),
      await wallet.createToken({ name: "Types", symbol: "TYP", amount: 100 }, { dryRun: true }),
    ];
    const unsigned = await wallet.buildTx({ outputs: [{ address: await wallet.address(), value: 1 }] });
    const inWords = [await wallet.decodeTx(unsigned.txHex)];
    const mine = await wallet.walletInputs(unsigned.txHex);
    const received = await wallet.addressInfo(await wallet.address());
    const unspent = await wallet.utxos();

    const vectors = JSON.parse(readFileSync(join(ROOT, "tests/vectors/transactions.json"), "utf8")).transactions;
    const decoded = vectors.filter(({ kind }) => kind === "create_token").map(({ hex }) => helpers.decodeTransaction(hex, "mainnet"));
    assert.equal(decoded.length, 12);
    await wallet.stop();
    const answers = {
      WalletStatus: [wallet.status()],
      Balance: [{ available: 1n, locked: 0n }],
      UtxoList: [unspent],
      DryRun: tried,
      TxToSign: [unsigned],
      TransactionEffect: inWords,
      WalletInputs: [mine],
      AddressInfo: [received],
      HistoryTransaction: history,
      CreatedToken: [created, nft],
      Transaction: [sent, melted],
      TxEvent: news.tx,
      TokenBalance: news.balance,
      WalletState: news.state,
      Progress: news.progress,
      DecodedTransaction: decoded,
      MnemonicCheck: [helpers.checkMnemonic(seed), helpers.checkMnemonic("a b")],
      AddressCheck: [helpers.checkAddress("x"), helpers.checkAddress(await helpers.deriveAddresses({ network: "testnet", seed })[0])],
      TokenDescription: [helpers.parseConfigurationString(created.configurationString)],
    };
    const lines = Object.entries(answers).flatMap(([type, values]) => values.map((value) => `take<package_.${type}>(${literal(value)});`));
    const text = ['import type * as package_ from "headless-wallet";', "declare function take<T>(value: T): void;", ...lines].join("\n");
    assert.deepEqual(compile("answers", text), []);
  } finally {
    await wallet.stop();
    await stop();
  }
});

test("the compiler is the pinned one", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const version = execFileSync(process.execPath, [TSC, "--version"], { encoding: "utf8" });
  assert.equal(version.trim(), `Version ${devDependencies.typescript}`);
});

