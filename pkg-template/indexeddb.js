// Keeps wallets in the browser's IndexedDB, in pages and in workers. Each write is one transaction, which is on the disk once it is
// reported to be: a page that dies at any moment leaves the last one behind, whole.
//
// A wallet is kept by one tab at a time. Where the browser has locks (in secure contexts), a second tab is told so. Where it has
// none, or what was kept is removed meanwhile, a mark tells: opening leaves a new one, and who finds another's writes no more.

const VERSION = 1;
/** Bytes by the wallet's name and the entry's key. */
const ENTRIES = "entries";
/** The mark of who opened a wallet last, by the wallet's name. */
const MARKS = "marks";
/** A tab that is just closing lets go within this time. */
const PATIENCE_MS = 2_000;

export function indexedDbStore({ database = "headless-wallet" } = {}) {
  return {
    async open(name) {
      const unlock = await lock(`${database}/${name}`);
      try {
        const store = new OpenStore(database, name, unlock);
        await store.mark();
        return store;
      } catch (error) {
        unlock();
        throw error;
      }
    },

    async clear() {
      const connection = await connect(database);
      try {
        await transact(connection, (entries, marks) => {
          entries.clear();
          marks.clear();
        });
      } finally {
        connection.close();
      }
    },
  };
}

class OpenStore {
  #database;
  #name;
  #unlock;
  /** None before the first use, and after the browser or a later version has closed it. */
  #connection;
  #mark = Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-");

  constructor(database, name, unlock) {
    this.#database = database;
    this.#name = name;
    this.#unlock = unlock;
  }

  async mark() {
    await transact(await this.#connect(), (_, marks) => marks.put(this.#mark, this.#name));
  }

  async load() {
    let keys;
    let values;
    await transact(await this.#connect(), (entries) => {
      keys = entries.getAllKeys(this.#range());
      values = entries.getAll(this.#range());
    }, "readonly");
    return keys.result.map(([, key], at) => [key, values.result[at]]);
  }

  async write(changed, anew) {
    await transact(await this.#connect(), (entries, marks, refuse) => {
      marks.get(this.#name).onsuccess = ({ target }) => {
        if (target.result !== this.#mark) {
          refuse("another tab has opened it, or it was cleared, while this wallet was running");
          return;
        }
        if (anew) entries.delete(this.#range());
        for (const [key, bytes] of changed) entries.put(bytes, [this.#name, key]);
      };
    });
  }

  close() {
    this.#connection?.close();
    this.#connection = undefined;
    this.#unlock();
  }

  async #connect() {
    if (!this.#connection) {
      const connection = await connect(this.#database);
      const forget = () => {
        if (this.#connection === connection) this.#connection = undefined;
      };
      connection.onclose = forget;
      // A later version of this package, or who deletes the database, need not wait for this tab to be closed.
      connection.onversionchange = () => {
        connection.close();
        forget();
      };
      this.#connection = connection;
    }
    return this.#connection;
  }

  /** All keys of this wallet: an array sorts behind every text. */
  #range() {
    return IDBKeyRange.bound([this.#name], [this.#name, []]);
  }
}

/** Resolves with the function that gives the lock back. */
async function lock(name) {
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return () => {};
  return new Promise((resolve, reject) => {
    const held = () => new Promise((release) => resolve(release));
    locks.request(name, { signal: AbortSignal.timeout(PATIENCE_MS) }, held).catch((error) => {
      const late = error.name === "TimeoutError" || error.name === "AbortError";
      reject(late ? new Error("another tab or worker has this wallet open: close it there, or start without a store") : explain(error));
    });
  });
}

function connect(database) {
  return new Promise((resolve, reject) => {
    if (!globalThis.indexedDB) throw new Error("there is no IndexedDB here");
    const request = indexedDB.open(database, VERSION);
    let refused = false;
    request.onupgradeneeded = () => {
      request.result.createObjectStore(ENTRIES);
      request.result.createObjectStore(MARKS);
    };
    request.onblocked = () => {
      refused = true;
      reject(new Error("another tab has an earlier version of it open: close that tab"));
    };
    request.onerror = () => reject(explain(request.error));
    request.onsuccess = () => {
      if (refused) request.result.close();
      else resolve(request.result);
    };
  }).catch((error) => {
    throw explain(error);
  });
}

/** Does `work` in one transaction; resolves once it is on the disk. `work` may refuse, from its callbacks too. */
function transact(connection, work, mode = "readwrite") {
  return new Promise((resolve, reject) => {
    const transaction = connection.transaction([ENTRIES, MARKS], mode, { durability: "strict" });
    let refusal;
    const refuse = (why) => {
      refusal = new Error(why);
      transaction.abort();
    };
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(refusal ?? explain(transaction.error));
    work(transaction.objectStore(ENTRIES), transaction.objectStore(MARKS), refuse);
  }).catch((error) => {
    throw explain(error);
  });
}

const ADVICE = {
  QuotaExceededError: "the browser has no room left for it: free some of the disk, or remove data of other pages",
  VersionError: "a later version of this page has written it: load the page again",
  SecurityError: "the browser lets this page keep nothing: allow it to, or start without a store",
  InvalidStateError: "the browser has closed it: load the page again",
};

/** An error of the browser's, with what can be done about it. */
function explain(error) {
  if (!(error instanceof DOMException)) return error ?? new Error("the browser broke off");
  const advice = ADVICE[error.name];
  return new Error(advice ? `${advice} (${error.message})` : `${error.name}: ${error.message}`);
}
