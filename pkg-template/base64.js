// For places that can't load a WebAssembly file: its bytes are in a module.
import { provide } from "./core.js";
import base64 from "./wasm-base64.js";

export * from "./public.js";
export { init } from "./core.js";

provide({ read: () => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) });
