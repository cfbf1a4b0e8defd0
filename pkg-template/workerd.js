// For Cloudflare Workers, where a WebAssembly file is imported as a module.
import wasm from "./headless_wallet.wasm";
import { substitutes } from "./globals.js";
import { provide } from "./core.js";

export * from "./public.js";
export { init } from "./core.js";

// The wallet follows no redirection: an error is not to be had here, and the bare answer counts as one.
substitutes.redirect = "manual";

provide({ read: () => wasm });
