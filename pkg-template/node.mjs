// For Node, where the WebAssembly file can be read without waiting, so that nobody has to call `init`. `npm run build` makes node.cjs
// of it as well.
import { provide, provideSockets } from "./core.js";
import { open, readFrom } from "./node-file.js";
import { loadSockets } from "./node-sockets.js";

export * from "./public.js";
export { init } from "./core.js";

const HERE = import.meta.url;

/** Where the file may be: beside this one, or where a bundler has put it. */
const PLACES = [
  // Bundlers that know this form copy the file and put its new place here.
  () => new URL("./headless_wallet.wasm", import.meta.url),
  // Some, as Next.js, put an address for browsers there, but in the place of this the one that this file had when it was bundled.
  () => new URL(HERE.replace(/[^/]*$/, "headless_wallet.wasm")),
  // In a CommonJS module there is no import.meta.
  () => `${__dirname}/headless_wallet.wasm`,
];

provide({ read: readFrom(PLACES, 'give it to `init`, or import "headless-wallet/base64"'), open });
provideSockets(loadSockets);
