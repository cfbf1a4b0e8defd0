// For browsers and bundlers: the WebAssembly file lies beside this one.
import { provide } from "./load.js";

export * from "./public.js";
export { init } from "./load.js";

provide({ request: () => fetch(new URL("./headless_wallet.wasm", import.meta.url)) });
