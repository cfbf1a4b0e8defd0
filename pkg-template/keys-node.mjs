// For Node, where the WebAssembly file can be read without waiting, so that nobody has to call `init`. `npm run build` makes keys.cjs
// of it as well.
import { provide } from "./keys-core.js";
import { open, readFrom } from "./node-file.js";

export * from "./keys-public.js";
export { init } from "./keys-core.js";

const HERE = import.meta.url;

/** Where the file may be: beside this one, or where a bundler has put it. */
const PLACES = [
  // Bundlers that know this form copy the file and put its new place here.
  () => new URL("./headless_wallet_keys.wasm", import.meta.url),
  // Some, as Next.js, put an address for browsers there, but in the place of this the one that this file had when it was bundled.
  () => new URL(HERE.replace(/[^/]*$/, "headless_wallet_keys.wasm")),
  // In a CommonJS module there is no import.meta.
  () => `${__dirname}/headless_wallet_keys.wasm`,
];

provide({ read: readFrom(PLACES, 'or give it to `init`'), open });
