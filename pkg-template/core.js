// The whole wallet's WebAssembly file, and what else a wallet needs.
import * as bindings from "./bindings.js";
import { globals } from "./globals.js";
import { loader, startError } from "./load.js";

export const { provide, init } = loader(bindings);

let connect;

/** `load()` makes sockets ready for use. */
export function provideSockets(load) {
  connect = load;
}

/** Makes everything ready that a wallet needs, which may bring its own sockets. */
export async function ready(ownSockets) {
  if (ownSockets) return init();
  let cause;
  const connecting = connect?.().catch((error) => (cause = error));
  await Promise.all([init(), connecting]);
  // Otherwise the full node would seem to be away.
  if (!globals.WebSocket) throw startError(connect ? NO_WS : NO_WEBSOCKET, { cause });
}

const NO_WS = "this Node has no WebSocket: install the package ws (npm install ws) or use Node 22 or later";
const NO_WEBSOCKET = "there is no WebSocket here, and this entry of the package brings none: use the one for Node, or Node 22 or later";
