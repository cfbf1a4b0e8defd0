// The package's store for browsers, in Chromium: what it keeps outlives pages, tabs that die and space that runs out, and is never
// written by two.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";

const FILES = /^\/[a-z0-9_-]+\.(js|wasm)$/;
const PAYMENTS = 60;

let network;
let server;
let browser;
let seed;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = createServer(({ url }, response) => {
    const [file] = FILES.exec(url) ?? [];
    response.setHeader("content-type", !file ? "text/html" : file.endsWith(".js") ? "text/javascript" : "application/wasm");
    if (file) createReadStream(fileURLToPath(new URL(`../../pkg${file}`, import.meta.url))).pipe(response);
    else response.end("<!doctype html><title>store</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  browser = await startBrowser(server.address().port);
});

after(async () => {
  await browser?.stop();
  server?.close();
  await network?.stop();
});

beforeEach(() => {
  seed = generateMnemonic();
});

/** A page of its own, in which `globalThis.wallet` can be started. */
async function openPage() {
  const page = await browser.page.context().newPage();
  await page.goto(ORIGIN);
  return page;
}

/** Starts the wallet there; gives its balance and the address it receives at, or the error. */
async function start(page, words = seed) {
  const { nodeUrl, miningUrl } = network;
  return page.evaluate(async (options) => {
    const [{ Wallet }, { indexedDbStore }] = await Promise.all([import("/web.js"), import("/indexeddb.js")]);
    try {
      globalThis.wallet = await Wallet.start({ ...options, store: indexedDbStore() });
    } catch ({ code, message }) {
      return { code, message };
    }
    return { balance: Number((await wallet.balance()).available), address: await wallet.address() };
  }, { network: "privatenet", nodeUrl, miningUrl, seed: words });
}

const stop = (page) => page.evaluate(() => wallet.stop());

/** Pays the wallet, and waits until it knows. */
async function pay(page, address, amount, count = 1) {
  const before = await page.evaluate(async () => Number((await wallet.balance()).available));
  await network.control("fund", { address, amount, count });
  // Not by `waitForFunction`, which takes what an asynchronous function promises for yes.
  await page.evaluate(async (want) => {
    while (Number((await wallet.balance()).available) !== want) await new Promise((looked) => setTimeout(looked, 10));
  }, before + amount * count);
}

/** Why nothing is kept, when that is so. */
async function storeError(page) {
  await page.waitForFunction(() => wallet.status().error);
  const error = await page.evaluate(() => wallet.status().error);
  return error.replace(/^store privatenet-[0-9a-f]{16}-[0-9a-f]{40}: /, "").replace(/: what happens now is not kept, which is tried .*$/, "");
}

/** What is in the database, by keys. */
const dump = (page) => page.evaluate(() => new Promise((resolve) => {
  indexedDB.open("headless-wallet").onsuccess = ({ target: { result: database } }) => {
    const request = database.transaction("entries").objectStore("entries").getAllKeys();
    request.onsuccess = () => {
      database.close();
      resolve(request.result.map(([, key]) => key));
    };
  };
}));

/** Counts what is asked of the full node from now on. */
function asked(page) {
  const counts = { streams: 0, histories: 0, balances: 0 };
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => {
    if (/history/.test(payload)) counts.streams += 1;
  }));
  page.on("request", (request) => {
    if (request.url().includes("/thin_wallet/address_history")) counts.histories += 1;
    if (request.url().includes("/thin_wallet/address_balance")) counts.balances += 1;
  });
  return counts;
}

test("a page that is loaded again asks only for what is new", async () => {
  const page = await openPage();
  const { balance, address } = await start(page);
  assert.equal(balance, 0);
  await pay(page, address, 10, PAYMENTS);
  await network.control("blocks");
  await stop(page);

  await page.reload();
  await network.control("fund", { address, amount: 7 });
  const counts = asked(page);
  assert.deepEqual((await start(page)).balance, PAYMENTS * 10 + 7);
  assert.equal(counts.streams, 0);
  // The one used address is counted, and asked for what came since; the unused ones are asked for at once.
  assert.deepEqual([counts.balances, counts.histories], [1, 2]);
  await page.close();
});

test("a tab that dies without a word leaves what it was told before", async () => {
  const page = await openPage();
  const { address } = await start(page);
  const before = (await dump(page)).length;
  await pay(page, address, 10, PAYMENTS);
  // What is known is kept a moment later.
  while ((await dump(page)).length < before + PAYMENTS);
  await page.close();

  const next = await openPage();
  const counts = asked(next);
  assert.deepEqual((await start(next)).balance, PAYMENTS * 10);
  assert.equal(counts.streams, 0);
  await next.close();
});

test("it works in a worker", async () => {
  const page = await openPage();
  const { nodeUrl, miningUrl } = network;
  const options = { network: "privatenet", nodeUrl, miningUrl, seed };
  const inWorker = () => page.evaluate((given) => new Promise((resolve) => {
    const code = `
      import { Wallet } from "${location.origin}/web.js";
      import { indexedDbStore } from "${location.origin}/indexeddb.js";
      const wallet = await Wallet.start({ ...${JSON.stringify(given)}, store: indexedDbStore() });
      const address = await wallet.address({ markAsUsed: true });
      await wallet.stop();
      postMessage(address);`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
  }), options);
  const first = await inWorker();
  // The address that was shown before is known to the store alone.
  assert.notEqual(await inWorker(), first);
  await page.close();
});

test("a second tab is told that the first has the wallet, and can have it afterwards", async () => {
  const [first, second] = [await openPage(), await openPage()];
  const { address } = await start(first);
  const refused = await start(second);
  assert.equal(refused.code, "STORE");
  assert.match(refused.message, /^store privatenet-\S+: another tab or worker has this wallet open: close it there, or start without a store$/);
  // Another wallet is another matter.
  assert.equal((await start(second, generateMnemonic())).balance, 0);
  await stop(second);
  await pay(first, address, 5);
  await first.close();
  assert.equal((await start(second)).balance, 5);
  await second.close();
});

test("where there are no locks, the tab that came first writes no more", async () => {
  const [first, second] = [await openPage(), await openPage()];
  for (const page of [first, second]) await page.evaluate(() => Object.defineProperty(Navigator.prototype, "locks", { value: undefined }));
  const { address } = await start(first);
  assert.equal((await start(second)).balance, 0);
  await pay(first, address, 5);
  assert.equal(await storeError(first), "another tab has opened it, or it was cleared, while this wallet was running");
  await first.close();
  await second.close();
  const third = await openPage();
  assert.equal((await start(third)).balance, 5);
  await third.close();
});

test("what is cleared is gone, and a wallet that runs meanwhile keeps nothing behind it", async () => {
  const page = await openPage();
  const { address } = await start(page);
  await pay(page, address, 5);
  assert.notDeepEqual(await dump(page), []);
  await page.evaluate(async () => (await import("/indexeddb.js")).indexedDbStore().clear());
  assert.deepEqual(await dump(page), []);
  await pay(page, address, 6);
  assert.equal(await storeError(page), "another tab has opened it, or it was cleared, while this wallet was running");
  assert.equal(await page.evaluate(() => wallet.status().statusMessage), "Ready");
  await stop(page);
  assert.deepEqual(await dump(page), []);
  assert.equal((await start(page)).balance, 11);
  await page.close();
});

test("torn content leads to a clean rescan", async () => {
  const page = await openPage();
  const { address } = await start(page);
  await pay(page, address, 10, PAYMENTS);
  await stop(page);
  await page.evaluate(() => new Promise((resolve) => {
    indexedDB.open("headless-wallet").onsuccess = ({ target: { result: database } }) => {
      const transaction = database.transaction("entries", "readwrite");
      transaction.objectStore("entries").openCursor().onsuccess = ({ target: { result: cursor } }) => {
        if (!cursor) return;
        cursor.update(cursor.value.slice(0, -1));
        cursor.continue();
      };
      transaction.oncomplete = () => {
        database.close();
        resolve();
      };
    };
  }));
  assert.equal((await start(page)).balance, PAYMENTS * 10);
  await stop(page);
  assert.equal((await start(page)).balance, PAYMENTS * 10);
  await page.close();
});

test("a full disk is told of, and space heals it", async () => {
  const page = await openPage();
  const { address } = await start(page);
  // A new best block is written along with the next change, or at the end.
  await stop(page);
  await start(page);
  const kept = (await dump(page)).length;
  // As the browser does it: the transaction breaks off.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    globalThis.full = true;
    IDBObjectStore.prototype.put = function (...entry) {
      if (!globalThis.full) return put.apply(this, entry);
      if (this.transaction.error) return undefined;
      Object.defineProperty(this.transaction, "error", { value: new DOMException("no room", "QuotaExceededError") });
      return this.transaction.abort();
    };
  });
  await pay(page, address, 5);
  assert.equal(await storeError(page), "the browser has no room left for it: free some of the disk, or remove data of other pages (no room)");
  await page.evaluate(() => {
    globalThis.full = false;
  });
  await stop(page);
  assert.equal((await dump(page)).length, kept + 1);
  assert.equal((await start(page)).balance, 5);
  await page.close();
});

test("a later version of the package takes over, and this one says so", async () => {
  const page = await openPage();
  const { address } = await start(page);
  // As a later version would: it does not wait for tabs to be closed.
  await page.evaluate(() => new Promise((resolve, reject) => {
    const request = indexedDB.open("headless-wallet", 2);
    request.onblocked = () => reject(new Error("blocked"));
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  }));
  await pay(page, address, 5);
  assert.match(await storeError(page), /^a later version of this page has written it: load the page again \(.+\)$/);
  await stop(page);
  const refused = await start(page);
  assert.equal(refused.code, "STORE");
  assert.match(refused.message, /a later version of this page has written it: load the page again/);
  await page.evaluate(() => indexedDB.deleteDatabase("headless-wallet"));
  await page.close();
});

test("a browser that lets the page keep nothing is told of", async () => {
  const page = await openPage();
  await page.evaluate(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }));
  const refused = await start(page);
  assert.equal(refused.code, "STORE");
  assert.match(refused.message, /^store privatenet-\S+: there is no IndexedDB here$/);
  await page.close();
});
