// Loads a WebAssembly file, once for all entries of it: when `init` is called and, where the file can be had without waiting, when a
// function first needs it.

/** A loader of the file that `bindings` are for. */
export function loader(bindings) {
  const imports = { "./bindings.js": bindings };
  const ways = { open: (from) => fetch(from) };
  let exports;
  let loading;

  const use = (instance) => {
    exports = instance.exports;
    bindings.__wbg_set_wasm(exports);
    exports.__wbindgen_start();
  };

  const loadNow = () => {
    if (!ways.read) throw startError("`await init()` must come first (Wallet.start does it by itself)");
    try {
      const file = ways.read();
      use(new WebAssembly.Instance(is(file, "WebAssembly.Module") ? file : new WebAssembly.Module(file), imports));
    } catch (error) {
      throw cannotLoad(error);
    }
  };

  const load = async (source) => {
    if (exports) return;
    const instance = await instantiate(await (source ?? (ways.read ?? ways.request)()), ways.open, imports);
    // A function may have loaded it meanwhile.
    if (!exports) use(instance);
  };

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

  return {
    /**
     * Each entry says what can be done where it runs:
     * - `read()` gives the file at once, as bytes or as a module;
     * - `request()` gives the response that brings the file, where it can't be read;
     * - `open(from)` gets at an address that `init` was given.
     */
    provide(more) {
      Object.assign(ways, more);
    },

    /** Loads the file, from `source` if one is given. A failure is forgotten: the next call tries again. */
    init(source) {
      loading ??= load(source).catch((error) => {
        loading = undefined;
        throw cannotLoad(error);
      });
      return loading;
    },
  };
}

async function instantiate(from, open, imports) {
  const opened = typeof from === "string" || is(from, "URL") ? await open(from) : from;
  const file = is(opened, "Response") ? await compileResponse(opened) : opened;
  if (!is(file, "WebAssembly.Module") && !is(file, "ArrayBuffer") && !ArrayBuffer.isView(file)) {
    throw new Error(`init takes its address, its bytes, a Response or a WebAssembly.Module, and not ${describe(file)}`);
  }
  const made = await WebAssembly.instantiate(file, imports);
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
export const startError = (message, options) =>
  Object.assign(new Error(`headless-wallet: ${message}`, options), { name: "StartError", code: "NOT_INITIALIZED" });

const cannotLoad = (cause) => startError(`the WebAssembly file can't be loaded: ${cause?.message ?? cause}`, { cause });
