// For Cloudflare Workers, where a WebAssembly file is imported as a module.
import wasm from "./headless_wallet.wasm";
import { substitutes } from "./globals.js";
import { provide } from "./core.js";

export * from "./public.js";
export { init } from "./core.js";

/** The wallet follows no redirection: it asks for an error, which is not to be had here, and takes the bare answer for one. */
substitutes.Request = class extends Request {
  constructor(url, options) {
    super(url, options && { ...options, redirect: "manual" });
  }
};

provide({ read: () => wasm });
