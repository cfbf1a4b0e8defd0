// For browsers and bundlers: the WebAssembly file lies beside this one.
import { loader } from "./load.js";

export * from "./public.js";
export const init = loader(() => fetch(new URL("./headless_wallet.wasm", import.meta.url)));
