// The packed tarball in fresh Node projects, with the README's examples as they stand there; and what is in it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { startDevnet } from "./support/devnet.mjs";
import { PKG, ROOT, freshProject } from "./support/package.mjs";
import { OF_PACKAGE, OF_PROJECT, examples } from "./support/readme.mjs";

/** No larger than this, in bytes. The aim is 400,000 gzipped. */
const MAX_WASM = 1_730_000;
const MAX_WASM_GZIPPED = 696_000;

let devnet;
let project;

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  const [start] = examples(OF_PACKAGE, "In Node", devnet);
  const [startOfProject] = examples(OF_PROJECT, "The npm package", devnet);
  const life = examples(OF_PACKAGE, "What it can do", devnet);
  project = freshProject("node", {
    "example.mjs": start,
    "project.mjs": startOfProject,
    "example.cjs": `(async () => {\n${start.replace(/import (.+) from (.+);/, "const $1 = require($2);")}})();`,
    "life.mjs": start.replace("await wallet.stop();", () => life.join("\n").replace(/^import .*isWalletError.*$/m, "") + "\nawait wallet.stop();")
      .replace("import { Wallet }", "import { Wallet, isWalletError }"),
    "both.cjs": `import("headless-wallet").then((imported) => {
      const required = require("headless-wallet");
      console.log(imported.Wallet === required.Wallet, Object.keys(imported).sort().join() === Object.keys(required).sort().join());
    });`,
    "wasm.mjs": 'import { createRequire } from "node:module"; console.log(createRequire(import.meta.url).resolve("headless-wallet/wasm").endsWith("/headless_wallet.wasm"));',
  });
});

after(() => devnet.stop());

async function run(file) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: project, timeout: 30_000 });
  assert.equal(stderr, "");
  return stdout.trim().split("\n");
}

for (const file of ["example.mjs", "example.cjs"]) {
  test(`the README's example runs as ${file}, and the process ends by itself`, async () => {
    const [balance, address] = await run(file);
    assert.match(balance, /^HTR, in cents: [1-9][0-9]*n$/);
    assert.match(address, /^receive at: W[1-9A-HJ-NP-Za-km-z]{33}$/);
  });
}

test("the example of the project's README runs, and the process ends by itself", async () => {
  const [balance, ...rest] = await run("project.mjs");
  assert.match(balance, /^HTR, in cents: [1-9][0-9]*n$/);
  assert.deepEqual(rest, []);
});

test("the README's other examples run", async () => {
  const lines = await run("life.mjs");
  assert.match(lines.at(-3), /^\[Coffee:CFE:[0-9a-f]{64}:[0-9a-f]{8}\] [0-9a-f]{64} [0-9a-f]{64} 2 [0-9]+$/);
  // What melting 5.00 of the token did: 0.05 HTR came back, and 5.00 are left.
  assert.equal(lines.at(-2), "self melt 5n -5n [ 0 ]");
  assert.equal(lines.at(-1), "too little");
});

test("import and require give one instance", async () => {
  assert.deepEqual(await run("both.cjs"), ["true true"]);
});

test("the WebAssembly file has an entry of its own", async () => {
  assert.deepEqual(await run("wasm.mjs"), ["true"]);
});

test("the package holds what it says, and the WebAssembly file is small", () => {
  const installed = join(project, "node_modules/headless-wallet");
  const { files, version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const file of files) {
    assert.ok(statSync(join(installed, file)).size > 0, file);
  }
  assert.match(readFileSync(join(ROOT, "Cargo.toml"), "utf8"), new RegExp(`^version = "${version}"$`, "m"));
  const wasm = readFileSync(join(PKG, "headless_wallet.wasm"));
  assert.ok(wasm.length <= MAX_WASM, `${wasm.length} bytes`);
  const gzipped = gzipSync(wasm, { level: 9 }).length;
  assert.ok(gzipped <= MAX_WASM_GZIPPED, `${gzipped} bytes gzipped`);
});
