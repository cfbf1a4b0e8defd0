// What Node lacks: version 20 has no WebSocket, and none before 23 has a CloseEvent.
import { substitutes } from "./globals.js";

substitutes.socketsTakeHeaders = true;

substitutes.CloseEvent = globalThis.CloseEvent ?? class CloseEvent extends Event {
  constructor(type, { code = 0, reason = "", wasClean = false } = {}) {
    super(type);
    Object.assign(this, { code, reason, wasClean });
  }
};

/** Loads `ws` where there is no WebSocket: not at once, as a program that only derives addresses needs none. */
export async function loadSockets() {
  if (!globalThis.WebSocket) substitutes.WebSocket ??= socketOf(await import("ws"));
}

const socketOf = (ws) =>
  class extends ws.WebSocket {
    constructor(url, options) {
      super(url, options);
      // An error that nobody listens to any more would end the process.
      this.on("error", () => {});
    }

    // Whoever lets go of a socket tells it of its end itself.
    dispatchEvent({ type, code, reason }) {
      return this.emit(type, code, Buffer.from(reason));
    }
  };
