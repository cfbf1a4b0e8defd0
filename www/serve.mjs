// Serves the built page at http://localhost:3000, the one origin that full nodes and mining services let in by themselves.
//
//   node www/serve.mjs                     the page alone
//   node www/serve.mjs -- COMMAND ARGS...  and a wallet server beside it, whose local network the page is pointed at
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { headerPolicy } from "./csp.mjs";

const ROOT = fileURLToPath(new URL("dist", import.meta.url));
const PORT = Number(process.env.PAGE_PORT ?? 3000);
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
};
const HEADERS = {
  "Content-Security-Policy": headerPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

const WAYS = {
  br: promisify((bytes, done) => brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }, done)),
  gzip: promisify(gzip),
};
/** What was compressed before, by its file, time and way: all of it together is smaller than the files. */
const compressed = new Map();

/** The file's bytes, compressed in a way that the browser reads. */
async function bytesOf(file, { mtimeMs }, accepted = "") {
  const way = Object.keys(WAYS).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  if (!way) return { bytes: await readFile(file) };
  const key = `${way} ${mtimeMs} ${file}`;
  if (!compressed.has(key)) compressed.set(key, readFile(file).then((bytes) => WAYS[way](bytes)));
  return { bytes: await compressed.get(key), way };
}

/** Where the page's wallet finds its services, if somebody told: `{network, nodeUrl, miningUrl}`. */
let place;
if (process.env.PAGE_NODE_URL && process.env.PAGE_MINING_URL) {
  place = {
    network: process.env.PAGE_NETWORK ?? "privatenet",
    nodeUrl: process.env.PAGE_NODE_URL,
    miningUrl: process.env.PAGE_MINING_URL,
  };
}

async function answer(request, response) {
  const send = (status, headers, body) => response.writeHead(status, { ...HEADERS, ...headers }).end(body);
  if (request.method !== "GET" && request.method !== "HEAD") return send(405, { Allow: "GET, HEAD" });
  let path;
  try {
    path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  } catch {
    return send(400, {});
  }
  if (path === "/place.json") {
    return send(200, { "Content-Type": TYPES[".json"], "Cache-Control": "no-store" }, JSON.stringify(place ?? null));
  }
  const file = join(ROOT, path.endsWith("/") ? `${path}index.html` : path);
  const found = file.startsWith(ROOT) && (await stat(file).catch(() => undefined));
  if (!found?.isFile()) return send(404, { "Content-Type": "text/plain" }, "There is no such file.\n");
  // Names of assets hold a hash of what is in them.
  const caching = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  const { bytes, way } = await bytesOf(file, found, request.headers["accept-encoding"]);
  const headers = {
    "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
    "Content-Length": bytes.length,
    "Cache-Control": caching,
    Vary: "Accept-Encoding",
    ...(way && { "Content-Encoding": way }),
  };
  send(200, headers, request.method === "HEAD" ? undefined : bytes);
}

/** The page, or a word on why not; the wallet server goes on without it. */
function servePage() {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on("error", (error) => {
    const why = error.code === "EADDRINUSE" ? "the port is in use: end the program that uses it" : error.message;
    console.error(`The wallet page can't be served at port ${PORT}: ${why}.`);
    if (!command) process.exitCode = 1;
  });
  server.listen(PORT, "127.0.0.1", () => console.log(`Wallet page: http://localhost:${server.address().port}/`));
  return server;
}

/** Runs the wallet server, shows what it says, and learns from it where its local network is. */
function runBeside([program, ...args], ready) {
  const child = spawn(program, args, { stdio: ["inherit", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(line);
    const network = /^Local network: full node (\S+) · mining service (\S+)/.exec(line);
    if (!network) return;
    place = { network: "privatenet", nodeUrl: network[1], miningUrl: network[2] };
    ready();
  });
  // The terminal's Ctrl-C reaches both; a signal to this process alone is handed on.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`${program} can't be run: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}

if (!existsSync(join(ROOT, "index.html"))) {
  console.error("The page is not built yet: run `npm run build:page`.");
  process.exit(1);
}
const separator = process.argv.indexOf("--");
const command = separator > 0 ? process.argv.slice(separator + 1) : undefined;
if (command) runBeside(command, servePage);
else servePage();
