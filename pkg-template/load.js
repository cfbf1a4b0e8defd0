// Loads the WebAssembly file, once for all entries: when `init` or `ready` is called and, where the file can be had without waiting,
// when a function first needs it.
import * as bindings from "./bindings.js";
import { globals } from "./globals.js";

const IMPORTS = { "./bindings.js": bindings };

/** What the entries have said, see `provide`. */
const ways = { open: (from) => fetch(from) };
let exports;
let loading;

/**
 * Each entry says what can be done where it runs:
 * - `read()` gives the file at once, as bytes or as a module;
 * - `request()` gives the response that brings the file, where it can't be read;
 * - `open(from)` gets at an address that `init` was given;
 * - `connect()` makes sockets ready for use.
 */
export function provide(more) {
  Object.assign(ways, more);
}

/** Loads the file, from `source` if one is given. A failure is forgotten: the next call tries again. */
export function init(source) {
  loading ??= load(source).catch((error) => {
    loading = undefined;
    throw cannotLoad(error);
  });
  return loading;
}

/** Makes everything ready that a wallet needs. */
export async function ready() {
  let cause;
  const connecting = ways.connect?.().catch((error) => (cause = error));
  await Promise.all([init(), connecting]);
  // Otherwise the full node would seem to be away.
  if (!globals.WebSocket) throw startError(ways.connect ? NO_WS : NO_WEBSOCKET, { cause });
}

const NO_WS = "this Node has no WebSocket: install the package ws (npm install ws) or use Node 22 or later";
const NO_WEBSOCKET = "there is no WebSocket here, and this entry of the package brings none: use the one for Node, or Node 22 or later";

async function load(source) {
  if (exports) return;
  const instance = await instantiate(await (source ?? (ways.read ?? ways.request)()));
  // A function may have loaded it meanwhile.
  if (!exports) use(instance);
}

function loadNow() {
  if (!ways.read) throw startError("`await init()` must come first (Wallet.start does it by itself)");
  try {
    const file = ways.read();
    use(new WebAssembly.Instance(is(file, "WebAssembly.Module") ? file : new WebAssembly.Module(file), IMPORTS));
  } catch (error) {
    throw cannotLoad(error);
  }
}

function use(instance) {
  exports = instance.exports;
  bindings.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
}

async function instantiate(from) {
  const opened = typeof from === "string" || is(from, "URL") ? await ways.open(from) : from;
  const file = is(opened, "Response") ? await compileResponse(opened) : opened;
  if (!is(file, "WebAssembly.Module") && !is(file, "ArrayBuffer") && !ArrayBuffer.isView(file)) {
    throw new Error(`init takes its address, its bytes, a Response or a WebAssembly.Module, and not ${describe(file)}`);
  }
  const made = await WebAssembly.instantiate(file, IMPORTS);
  return made.instance ?? made;
}

async function compileResponse(response) {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok) throw new Error(`${response.url} answered status ${response.status}`);
  if (type.startsWith("text/html")) {
    throw new Error(
      `${response.url} answered with a page: the file is not there (Vite before 8: optimizeDeps: { exclude: ["headless-wallet"] })`,
    );
  }
  // Compiling while it comes needs the right content type, which not every server gives.
  return type.startsWith("application/wasm") ? WebAssembly.compileStreaming(response) : response.arrayBuffer();
}

/** Tells also of what comes from another realm, as in Jest, where `instanceof` does not. */
const is = (value, name) => Object.prototype.toString.call(value) === `[object ${name}]`;

const describe = (value) => (value !== null && typeof value === "object" ? (value.constructor?.name ?? "an object") : String(value));

/** An error like those of the WebAssembly side. */
const startError = (message, options) =>
  Object.assign(new Error(`headless-wallet: ${message}`, options), { name: "StartError", code: "NOT_INITIALIZED" });

const cannotLoad = (cause) => startError(`the WebAssembly file can't be loaded: ${cause?.message ?? cause}`, { cause });

// Stands in for the exports of the file until they are there.
bindings.__wbg_set_wasm(
  new Proxy(
    {},
    {
      get(_, name) {
        loadNow();
        return exports[name];
      },
    },
  ),
);
