// A program's own ways to the network: all that a wallet says goes through them, and nothing through the global ones.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { createGzip } from "node:zlib";
import { after, before, test } from "node:test";
import { WebSocket as Socket } from "ws";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";

const realFetch = globalThis.fetch;
const { Account, Wallet, generateMnemonic, isWalletError, verifyMessage } = await import(`${PKG}/node.mjs`);

let devnet;
const seed = generateMnemonic();

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
});

after(() => devnet.stop());

/** Ends with an error whatever goes past a wallet's own ways. */
function forbidGlobals(t) {
  const { WebSocket } = globalThis;
  const past = [];
  globalThis.fetch = (url) => {
    past.push(`${url}`);
    throw new Error("the global fetch");
  };
  globalThis.WebSocket = class {
    constructor(url) {
      past.push(`${url}`);
      throw new Error("the global WebSocket");
    }
  };
  t.after(() => Object.assign(globalThis, { fetch: realFetch, WebSocket }));
  return past;
}

test("every request and every socket goes the program's own way, with its headers", async (t) => {
  const { nodeUrl, miningUrl } = devnet;
  const requests = [];
  const sockets = [];
  const fetch = (url, options) => {
    requests.push({ url, ...options });
    return realFetch(url, options);
  };
  class WebSocket extends Socket {
    constructor(...given) {
      super(...given);
      sockets.push(given);
    }
  }
  const control = devnet.control;
  // Of the test's own, and not of the wallet's.
  devnet.control = (...given) => {
    const forbidden = globalThis.fetch;
    globalThis.fetch = realFetch;
    return control(...given).finally(() => (globalThis.fetch = forbidden));
  };
  const past = forbidGlobals(t);
  const wallet = await Wallet.start({
    network: "privatenet",
    nodeUrl,
    miningUrl,
    seed,
    fetch,
    WebSocket,
    nodeHeaders: { Authorization: "Bearer node" },
    miningHeaders: { "X-Gate": "mining" },
    miningApiKey: "key",
  });
  const paid = wallet.once("balance");
  await devnet.control("fund", { address: await wallet.address(), amount: 500 });
  assert.equal((await paid).available, 500n);
  await wallet.sendTx({ outputs: [{ type: "data", data: "by my own way" }] });
  assert.equal((await wallet.token("00")).symbol, "HTR");
  await wallet.stop();

  assert.deepEqual(past, []);
  assert.deepEqual(sockets, [[`${nodeUrl.replace("http", "ws")}ws/`, { headers: { authorization: "Bearer node" } }]]);
  const [toNode, toMining] = [nodeUrl, miningUrl].map((base) => requests.filter(({ url }) => url.startsWith(base)));
  assert.equal(toNode.length + toMining.length, requests.length);
  const paths = (list, base) => new Set(list.map(({ url }) => new URL(url).pathname.slice(new URL(base).pathname.length)));
  for (const path of ["version", "push_tx", "tx_parents"]) assert.ok(paths(toNode, nodeUrl).has(path), path);
  assert.deepEqual([...paths(toMining, miningUrl)].sort(), ["job-status", "submit-job"]);
  for (const { method, headers, body, redirect, signal } of toNode) {
    const json = method === "GET" ? {} : { "content-type": "application/json" };
    assert.deepEqual(headers, { authorization: "Bearer node", ...json });
    assert.equal(typeof body, method === "GET" ? "undefined" : "string");
    assert.deepEqual([redirect, signal instanceof AbortSignal], ["error", true]);
  }
  for (const { method, headers } of toMining) {
    const json = method === "GET" ? {} : { "content-type": "application/json" };
    assert.deepEqual(headers, { "x-gate": "mining", apikey: "key", ...json });
  }
});

test("sockets of the package ws may be given up at any time", async () => {
  class WebSocket extends Socket {}
  const { nodeUrl, miningUrl } = devnet;
  for (let n = 0; n < 3; n += 1) {
    const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed, WebSocket });
    await wallet.stop();
  }
  const server = createServer().on("upgrade", () => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const silent = `http://127.0.0.1:${server.address().port}/v1a/`;
  const fetch = (url, options) => realFetch(url.replace(silent, nodeUrl), options);
  const giveUp = new AbortController();
  const asked = once(server, "upgrade");
  const starting = Wallet.start({ network: "privatenet", nodeUrl: silent, miningUrl, seed, fetch, WebSocket, signal: giveUp.signal });
  const [, socket] = await asked;
  giveUp.abort();
  await assert.rejects(starting, { name: "AbortError" });
  // An exception that nobody catches would fail this test.
  socket.destroy();
  server.close();
});

test("headers go with the sockets of Node, too", async () => {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push([request.url, request.headers["x-gate"]]);
    response.writeHead(503).end();
  });
  server.on("upgrade", (request, socket) => {
    seen.push([request.url, request.headers["x-gate"]]);
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const gate = `http://127.0.0.1:${server.address().port}/v1a/`;
  // The first question is answered, so that the wallet goes on to its socket.
  const fetch = (url, options) => realFetch(url.replace(gate, devnet.nodeUrl), options);
  const asked = once(server, "upgrade");
  const starting = Wallet.start({ network: "privatenet", nodeUrl: gate, mining: "local", seed, fetch, nodeHeaders: { "X-Gate": "open" }, signal: AbortSignal.timeout(3_000) });
  starting.catch(() => {});
  await asked;
  assert.deepEqual(seen[0], ["/v1a/ws/", "open"]);
  await assert.rejects(starting);
  server.close();
  server.closeAllConnections();
});

test("a way that fails or answers nonsense is an error like any other, and one that is none is refused", async () => {
  const { nodeUrl, miningUrl } = devnet;
  const start = (options) => Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed, ...options });
  const refused = (field, must) => (error) => {
    assert.ok(isWalletError(error), `${error}`);
    assert.deepEqual([error.code, error.field, error.message], ["INVALID_INPUT", field, `${field} ${must}`]);
    return true;
  };
  await assert.rejects(start({ fetch: "fetch" }), refused("fetch", "must be a function"));
  await assert.rejects(start({ WebSocket: {} }), refused("WebSocket", "must be a function"));
  await assert.rejects(start({ nodeHeaders: [] }), refused("nodeHeaders", "must be an object"));
  const plain = "must be a plain object: Object.fromEntries makes one";
  await assert.rejects(start({ nodeHeaders: new Headers({ a: "b" }) }), refused("nodeHeaders", plain));
  await assert.rejects(start({ miningHeaders: new Map([["a", "b"]]) }), refused("miningHeaders", plain));
  await assert.rejects(start({ nodeHeaders: { "a b": "x" } }), refused("nodeHeaders.a b", "must be the name of a header: letters, digits and hyphens"));
  const line = "must be the value of a header: one line of ASCII characters";
  await assert.rejects(start({ miningHeaders: { "X-A": "x\r\nX-B: y" } }), refused("miningHeaders.X-A", line));
  const unreachable = (words) => (error) => {
    assert.ok(isWalletError(error), `${error}`);
    assert.equal(error.code, "NODE_UNREACHABLE");
    assert.ok(error.message.includes(words), error.message);
    return true;
  };
  for (const [fetch, words] of [
    [() => { throw new Error("the gateway is closed"); }, "the gateway is closed"],
    [() => Promise.reject(new Error("no way")), "no way"],
    [() => undefined, "TypeError"],
    [() => ({}), "`fetch` gave no response"],
    [() => ({ status: 200 }), "TypeError"],
    [() => { throw { toString() { throw 1; } }; }, "it threw what has no text"],
  ]) {
    await assert.rejects(start({ fetch }), unreachable(words));
  }
});

test("an answer without end is read as far as it may go, packed or not", async (t) => {
  const { miningUrl } = devnet;
  const MOST = 8 << 20;
  for (const encoding of [undefined, "gzip"]) {
    const node = createServer((_, response) => {
      response.on("error", () => {});
      response.writeHead(200, encoding && { "content-encoding": encoding });
      const packer = encoding && createGzip();
      packer?.pipe(response);
      const to = packer ?? response;
      const more = () => {
        while (!response.destroyed && to.write(Buffer.alloc(1 << 20, " ")));
      };
      to.on("drain", more);
      more();
    });
    node.listen(0, "127.0.0.1");
    await once(node, "listening");
    t.after(() => node.closeAllConnections());
    const nodeUrl = `http://127.0.0.1:${node.address().port}/v1a/`;
    const start = Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed, historySyncMode: "polling_http_api" });
    await assert.rejects(start, (error) => error.message.includes(`more than ${MOST} bytes`));
    node.close();
  }
});

test("the entry for keys verifies messages, as the whole package does", async () => {
  const keys = await import(`${PKG}/keys-node.mjs`);
  const account = Account.fromSeed(seed);
  const [address] = account.addresses({ network: "mainnet", count: 1 });
  const signature = account.signMessage(0, "hello");
  for (const verify of [verifyMessage, keys.verifyMessage]) {
    assert.equal(verify({ message: "hello", address, signature }), true);
    assert.equal(verify({ message: "hello", address, signature }, "mainnet"), true);
    assert.equal(verify({ message: "hallo", address, signature }), false);
    assert.equal(verify({ message: "hello", address, signature: "x" }), false);
  }
});
