// Made of the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** The network, and the full node that is asked. */
export type NodeOptions =
  | {
      /** The network that the full node must be of. */
      network: "mainnet" | "testnet";
      /** The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if left out. Wallets of one account that run at the same time use the same. */
      nodeUrl?: string | undefined;
    }
  | {
      /** The network that the full node must be of. */
      network: "privatenet";
      /** The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if left out. Wallets of one account that run at the same time use the same. */
      nodeUrl: string;
    }
  | {
      /** The network that the full node must be of. */
      network: Network;
      /** The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if left out. Wallets of one account that run at the same time use the same. */
      nodeUrl: string;
    };

/** Who does the proof of work: the transaction mining service ("service"), this program ("local"), or this program when the service is down, overloaded or slow ("service-then-local"). This program does it on the thread that the wallet runs on, in pieces of some ten milliseconds between which everything else goes on: for smooth pages put the wallet into a worker. */
export interface MiningOptions {
  /** Who does the proof of work. "service" if left out. */
  mining?: "service" | "local" | "service-then-local" | undefined;
  /** The transaction mining service, such as `http://localhost:8035/`; the public one of mainnet and testnet if left out. */
  miningUrl?: string | undefined;
  /** The key that the service asks for. */
  miningApiKey?: string | undefined;
}

/** Keys from words: the wallet can send. */
export interface SeedOptions {
  /** 24 words of the English list; of a multisig wallet those of the participant who signs here: without, it can only watch and propose. */
  seed: string;
  /** Part of the keys besides the words: another passphrase is another wallet. */
  passphrase?: string | undefined;
  xpub?: undefined;
  signer?: undefined;
  multisig?: undefined;
}

/** Keys from an xpub: the wallet can watch, not send. */
export interface XpubOptions {
  seed?: undefined;
  passphrase?: undefined;
  /** Of the account (`m/44'/280'/0'`) or its change level (`m/44'/280'/0'/0`). */
  xpub: string;
  signer?: undefined;
  multisig?: undefined;
}

/** Keys that something else has, which signs: a device, a service, a worker. */
export interface SignerOptions {
  seed?: undefined;
  passphrase?: undefined;
  xpub?: undefined;
  /** Has the keys, and is asked for each signature; in a multisig wallet those of one participant, for the share of that one. */
  signer: WalletSigner;
  /** The participants. */
  multisig?: {
    /** The xpubs of all participants (`m/45'/280'/0'`), as `Account.multisigXpub` gives them, in any order. */
    pubkeys: string[];
    /** How many must sign. At least 1. */
    numSignatures: number;
  } | undefined;
}

/** A wallet of several participants, of whom so many must sign. */
export interface MultisigOptions {
  /** 24 words of the English list; of a multisig wallet those of the participant who signs here: without, it can only watch and propose. */
  seed?: string | undefined;
  /** Part of the keys besides the words: another passphrase is another wallet. */
  passphrase?: string | undefined;
  xpub?: undefined;
  signer?: undefined;
  /** The participants. */
  multisig: {
    /** The xpubs of all participants (`m/45'/280'/0'`), as `Account.multisigXpub` gives them, in any order. */
    pubkeys: string[];
    /** How many must sign. At least 1. */
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
  /** How many unused addresses are watched past the last used one. 20 if left out. From 1 to 10000. */
  gapLimit?: number | undefined;
  /** The addresses between two indexes are watched, at most 10,000, rather than all up to `gapLimit` unused ones. */
  indexLimit?: {
    /** The index of the first address; 0 if left out. From 0 to 2147483647. */
    first?: number | undefined;
    /** The index of the last address. From 0 to 2147483647. */
    last: number;
  } | undefined;
  /** Whether a send of more than the wallet holds waits for the change of sends under way, for five minutes at most. true if left out. */
  waitForChange?: boolean | undefined;
  /** How the history is loaded. "manual_stream_ws": in a stream of addresses that the node is told. "xpub_stream_ws": in a stream of addresses that the node derives from the wallet's xpub, which gives away all addresses to come. "polling_http_api": page by page. "auto": in a stream of addresses, or page by page where that is faster. Where a node can't stream, pages are asked for; it is given the xpub only by "xpub_stream_ws". "auto" if left out. */
  historySyncMode?: "auto" | "manual_stream_ws" | "xpub_stream_ws" | "polling_http_api" | undefined;
  /** Keeps proposals of atomic swaps, encrypted, where that is asked for. */
  swapServiceUrl?: string | undefined;
  /** Where that service tells of changes (`ws://` or `wss://`), if that is elsewhere. */
  swapServiceWsUrl?: string | undefined;
  /** Keeps the history between starts: the next one asks the full node only for what is new. Kept nowhere if left out. Wallets of one account that run at the same time are kept in the store of the first. */
  store?: WalletStore | undefined;
  /** Called while the history is being loaded, now and later. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the start. */
  signal?: Global<"AbortSignal"> | undefined;
}

/** A program's own ways to the full node and to the mining service, for proxies, gateways and tests. */
export interface TransportOptions {
  /** Takes the place of the global `fetch`: all requests of the wallet go through it. */
  fetch?: ((url: string, options: FetchOptions) => Promise<FetchAnswer>) | undefined;
  /** Takes the place of the global class `WebSocket`: all sockets of the wallet are made by it. Where there are `nodeHeaders`, it is given `{ headers }` as well, as the package `ws` takes them. */
  WebSocket?: (new (url: string, options?: never) => object) | undefined;
  /** Headers of each request to the full node. The sockets have them too, save in browsers, which give sockets no headers. */
  nodeHeaders?: Record<string, string> | undefined;
  /** Headers of each request to the mining service. */
  miningHeaders?: Record<string, string> | undefined;
}

/** Options of `Wallet.start`. */
export type StartOptions = NodeOptions & MiningOptions & KeyOptions & ServiceOptions & TransportOptions;

/** What can be listened to, and what listeners are told. */
export interface WalletEvents {
  /** A transaction or block came into the history, or changed. */
  tx: TxEvent;
  /** What the wallet holds of a token changed. */
  balance: TokenBalance;
  /** Where the wallet stands changed. */
  state: WalletState;
  /** Loading the history has come further. */
  progress: Progress;
  /** A proposal at the swap service changed, or may have. */
  swap: SwapEvent;
}
