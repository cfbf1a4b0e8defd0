// How the WebAssembly file gets loaded: when it is first needed, from wherever it may be, and with a clear error where it can't be.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PKG, ROOT } from "./support/package.mjs";

/** The package without its WebAssembly file. */
const BARE = join(ROOT, "target/projects/bare");
const WASM = join(PKG, "headless_wallet.wasm");
const CANNOT = "headless-wallet: the WebAssembly file can't be loaded";
const ADVICE = 'copy it from the package to there, give it to `init`, or import "headless-wallet/base64"';

let server;
let url;

before(async () => {
  rmSync(BARE, { recursive: true, force: true });
  cpSync(PKG, BARE, { recursive: true, filter: (path) => !path.endsWith(".wasm") });
  server = createServer((request, response) => {
    const [status, type, body] = {
      "/right": [200, "application/wasm", readFileSync(WASM)],
      "/type": [200, "application/octet-stream", readFileSync(WASM)],
      "/page": [200, "text/html; charset=utf-8", "<!doctype html>"],
      "/wrong": [200, "application/wasm", "no such thing"],
    }[request.url] ?? [404, "text/plain", ""];
    response.writeHead(status, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${server.address().port}`;
});

after(() => server.close());

/** Runs a program on an entry of the package, `wallets`, in a process of its own; gives what it prints. */
async function run(program, { entry = "node.mjs", directory = PKG, type = "module" } = {}) {
  const wallets = type === "module" ? `await import(${JSON.stringify(pathToFileURL(join(directory, entry)))})` : `require(${JSON.stringify(join(directory, entry))})`;
  const said = `const told = ({ name, code, message }) => console.log(name + " " + code + " " + message);`;
  const text = `const wallets = ${wallets}; ${said} ${program}`;
  const args = type === "module" ? ["--input-type=module", "-e", text] : ["-e", text];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  assert.equal(stderr, "");
  return stdout.trim().split("\n");
}

const USE = 'console.log(wallets.wordList().length);';
const USE_OR_TELL = `try { ${USE} } catch (error) { told(error); }`;

const NODE = [
  { entry: "node.mjs" },
  { entry: "node.cjs", type: "commonjs" },
  { entry: "base64-node.js" },
  { entry: "base64.cjs", type: "commonjs" },
];
for (const place of NODE) {
  test(`${place.entry} needs no init, and takes one`, async () => {
    assert.deepEqual(await run(USE, place), ["2048"]);
    assert.deepEqual(await run(`wallets.init().then(() => { ${USE} })`, place), ["2048"]);
    assert.deepEqual(await run(`const ready = wallets.init(); ${USE} ready.then(() => { ${USE} })`, place), ["2048", "2048"]);
  });
}

test("what a function has loaded meanwhile stays", async () => {
  const program = `const ready = wallets.init();
    const account = wallets.Account.fromXpub(wallets.Account.fromSeed("${"abandon ".repeat(23)}art").xpub());
    await ready; await wallets.init(); console.log(account.addresses({ network: "mainnet", count: 1 })[0]);`;
  assert.deepEqual(await run(program), ["HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq"]);
});

for (const place of NODE.slice(0, 2)) {
  test(`${place.entry} can be imported without the file, and says where it should be`, async () => {
    const says = [`StartError NOT_INITIALIZED ${CANNOT}: ENOENT: no such file or directory, open '${join(BARE, "headless_wallet.wasm")}': ${ADVICE}`];
    assert.deepEqual(await run(USE_OR_TELL, { ...place, directory: BARE }), says);
    assert.deepEqual(await run("wallets.init().catch(told);", { ...place, directory: BARE }), says);
    assert.deepEqual(await run("wallets.Wallet.start({}).catch(told);", { ...place, directory: BARE }), says);
  });
}

for (const place of [{ entry: "base64-node.js" }, { entry: "base64.cjs", type: "commonjs" }, { entry: "base64.js" }]) {
  test(`${place.entry} needs no file`, async () => {
    assert.deepEqual(await run(USE, { ...place, directory: BARE }), ["2048"]);
  });
}

// What Node 20 is without the package ws: below the project's folder it would be found there.
const WITHOUT_WS = "delete globalThis.WebSocket; wallets.Wallet.start({}).catch(told);";
for (const place of NODE) {
  test(`${place.entry} says what is missing where there is no WebSocket`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), "wallet-without-ws-"));
    t.after(() => rmSync(directory, { recursive: true }));
    cpSync(PKG, directory, { recursive: true });
    assert.deepEqual(await run(WITHOUT_WS, { ...place, directory }), [
      "StartError NOT_INITIALIZED headless-wallet: this Node has no WebSocket: install the package ws (npm install ws) or use Node 22 or later",
    ]);
    assert.deepEqual(await run(USE, { ...place, directory }), ["2048"]);
  });
}

test("an entry for pages says that it brings no WebSocket", async () => {
  assert.deepEqual(await run(WITHOUT_WS, { entry: "base64.js" }), [
    "StartError NOT_INITIALIZED headless-wallet: there is no WebSocket here, and this entry of the package brings none: use the one for Node, or Node 22 or later",
  ]);
});

test("in a page functions ask for init, and Wallet.start does not", async () => {
  const place = { entry: "web.js" };
  assert.deepEqual(await run(USE_OR_TELL, place), [
    "StartError NOT_INITIALIZED headless-wallet: `await init()` must come first (Wallet.start does it by itself)",
  ]);
  // It can't fetch here from where it lies.
  assert.deepEqual(await run("await wallets.Wallet.start({}).catch(told);", place), [`StartError NOT_INITIALIZED ${CANNOT}: fetch failed`]);
});

const SOURCES = {
  "bytes": () => `fs.readFileSync(${JSON.stringify(WASM)})`,
  "an ArrayBuffer": () => `new Uint8Array(fs.readFileSync(${JSON.stringify(WASM)})).buffer`,
  "bytes of another realm": () => `new (vm.runInNewContext("Uint8Array"))(fs.readFileSync(${JSON.stringify(WASM)})).buffer`,
  "a WebAssembly.Module": () => `new WebAssembly.Module(fs.readFileSync(${JSON.stringify(WASM)}))`,
  "a Response": () => `await fetch("${url}/right")`,
  "a promise of a Response": () => `fetch("${url}/type")`,
  "a URL": () => `new URL("${url}/right")`,
  "a string": () => `"${url}/type"`,
};
for (const [what, source] of Object.entries(SOURCES)) {
  test(`init takes ${what}`, async () => {
    const program = `import fs from "node:fs"; import vm from "node:vm"; await wallets.init(${source()}); ${USE}`;
    for (const entry of ["web.js", "node.mjs"]) assert.deepEqual(await run(program, { entry, directory: BARE }), ["2048"]);
  });
}

test("init takes a file's URL or path in Node", async () => {
  for (const source of [`new URL(${JSON.stringify(pathToFileURL(WASM))})`, JSON.stringify(pathToFileURL(WASM)), JSON.stringify(WASM)]) {
    assert.deepEqual(await run(`await wallets.init(${source}); ${USE}`, { directory: BARE }), ["2048"]);
  }
});

test("init says what is wrong with what it is given, and can be called again", async () => {
  const init = async (source) => run(`await wallets.init(${source}).catch(told); await wallets.init("${url}/right"); ${USE}`, { entry: "web.js" });
  const wrong = async (source, problem) => assert.deepEqual(await init(source), [`StartError NOT_INITIALIZED ${CANNOT}: ${problem}`, "2048"]);
  const kinds = "init takes its address, its bytes, a Response or a WebAssembly.Module, and not";
  await wrong("{}", `${kinds} Object`);
  await wrong("null", "fetch failed");
  await wrong("7", `${kinds} 7`);
  await wrong("Object.create(null)", `${kinds} an object`);
  await wrong(`"${url}/missing"`, `${url}/missing answered status 404`);
  await wrong(
    `"${url}/page"`,
    `${url}/page answered with a page: the file is not there (Vite before 8: optimizeDeps: { exclude: ["headless-wallet"] })`,
  );
  await wrong("new Uint8Array(8)", "WebAssembly.instantiate(): expected magic word 00 61 73 6d, found 00 00 00 00 @+0");
  await wrong(`"${url}/wrong"`, "WebAssembly.compileStreaming(): expected magic word 00 61 73 6d, found 6e 6f 20 73 @+0");
});

test("entries share what was loaded", async () => {
  const program = `const others = await import(${JSON.stringify(pathToFileURL(join(PKG, "base64.js")))});
    console.log(others.Wallet === wallets.Wallet); ${USE} console.log(others.wordList().length);`;
  assert.deepEqual(await run(program, { entry: "web.js" }), ["true", "2048", "2048"]);
});
