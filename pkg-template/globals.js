// The globals that the bindings use and that some homes lack, or have otherwise: their entries put what fits in its place.

export const substitutes = {};

export const globals = {
  get WebSocket() {
    return substitutes.WebSocket ?? globalThis.WebSocket;
  },
  get CloseEvent() {
    return substitutes.CloseEvent ?? globalThis.CloseEvent;
  },
  get Request() {
    return substitutes.Request ?? globalThis.Request;
  },
};
