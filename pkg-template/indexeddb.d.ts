import type { WalletStore } from "./index.js";

/** Options of `indexedDbStore`. */
export interface IndexedDbOptions {
  /** The database's name; `headless-wallet` if left out. */
  database?: string | undefined;
}

/** A store in the browser's IndexedDB. */
export interface IndexedDbStore extends WalletStore {
  /** Removes what is kept, of all wallets. One that is running goes on, and is kept again from its next start on. */
  clear(): Promise<void>;
}

/**
 * Keeps wallets in the browser's IndexedDB, in pages and in workers: give it to `Wallet.start` as its `store`.
 *
 * One tab at a time can keep a wallet: `Wallet.start` rejects with the code `STORE` while another has it open, when the browser lets
 * the page keep nothing, and when a later version of the package has written it. Starting without a store works always.
 */
export function indexedDbStore(options?: IndexedDbOptions): IndexedDbStore;
