// The packed tarball in Chromium: bundled by Vite, by webpack, not at all, and in a Web Worker, with the README's example.
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
import { example } from "./support/readme.mjs";

const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PAGE = '<!doctype html><meta charset="utf-8"><title>test</title><body></body><script type="module" src="./main.js"></script>';
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".mjs": "text/javascript" };

let devnet;
let browser;
let project;
const servers = [];

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  const code = example("In a page", devnet);
  // In a worker there is no document: the text is sent to the page.
  const worker = code.replace("document.body.textContent = ", "const text = ").replace(/$/, "postMessage(text);\n");
  project = freshProject("browsers", {
    "index.html": PAGE,
    "main.js": code,
    "worker/index.html": PAGE,
    "worker/main.js": 'new Worker(new URL("./worker.js", import.meta.url), { type: "module" }).onmessage = ({ data }) => { document.body.textContent = data; };',
    "worker/worker.js": worker,
    "plain/index.html": PAGE.replace(
      "<script",
      '<script type="importmap">{ "imports": { "headless-wallet": "/node_modules/headless-wallet/web.js" } }</script><script',
    ),
    "plain/main.js": code,
    "kept/index.html": PAGE,
    "kept/main.js": example("Keeping the history", devnet),
  });
  browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
});

after(async () => {
  await browser?.close();
  for (const server of servers) server.close();
  await devnet?.stop();
});

/** Serves a directory; `types` can be wrong on purpose. */
async function serve(directory, types = TYPES) {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const body = await readFile(join(directory, path)).catch(() => null);
    response.writeHead(body ? 200 : 404, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    response.end(body ?? "");
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}

/** Opens a page and waits for what the example writes. Stands for the proxy that adds the CORS header, too. */
async function balanceShown(url, cents = /0/) {
  const context = await browser.newContext();
  const problems = [];
  for (const service of [devnet.nodeUrl, devnet.miningUrl]) {
    await context.route(`${service}**`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
    });
  }
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(url);
  const shown = page.waitForFunction(() => document.body.textContent.includes("receive at"), null, { timeout: 20_000 });
  await shown.catch((error) => assert.fail(`${error.message}: ${problems.join("; ")}`));
  const text = await page.locator("body").textContent();
  await context.close();
  assert.match(text, new RegExp(`^${cents.source} cents, receive at W[1-9A-HJ-NP-Za-km-z]{33}$`));
  assert.deepEqual(problems.filter((problem) => !problem.includes("favicon")), []);
}

test("bundled by Vite", async () => {
  await build({ root: project, logLevel: "error", build: { outDir: "vite", target: "es2022" } });
  await balanceShown(`${await serve(join(project, "vite"))}/`);
});

test("bundled by Vite, in a worker, from a server that gives a wrong type for .wasm", async () => {
  await build({ root: join(project, "worker"), logLevel: "error", worker: { format: "es" }, build: { outDir: "out", target: "es2022" } });
  await balanceShown(`${await serve(join(project, "worker/out"), { ...TYPES, ".wasm": "application/octet-stream" })}/`);
});

test("bundled by Vite, with a store", async () => {
  await build({ root: join(project, "kept"), logLevel: "error", build: { outDir: "out", target: "es2022" } });
  await balanceShown(`${await serve(join(project, "kept/out"))}/`, /[1-9][0-9]*/);
});

test("bundled by webpack", async () => {
  const stats = await new Promise((resolve, reject) => {
    const config = { mode: "production", context: project, entry: "./main.js", output: { path: join(project, "webpack"), filename: "main.js", module: true }, experiments: { outputModule: true }, performance: false };
    webpack(config, (error, found) => (error ? reject(error) : resolve(found)));
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  assert.deepEqual([...errors, ...warnings], []);
  await writeFile(join(project, "webpack/index.html"), PAGE);
  await balanceShown(`${await serve(join(project, "webpack"))}/`);
});

test("without a bundler", async () => {
  await balanceShown(`${await serve(project)}/plain/`);
});
