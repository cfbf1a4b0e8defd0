// What Node lacks: version 20 has no WebSocket, and none before 23 has a CloseEvent. `npm run build` puts these in the place of
// the globals, inside of the package alone.
import { createRequire } from "node:module";

export const CloseEvent =
  globalThis.CloseEvent ??
  class extends Event {
    constructor(type, { code = 0, reason = "", wasClean = false } = {}) {
      super(type);
      Object.assign(this, { code, reason, wasClean });
    }
  };

export const WebSocket = globalThis.WebSocket ?? lazySocket();

/** Loads `ws` with the first socket: a program that only derives addresses need not wait for it. */
function lazySocket() {
  let Socket;
  return class {
    constructor(url) {
      Socket ??= socketOfWs();
      return new Socket(url);
    }
  };
}

function socketOfWs() {
  const ws = createRequire(__filename)("ws");
  return class extends ws.WebSocket {
    constructor(url) {
      super(url);
      // An error that nobody listens to any more would end the process.
      this.on("error", () => {});
    }

    // Whoever lets go of a socket tells it of its end itself.
    dispatchEvent({ type, code, reason }) {
      return this.emit(type, code, Buffer.from(reason));
    }
  };
}
