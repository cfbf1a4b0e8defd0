// What the entries for browsers and bundlers share: loading the WebAssembly file once, and saying so when it isn't there.
import * as bindings from "./bindings.js";

/** An error like those of the WebAssembly side. */
const startError = (message) =>
  Object.assign(new Error(`headless-wallet: ${message}`), { name: "StartError", code: "NOT_INITIALIZED" });

/** Stands in for the exports of the file: functions that need no `await` can't load it themselves. */
const notLoaded = new Proxy(
  {},
  {
    get() {
      throw startError("`await init()` must come first (Wallet.start does it by itself)");
    },
  },
);
bindings.__wbg_set_wasm(notLoaded);

/** Makes the `init` of an entry; `load` gives the bytes or a response. A failure is forgotten: the next call tries again. */
export function loader(load) {
  let loading;
  const init = (source) => {
    loading ??= instantiate(source, load).catch((error) => {
      loading = undefined;
      throw startError(`the WebAssembly file can't be loaded: ${error?.message ?? error}`);
    });
    return loading;
  };
  const { start } = bindings.Wallet;
  bindings.Wallet.start = async (options) => {
    await init();
    return start(options);
  };
  return init;
}

async function instantiate(source, load) {
  if (typeof source === "string") {
    source = fetch(source);
  }
  const from = await (source ?? load());
  const imports = { "./bindings.js": bindings };
  const { instance } = await (ArrayBuffer.isView(from) || from instanceof ArrayBuffer
    ? WebAssembly.instantiate(from, imports)
    : instantiateResponse(from, imports));
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}

async function instantiateResponse(response, imports) {
  if (!response.ok) {
    throw new Error(`${response.url} answered status ${response.status}`);
  }
  // Compiling while it comes needs the right content type, which not every server gives.
  return response.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.instantiateStreaming(response, imports)
    : WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
