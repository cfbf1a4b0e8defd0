// For Cloudflare Workers, where a WebAssembly file is imported as a module.
import wasm from "./headless_wallet.wasm";
import { provide } from "./load.js";

export * from "./public.js";
export { init } from "./load.js";

provide({ read: () => wasm });
