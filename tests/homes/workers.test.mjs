// Workers: a service worker in a real browser, and workerd, which runs Cloudflare Workers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { startDevnet } from "../node/support/devnet.mjs";
import { freshProject } from "../node/support/package.mjs";
import { openBrowser, serve } from "./support/browser.mjs";
import { ADDRESS, AT_HOME, DERIVE, starter } from "./support/homes.mjs";

let devnet;
let project;

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  const handler = `${starter(devnet)}
    export default { async fetch() {
      try { return Response.json([${DERIVE}, await start()]); } catch ({ name, code, message }) { return Response.json([name, code, message]); }
    } };`;
  project = freshProject("homes-workers", {
    "index.html": '<!doctype html><meta charset="utf-8"><title>test</title><body></body><script type="module" src="./page.js"></script>',
    "page.js": `await navigator.serviceWorker.register("./service.js", { type: "module" });
      navigator.serviceWorker.onmessage = ({ data }) => { document.body.textContent = data; };
      (await navigator.serviceWorker.ready).active.postMessage("start");`,
    "service.js": `import * as wallets from "/node_modules/headless-wallet/web.js";
      ${starter(devnet)}
      const answer = async () => { await wallets.init(); return ${DERIVE} + " | " + await start(); };
      addEventListener("message", (event) => event.waitUntil(answer().then((text) => event.source.postMessage(text))));`,
    "main.mjs": `import * as wallets from "headless-wallet"; ${handler}`,
    "module.mjs": `import * as wallets from "headless-wallet"; import wasm from "headless-wallet/wasm";
      export default { async fetch() { await wallets.init(wasm); return Response.json([${DERIVE}]); } };`,
    "keys.mjs": `import * as wallets from "headless-wallet/keys"; export default { fetch: () => Response.json([${DERIVE}]) };`,
    "base64.mjs": `import * as wallets from "headless-wallet/base64"; ${handler}`,
  });
});

after(() => devnet.stop());

test("a service worker", async () => {
  const browser = await openBrowser();
  const server = await serve(project);
  try {
    assert.deepEqual(await browser.shown(server.url), AT_HOME);
  } finally {
    server.stop();
    await browser.close();
  }
});

/** Bundles a program as Cloudflare's tools do, which leave the WebAssembly file to the runtime; gives what it answers. */
async function inWorkerd(entry, conditions, file = "headless_wallet.wasm") {
  const wasm = {
    name: "wasm",
    setup: ({ onResolve }) => onResolve({ filter: /(\.wasm|headless-wallet\/wasm)$/ }, () => ({ path: `./${file}`, external: true })),
  };
  const { outputFiles } = await build({
    entryPoints: [join(project, entry)], bundle: true, format: "esm", write: false, conditions, plugins: [wasm], logLevel: "error",
  });
  const worker = new Miniflare({
    compatibilityDate: "2026-04-01",
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: file, contents: readFileSync(join(project, "node_modules/headless-wallet", file)) },
    ],
  });
  try {
    return await (await worker.dispatchFetch("http://worker/")).json();
  } finally {
    await worker.dispose();
  }
}

test("workerd needs nothing", async () => {
  assert.deepEqual(await inWorkerd("main.mjs", ["workerd", "worker", "browser"]), AT_HOME);
});

test("workerd, with the entry for keys", async () => {
  assert.deepEqual(await inWorkerd("keys.mjs", ["workerd", "worker", "browser"], "headless_wallet_keys.wasm"), [ADDRESS]);
});

test("workerd, with the entry for other workers and the module given to init", async () => {
  assert.deepEqual(await inWorkerd("module.mjs", ["worker", "browser"]), [ADDRESS]);
});

test("workerd compiles no bytes, and says so", async () => {
  assert.deepEqual(await inWorkerd("base64.mjs", ["workerd", "worker", "browser"]), [
    "StartError",
    "NOT_INITIALIZED",
    "headless-wallet: the WebAssembly file can't be loaded: WebAssembly.Module(): Wasm code generation disallowed by embedder",
  ]);
});
