// A server of the built page, for `www/serve.mjs` and `npm start`.
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { headerPolicy } from "./csp.mjs";

export const ROOT = fileURLToPath(new URL("dist", import.meta.url));
/** What is shown while the page is being built. */
const WAITING = fileURLToPath(new URL("waiting", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
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

async function answer(request, response, state) {
  const send = (status, headers, body) => response.writeHead(status, { ...HEADERS, ...headers }).end(body);
  const sendJson = (value) =>
    send(200, { "Content-Type": TYPES[".json"], "Cache-Control": "no-store" }, JSON.stringify(value ?? null));
  if (request.method !== "GET" && request.method !== "HEAD") return send(405, { Allow: "GET, HEAD" });
  let path;
  try {
    path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  } catch {
    return send(400, {});
  }
  if (path === "/place.json") return sendJson(state.place);
  if (path === "/building.json") return sendJson(state.building);
  const root = state.building ? WAITING : ROOT;
  const file = join(root, path.endsWith("/") ? `${path}index.html` : path);
  const found = file.startsWith(root) && (await stat(file).catch(() => undefined));
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

/**
 * Serves the page at the port, and gives its address.
 *
 * `state.place` is where the page's wallet finds its services, if somebody knows: `{network, nodeUrl, miningUrl}`. While `state.building`
 * is there (`{text, done, of, server, failed}`), a page in its place shows that, and turns into the wallet when it is gone.
 */
export function servePage(state, port) {
  const server = createServer((request, response) => {
    answer(request, response, state).catch(() => response.destroy());
  });
  return new Promise((served, failed) => {
    server.on("error", (error) => {
      const why = error.code === "EADDRINUSE" ? "the port is in use: end the program that uses it, or name another port in the environment variable PAGE_PORT" : error.message;
      failed(new Error(`The wallet page can't be served at port ${port}: ${why}.`));
    });
    server.listen(port, "127.0.0.1", () => served(`http://localhost:${server.address().port}/`));
  });
}
