// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** What the network lets tokens and transactions have. */
export declare const limits: {
  /** Most characters of a token's name. */
  readonly tokenNameChars: number;
  /** Most characters of a token's symbol. */
  readonly tokenSymbolChars: number;
  /** Most characters of a text that an output keeps on the ledger. */
  readonly dataChars: number;
  /** Most bytes of such a text in UTF-8. */
  readonly dataBytes: number;
  /** Most such outputs of a transaction. */
  readonly dataOutputs: number;
  /** Most inputs of a transaction. */
  readonly inputs: number;
  /** Most outputs of a transaction. */
  readonly outputs: number;
  /** The most that an output can hold, in cents. */
  readonly outputAmount: bigint;
};

/** What is paid for, in cents of HTR, whatever else a transaction does. */
export declare const prices: {
  /** What an output costs that keeps a text on the ledger, an NFT's included. */
  readonly dataOutput: bigint;
};

/** The network's own token. */
export declare const HTR: {
  readonly uid: string;
  /** No other token may have it, in capitals or not. */
  readonly name: string;
  /** No other token may have it, in capitals or not. */
  readonly symbol: string;
};

/** How an output is told from an amount that allows minting or melting a token. */
export declare const AUTHORITY: {
  /** The bit of an output's `token_data` that marks it. */
  readonly tokenData: number;
  /** The bit of its `value` that allows minting. */
  readonly mint: bigint;
  /** The bit of its `value` that allows melting. */
  readonly melt: bigint;
};

/** The full node and the mining service that `Wallet.start` uses if it is given none. */
export declare const publicServices: {
  readonly mainnet: { readonly nodeUrl: string; readonly miningUrl: string };
  readonly testnet: { readonly nodeUrl: string; readonly miningUrl: string };
};
