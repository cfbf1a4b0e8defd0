// For browsers and bundlers: the WebAssembly file lies beside this one.
import { provide } from "./keys-core.js";

export * from "./keys-public.js";
export { init } from "./keys-core.js";

provide({ request: () => fetch(new URL("./headless_wallet_keys.wasm", import.meta.url)) });
