// A WebSocket as Node 22 has it: where a connection can't be made, it tells of an error and never of an end.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { WebSocket as Real } from "ws";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";

let devnet;
let refuses = false;
const sockets = [];

class Socket extends EventTarget {
  readyState = 0;
  #real;
  constructor(url) {
    super();
    sockets.push(this);
    if (refuses) {
      setTimeout(() => this.dispatchEvent(new Event("error")));
      return;
    }
    this.#real = new Real(url);
    for (const name of ["open", "message", "close", "error"]) {
      this.#real.addEventListener(name, (event) => {
        this.readyState = this.#real.readyState;
        const init = name === "message" ? { data: event.data } : { code: event.code, reason: event.reason, wasClean: event.wasClean };
        this.dispatchEvent(Object.assign(new Event(name), init));
      });
    }
  }
  set binaryType(type) {
    if (this.#real) this.#real.binaryType = type;
  }
  send(text) {
    this.#real.send(text);
  }
  close() {
    this.#real?.close();
  }
  drop() {
    this.#real.terminate();
  }
}

globalThis.WebSocket = Socket;
const { Wallet, generateMnemonic } = await import(`${PKG}/node.mjs`);

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
});

after(() => devnet.stop());

test("a connection that can't be made is noticed at once, and made again when that is asked for", async () => {
  const { nodeUrl, miningUrl } = devnet;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: generateMnemonic() });
  after(() => wallet.stop());
  const began = Date.now();
  const before = sockets.length;
  refuses = true;
  sockets.at(-1).drop();
  // The second try comes once the first has failed.
  while (sockets.length < before + 2 && Date.now() - began < 15_000) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(sockets.length >= before + 2, "the failure was not noticed");
  refuses = false;
  const ready = wallet.events("state");
  wallet.reconnect();
  if (wallet.status().statusMessage !== "Ready") for await (const { statusMessage } of ready) if (statusMessage === "Ready") break;
});
