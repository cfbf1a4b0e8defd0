// Bundlers: Vite 6 and 8, webpack 5 and esbuild, for pages in a real browser and for programs in Node.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import webpack from "webpack";
import { startDevnet } from "../node/support/devnet.mjs";
import { ROOT, freshProject } from "../node/support/package.mjs";
import { openBrowser, serve } from "./support/browser.mjs";
import { ADDRESS, AT_HOME, DERIVE, HOMES, node, program, starter } from "./support/homes.mjs";

const VITES = { 6: join(HOMES, "node_modules"), 8: join(ROOT, "node_modules") };
const PAGE = '<!doctype html><meta charset="utf-8"><title>test</title><body></body><script type="module" src="./page.js"></script>';

let devnet;
let browser;
let project;

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  browser = await openBrowser();
  const page = (entry) => `import * as wallets from "${entry}";
    ${starter(devnet)}
    wallets.init().then(async () => { document.body.textContent = ${DERIVE} + " | " + await start(); });`;
  project = freshProject("homes-bundlers", {
    "index.html": PAGE,
    "page.js": page("headless-wallet"),
    "base64.js": page("headless-wallet/base64"),
    "keys.html": PAGE.replace("page.js", "keys.js"),
    "keys.js": `import * as wallets from "headless-wallet/keys";
      wallets.init().then(() => { document.body.textContent = "first at " + ${DERIVE}; });`,
    "import.mjs": `import * as wallets from "headless-wallet";${program(devnet)}`,
    "require.cjs": `const wallets = require("headless-wallet");${program(devnet)}`,
    "base64.mjs": `import * as wallets from "headless-wallet/base64";${program(devnet)}`,
    "base64.cjs": `const wallets = require("headless-wallet/base64");${program(devnet)}`,
  });
});

after(async () => {
  await browser?.close();
  await devnet?.stop();
});

/** What a page shows that is served from a folder of the project. */
async function shown(folder) {
  const server = await serve(join(project, folder));
  try {
    return await browser.shown(server.url);
  } finally {
    server.stop();
  }
}

for (const [version, folder] of Object.entries(VITES)) {
  const load = () => import(pathToFileURL(join(folder, "vite/dist/node/index.js")));

  test(`Vite ${version} builds a page`, async () => {
    const { build, version: found } = await load();
    assert.equal(found.split(".")[0], version);
    await build({ root: project, configFile: false, logLevel: "error", build: { outDir: `vite${version}` } });
    assert.deepEqual(await shown(`vite${version}`), AT_HOME);
  });

  test(`Vite ${version} serves a page during development`, async () => {
    const { createServer } = await load();
    const optimizeDeps = version === "6" ? { exclude: ["headless-wallet"] } : {};
    const server = await createServer({ root: project, configFile: false, logLevel: "error", optimizeDeps, cacheDir: `.vite${version}`, server: { port: 0 } });
    try {
      await server.listen();
      assert.deepEqual(await browser.shown(server.resolvedUrls.local[0]), AT_HOME);
    } finally {
      await server.close();
    }
  });
}

/** Bundles for Node, in a folder of its own; what else it needs there is `files` of the package. */
async function inNode(name, build, files = []) {
  const folder = join(project, name);
  mkdirSync(folder);
  const bundle = await build(folder);
  for (const file of files) cpSync(join(project, "node_modules/headless-wallet", file), join(folder, file));
  assert.deepEqual(await node([bundle], { cwd: folder }), AT_HOME);
}

function pack(config) {
  return new Promise((resolve, reject) => {
    // What `ws` can do without.
    const ignoreWarnings = [/Can't resolve '(bufferutil|utf-8-validate)'/];
    webpack({ mode: "production", context: project, performance: false, optimization: { minimize: false }, ignoreWarnings, ...config }, (error, stats) => {
      const { errors, warnings } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
      if (error || errors.length + warnings.length > 0) reject(error ?? new Error(JSON.stringify([errors, warnings])));
      else resolve();
    });
  });
}

test("webpack builds a page", async () => {
  await pack({ entry: "./page.js", output: { path: join(project, "webpack"), filename: "page.js" } });
  writeFileSync(join(project, "webpack/index.html"), PAGE);
  assert.deepEqual(await shown("webpack"), AT_HOME);
});

for (const entry of ["import.mjs", "require.cjs", "base64.mjs", "base64.cjs"]) {
  test(`webpack bundles ${entry} for Node`, () =>
    inNode(`webpack-${entry}`, async (path) => {
      await pack({ entry: `./${entry}`, target: "node", output: { path, filename: "bundle.cjs" } });
      return "bundle.cjs";
    }));
}

test("webpack makes an ECMAScript module for Node", () =>
  inNode("webpack-esm", async (path) => {
    await pack({ entry: "./import.mjs", target: "node", output: { path, filename: "bundle.mjs", module: true }, experiments: { outputModule: true } });
    return "bundle.mjs";
  }));

test("esbuild builds a page, beside which the file is put", async () => {
  await esbuild.build({ entryPoints: [join(project, "page.js")], bundle: true, format: "esm", outdir: join(project, "esbuild"), logLevel: "error" });
  writeFileSync(join(project, "esbuild/index.html"), PAGE);
  cpSync(join(project, "node_modules/headless-wallet/headless_wallet.wasm"), join(project, "esbuild/headless_wallet.wasm"));
  assert.deepEqual(await shown("esbuild"), AT_HOME);
});

test("esbuild builds a page of one file", async () => {
  const outfile = join(project, "esbuild-base64/page.js");
  await esbuild.build({ entryPoints: [join(project, "base64.js")], bundle: true, format: "iife", outfile, logLevel: "error" });
  writeFileSync(join(project, "esbuild-base64/index.html"), PAGE);
  assert.deepEqual(await shown("esbuild-base64"), AT_HOME);
});

test("the entry for keys, in pages of Vite, webpack and esbuild", async () => {
  const { build } = await import(pathToFileURL(join(VITES[8], "vite/dist/node/index.js")));
  await build({ root: project, configFile: false, logLevel: "error", build: { outDir: "vite-keys", rollupOptions: { input: join(project, "keys.html") } } });
  cpSync(join(project, "vite-keys/keys.html"), join(project, "vite-keys/index.html"));
  await pack({ entry: "./keys.js", output: { path: join(project, "webpack-keys"), filename: "keys.js" } });
  await esbuild.build({ entryPoints: [join(project, "keys.js")], bundle: true, format: "esm", outdir: join(project, "esbuild-keys"), logLevel: "error" });
  cpSync(join(project, "node_modules/headless-wallet/headless_wallet_keys.wasm"), join(project, "esbuild-keys/headless_wallet_keys.wasm"));
  for (const folder of ["webpack-keys", "esbuild-keys"]) cpSync(join(project, "keys.html"), join(project, folder, "index.html"));
  for (const folder of ["vite-keys", "webpack-keys", "esbuild-keys"]) assert.deepEqual(await shown(folder), [`first at ${ADDRESS}`], folder);
});

// In an ECMAScript module esbuild bundles nothing that requires parts of Node, as `ws` does, which Node 20 needs.
const ESBUILD = [
  ["import.mjs", { format: "esm", external: ["ws"] }],
  ["base64.mjs", { format: "esm", external: ["ws"] }],
  ["import.mjs", { format: "cjs" }],
  ["base64.mjs", { format: "cjs" }],
  ["require.cjs", { format: "cjs" }],
  ["base64.cjs", { format: "cjs" }],
];
for (const [entry, options] of ESBUILD) {
  test(`esbuild bundles ${entry} for Node as ${options.format}`, () =>
    inNode(
      `esbuild-${options.format}-${entry}`,
      async (folder) => {
        const bundle = options.format === "esm" ? "bundle.mjs" : "bundle.cjs";
        await esbuild.build({ entryPoints: [join(project, entry)], bundle: true, platform: "node", outfile: join(folder, bundle), logLevel: "error", ...options });
        return bundle;
      },
      entry.startsWith("base64") ? [] : ["headless_wallet.wasm"],
    ));
}
