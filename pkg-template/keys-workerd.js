// For Cloudflare Workers, where a WebAssembly file is imported as a module.
import wasm from "./headless_wallet_keys.wasm";
import { provide } from "./keys-core.js";

export * from "./keys-public.js";
export { init } from "./keys-core.js";

provide({ read: () => wasm });
