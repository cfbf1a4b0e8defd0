// What the bindings take instead of the globals, which not every Node has.

/** Put here by Node's entries. */
export const substitutes = {};

export const sockets = {
  get WebSocket() {
    return globalThis.WebSocket ?? substitutes.WebSocket;
  },
  get CloseEvent() {
    return globalThis.CloseEvent ?? substitutes.CloseEvent;
  },
};
