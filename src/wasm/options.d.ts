// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** The network and the full node. */
export type NodeOptions =
  | {
      /** The network of the full node. */
      network: "mainnet" | "testnet";
      /** The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if left out. Wallets of one account that run at the same time use the same. */
      nodeUrl?: string | undefined;
    }
  | {
      /** The network of the full node. */
      network: "privatenet";
      /** The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if left out. Wallets of one account that run at the same time use the same. */
      nodeUrl: string;
    }
  | {
      /** The network of the full node. */
      network: Network;
      /** The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if left out. Wallets of one account that run at the same time use the same. */
      nodeUrl: string;
    };

/** Where the proof of work is done: by the transaction mining service ("service"), by this program ("local"), or by this program when the service is down, overloaded or slow ("service-then-local"). This program works on the wallet's thread, in slices of some ten milliseconds: for smooth pages run the wallet in a worker. */
export interface MiningOptions {
  /** Where the proof of work is done. "service" if left out. */
  mining?: "service" | "local" | "service-then-local" | undefined;
  /** The transaction mining service, such as `http://localhost:8035/`; the public one of mainnet and testnet if left out. */
  miningUrl?: string | undefined;
  /** The API key of the service. */
  miningApiKey?: string | undefined;
}

/** Keys from a seed phrase: the wallet can send. */
export interface SeedOptions {
  /** The seed phrase: 24 words of the English list. In a multisig wallet your own; without it, the wallet can only watch and propose. */
  seed: string;
  /** A passphrase in addition to the seed phrase: another passphrase is another wallet. */
  passphrase?: string | undefined;
  xpub?: undefined;
  signer?: undefined;
  multisig?: undefined;
}

/** Keys from an xpub: the wallet can watch, not send. */
export interface XpubOptions {
  seed?: undefined;
  passphrase?: undefined;
  /** The xpub of the account (`m/44'/280'/0'`) or its change level (`m/44'/280'/0'/0`). */
  xpub: string;
  signer?: undefined;
  multisig?: undefined;
}

/** Keys held by a signer: a device, a service, a worker. */
export interface SignerOptions {
  seed?: undefined;
  passphrase?: undefined;
  xpub?: undefined;
  /** Holds the keys, and gives each signature; in a multisig wallet those of one participant, for its share. */
  signer: WalletSigner;
  /** The participants. */
  multisig?: {
    /** The xpubs of all participants (`m/45'/280'/0'`), as returned by `Account.multisigXpub`, in any order. */
    pubkeys: string[];
    /** The number of required signatures. At least 1. */
    numSignatures: number;
  } | undefined;
}

/** A multisig wallet. */
export interface MultisigOptions {
  /** The seed phrase: 24 words of the English list. In a multisig wallet your own; without it, the wallet can only watch and propose. */
  seed?: string | undefined;
  /** A passphrase in addition to the seed phrase: another passphrase is another wallet. */
  passphrase?: string | undefined;
  xpub?: undefined;
  signer?: undefined;
  /** The participants. */
  multisig: {
    /** The xpubs of all participants (`m/45'/280'/0'`), as returned by `Account.multisigXpub`, in any order. */
    pubkeys: string[];
    /** The number of required signatures. At least 1. */
    numSignatures: number;
  };
}

/** Where the wallet's keys come from. */
export type KeyOptions =
  | SeedOptions
  | XpubOptions
  | SignerOptions
  | MultisigOptions;

/** Options of `Wallet.start` that every wallet needs. */
export interface ServiceOptions {
  /** The number of unused addresses that are watched past the last used one. 20 if left out. From 1 to 10000. */
  gapLimit?: number | undefined;
  /** Watches the addresses between two indexes, at most 10,000, instead of all up to `gapLimit` unused ones. */
  indexLimit?: {
    /** The index of the first address; 0 if left out. From 0 to 2147483647. */
    first?: number | undefined;
    /** The index of the last address. From 0 to 2147483647. */
    last: number;
  } | undefined;
  /** Whether a send of more than is available waits for the change of pending sends, for five minutes at most. true if left out. */
  waitForChange?: boolean | undefined;
  /** How the history is loaded. "manual_stream_ws": as a stream for the wallet's addresses. "xpub_stream_ws": as a stream for the addresses that the node derives from the wallet's xpub, which reveals all future addresses to it. "polling_http_api": page by page. "auto": as a stream for addresses, or page by page where that is faster. A node that can't stream is read page by page; only "xpub_stream_ws" sends the xpub. "auto" if left out. */
  historySyncMode?: "auto" | "manual_stream_ws" | "xpub_stream_ws" | "polling_http_api" | undefined;
  /** A service that stores proposals of atomic swaps, encrypted, on request. */
  swapServiceUrl?: string | undefined;
  /** The WebSocket of that service (`ws://` or `wss://`), if it has another address. */
  swapServiceWsUrl?: string | undefined;
  /** Stores the history between starts, so that the next one loads only new transactions. Wallets of one account that run at the same time use the store of the first. No store if left out. */
  store?: WalletStore | undefined;
  /** Called while the history is loaded, at the start and later. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Aborts the start. */
  signal?: Global<"AbortSignal"> | undefined;
}

/** Custom transport to the full node and the mining service, for proxies, gateways and tests. */
export interface TransportOptions {
  /** Replaces the global `fetch` for all requests of the wallet. */
  fetch?: ((url: string, options: FetchOptions) => Promise<FetchAnswer>) | undefined;
  /** Replaces the global class `WebSocket` for all sockets of the wallet. With `nodeHeaders`, it also gets `{ headers }`, as the package `ws` takes them. */
  WebSocket?: (new (url: string, options?: never) => object) | undefined;
  /** Headers of each request to the full node; also of sockets, except in browsers, which don't support that. */
  nodeHeaders?: Record<string, string> | undefined;
  /** Headers of each request to the mining service. */
  miningHeaders?: Record<string, string> | undefined;
}

/** Options of `Wallet.start`. */
export type StartOptions = NodeOptions & MiningOptions & KeyOptions & ServiceOptions & TransportOptions;

/** The events of a wallet, and the data of each. */
export interface WalletEvents {
  /** A transaction or block entered the history, or changed. */
  tx: TxEvent;
  /** The balance of a token changed. */
  balance: TokenBalance;
  /** The state of the wallet changed. */
  state: WalletState;
  /** Progress of loading the history. */
  progress: Progress;
  /** A proposal at the swap service has, or may have, changed. */
  swap: SwapEvent;
}
