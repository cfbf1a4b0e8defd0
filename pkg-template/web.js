// For browsers and bundlers: the WebAssembly file lies beside this one.
import { provide } from "./core.js";

export * from "./public.js";
export { init } from "./core.js";

provide({ request: () => fetch(new URL("./headless_wallet.wasm", import.meta.url)) });
