// The packed tarball in Chromium, with the READMEs' examples as they stand there: bundled by Vite, by webpack, not at all, and in
// a Web Worker. The pages are at http://localhost:3000, as the READMEs say: no full node lets others in by itself.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { build } from "vite";
import webpack from "webpack";
import { startDevnet } from "./support/devnet.mjs";
import { freshProject } from "./support/package.mjs";
import { OF_PACKAGE, examples } from "./support/readme.mjs";

const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PAGE = '<!doctype html><meta charset="utf-8"><title>test</title><body></body><script type="module" src="./main.js"></script>';
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".mjs": "text/javascript" };

let devnet;
let browser;
let project;
let server;
/** What is served, and as what. */
let site;

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  const [code] = examples(OF_PACKAGE, "In a page", devnet);
  const [kept] = examples(OF_PACKAGE, "Keeping the history", devnet);
  project = freshProject("browsers", {
    "index.html": PAGE,
    "main.js": code,
    "kept/index.html": PAGE,
    "kept/main.js": kept,
    "worker/index.html": PAGE,
    "worker/main.js": 'new Worker(new URL("./worker.js", import.meta.url), { type: "module" }).onmessage = ({ data }) => { document.body.textContent = data; };',
    // In a worker there is no document: the text is sent to the page.
    "worker/worker.js": code.replace(/document\.body\.textContent = (.+);/, "postMessage($1);"),
    "plain/index.html": PAGE.replace(
      "<script",
      '<script type="importmap">{ "imports": { "headless-wallet": "/node_modules/headless-wallet/web.js" } }</script><script',
    ),
    "plain/main.js": code,
  });
  server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const body = await readFile(join(site.directory, path)).catch(() => null);
    response.writeHead(body ? 200 : 404, { "content-type": site.types[extname(path)] ?? "application/octet-stream" });
    response.end(body ?? "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: ["--no-sandbox", "--disable-dev-shm-usage", `--host-resolver-rules=MAP localhost:3000 127.0.0.1:${port}`],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
  await devnet?.stop();
});

/** Serves a directory of the project, opens its page and waits for the balance. `types` can be wrong on purpose. */
async function balanceShown(directory, path = "/", types = TYPES) {
  site = { directory: join(project, directory), types };
  const context = await browser.newContext();
  const problems = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(`${message.text()} ${message.location().url}`));
  await page.goto(`http://localhost:3000${path}`);
  const shown = page.waitForFunction(() => document.body.textContent.includes("receive at"), null, { timeout: 20_000 });
  await shown.catch((error) => assert.fail(`${error.message}: ${problems.join("; ")}`));
  const text = await page.locator("body").textContent();
  await context.close();
  assert.match(text, /^[1-9][0-9]* cents, receive at W[1-9A-HJ-NP-Za-km-z]{33}$/);
  assert.deepEqual(problems.filter((problem) => !problem.endsWith("/favicon.ico")), []);
}

const bundle = (root, outDir) =>
  build({ root: join(project, root), logLevel: "error", worker: { format: "es" }, build: { outDir, target: "es2022" } });

test("bundled by Vite", async () => {
  await bundle("", "vite");
  await balanceShown("vite");
});

test("bundled by Vite, with a store", async () => {
  await bundle("kept", "out");
  await balanceShown("kept/out");
});

test("bundled by Vite, in a worker, from a server that gives a wrong type for .wasm", async () => {
  await bundle("worker", "out");
  await balanceShown("worker/out", "/", { ...TYPES, ".wasm": "application/octet-stream" });
});

test("bundled by webpack", async () => {
  const stats = await new Promise((resolve, reject) => {
    const config = { mode: "production", context: project, entry: "./main.js", output: { path: join(project, "webpack"), filename: "main.js", module: true }, experiments: { outputModule: true }, performance: false };
    webpack(config, (error, found) => (error ? reject(error) : resolve(found)));
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  assert.deepEqual([...errors, ...warnings], []);
  await writeFile(join(project, "webpack/index.html"), PAGE);
  await balanceShown("webpack");
});

test("without a bundler", async () => {
  await balanceShown("", "/plain/");
});
