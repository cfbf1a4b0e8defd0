// The globals that the bindings use and that some homes lack, or have otherwise: their entries put what fits in its place.

/**
 * - `WebSocket`, `CloseEvent`: classes.
 * - `redirect`: how `fetch` is told to follow no redirection, where it doesn't know "error".
 * - `socketsTakeHeaders`: whether a WebSocket takes `{ headers }`, as those of browsers do not.
 */
export const substitutes = {};

/**
 * A socket that is no `EventTarget`, such as those of `ws`. Whoever lets go of one tells it of its end, after which its listeners are no
 * more; and an error that nobody listens to any more would end the process.
 */
function asEventTarget(socket) {
  const listeners = new Set();
  const add = socket.addEventListener.bind(socket);
  add("error", () => {});
  return Object.assign(socket, {
    addEventListener(type, listener, options) {
      if (type === "close") listeners.add(listener);
      add(type, listener, options);
    },
    dispatchEvent(event) {
      for (const listener of listeners) {
        socket.removeEventListener("close", listener);
        listener(event);
      }
      listeners.clear();
    },
  });
}

/** The body of a response, or `undefined` if it has more than `most` bytes: of a longer one no more than that is kept, whatever it unpacks to. */
async function bodyOf(response, most) {
  const reader = response.body?.getReader?.();
  if (reader === undefined) {
    // Of a `fetch` of the program's own, which has no streams.
    const bytes = new Uint8Array(await response.arrayBuffer());
    return bytes.length > most ? undefined : bytes;
  }
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const { buffer, byteOffset, byteLength } = part.value;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    length += bytes.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    parts.push(bytes);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const bytes of parts) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}

export const globals = {
  get WebSocket() {
    return substitutes.WebSocket ?? globalThis.WebSocket;
  },
  get CloseEvent() {
    return substitutes.CloseEvent ?? globalThis.CloseEvent;
  },

  /**
   * Status, `Retry-After` and body of the answer; no body if it has more than `most` bytes. `own` takes the place of the global `fetch`.
   * Whatever goes wrong rejects the promise, be the answer like none at all.
   */
  async fetch(own, url, method, headers, body, signal, most) {
    const redirect = substitutes.redirect ?? "error";
    const options = { method, headers: Object.fromEntries(headers), redirect, signal };
    if (body !== undefined) options.body = body;
    const response = await (own ?? globalThis.fetch)(url, options);
    const { status } = response;
    if (!Number.isInteger(status) || status < 0 || status > 999) throw new TypeError("`fetch` gave no response");
    const header = (name) => response.headers.get(name) ?? undefined;
    if (Number(header("content-length")) > most) {
      response.body?.cancel?.().catch(() => {});
      return [status];
    }
    return [status, header("retry-after"), await bodyOf(response, most)];
  },

  /** A WebSocket of the class `own`, or of the global one, which is given headers if it takes them. */
  openSocket(own, url, headers) {
    const Socket = own ?? globals.WebSocket;
    const takesHeaders = headers.length > 0 && (own !== undefined || substitutes.socketsTakeHeaders);
    const socket = takesHeaders ? new Socket(url, { headers: Object.fromEntries(headers) }) : new Socket(url);
    return typeof socket.dispatchEvent === "function" ? socket : asEventTarget(socket);
  },

  /** What was thrown, in words. Node's `fetch` has the reason in `cause`, such as ECONNREFUSED. */
  textOf(thrown) {
    try {
      const code = thrown?.cause?.code;
      return typeof code === "string" ? `${thrown} (${code})` : String(thrown);
    } catch {
      return "it threw what has no text";
    }
  },
};
