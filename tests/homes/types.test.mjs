// TypeScript, as strict as it gets, finds the declarations of every entry; and the linters of packages have nothing to say.
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { ROOT, freshProject } from "../node/support/package.mjs";
import { HOMES, node, tool } from "./support/homes.mjs";

const STRICT = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: [], target: "es2022", lib: ["es2022"] };
const ESM = `
import { Wallet, deriveAddresses, init, isWalletError, type StartOptions } from "headless-wallet";
import { validateMnemonic } from "headless-wallet/base64";
import { indexedDbStore } from "headless-wallet/indexeddb";
import { HTR, limits, publicServices } from "headless-wallet/rules";
import wasm from "headless-wallet/wasm";

export const most: bigint = limits.outputAmount;
export const names: string[] = [HTR.name, publicServices.testnet.nodeUrl];
export async function start(options: StartOptions): Promise<bigint> {
  await init(wasm);
  const addresses: string[] = deriveAddresses({ network: "mainnet", seed: "", count: 1 });
  const valid: boolean = validateMnemonic(addresses.join(" "));
  const wallet: Wallet = await Wallet.start({ ...options, store: indexedDbStore() });
  try {
    return valid ? 0n : (await wallet.balance()).available;
  } catch (error) {
    return isWalletError(error) ? BigInt(error.code.length) : 0n;
  }
}
`;
const COMMON_JS = `
import wallets = require("headless-wallet");
import base64 = require("headless-wallet/base64");
import indexeddb = require("headless-wallet/indexeddb");
import rules = require("headless-wallet/rules");
import wasm = require("headless-wallet/wasm");

export const most: number = rules.limits.inputs;
export async function start(options: wallets.StartOptions): Promise<wallets.Wallet> {
  await base64.init(wasm);
  return wallets.Wallet.start({ ...options, store: indexeddb.indexedDbStore() });
}
`;
const SOURCES = `
import { init } from "headless-wallet";

await init(new URL("https://wallet.example/wallet.wasm"));
await init(fetch("https://wallet.example/wallet.wasm"));
await init(new Uint8Array(8));
// @ts-expect-error: a number is no source
await init(7);
`;

const MODULE = `
await init(new WebAssembly.Module(new Uint8Array(8)));
await init(WebAssembly.compileStreaming(fetch("https://wallet.example/wallet.wasm")));
`;

let project;

before(() => {
  project = freshProject("homes-types", {
    "esm.mts": ESM,
    "common.cts": COMMON_JS,
    "sources.mts": SOURCES,
    "module.mts": SOURCES + MODULE,
  });
});

const NODE = { types: ["node"], typeRoots: [join(HOMES, "node_modules/@types")], skipLibCheck: true };
const WAYS = {
  "NodeNext, ECMAScript module": [{ module: "nodenext" }, "esm.mts"],
  "NodeNext, CommonJS": [{ module: "nodenext" }, "common.cts"],
  "Node16, CommonJS": [{ module: "node16" }, "common.cts"],
  "Bundler": [{ module: "esnext", moduleResolution: "bundler" }, "esm.mts"],
  "Bundler, with the browser's classes": [{ module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"] }, "module.mts"],
  "NodeNext, with the classes of Node": [{ module: "nodenext", ...NODE }, "sources.mts"],
};
const COMPILERS = [
  ["7", join(ROOT, "node_modules/typescript/bin/tsc"), Object.keys(WAYS)],
  // Arrays of bytes have no parameter there.
  ["5.6", join(HOMES, "node_modules/typescript/bin/tsc"), ["NodeNext, ECMAScript module", "Node16, CommonJS"]],
];
for (const [version, compiler, ways] of COMPILERS) {
  for (const name of ways) {
    const [options, file] = WAYS[name];
    test(`TypeScript ${version}: ${name}`, async () => {
      const config = join(project, `${version}-${name}.json`);
      writeFileSync(config, JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files: [file] }));
      assert.deepEqual(await node([compiler, "--project", config], { cwd: project }), [""]);
    });
  }
}

test("publint has nothing to say", async () => {
  const lines = await node([tool("publint/src/cli.js"), "run", tarball(), "--strict"], { cwd: project });
  assert.equal(lines.at(-1), "All good!");
});

test("Are the types wrong? They are not, old resolution included", async () => {
  const cli = tool("@arethetypeswrong/cli/dist/index.js");
  const lines = await node([cli, tarball(), "--format", "ascii", "--no-color"], { cwd: project });
  assert.deepEqual(lines.filter((line) => /⚠|❌|🔥|💀|🚭|👺|🤨|🥴/u.test(line)), []);
  assert.equal(lines.filter((line) => line.includes("🟢")).length, 7 * 4, lines.join("\n"));
});

const tarball = () => join(project, readdirSync(project).find((name) => name.endsWith(".tgz")));
