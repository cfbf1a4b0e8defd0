// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** What the network lets tokens and transactions have. */
export const limits = Object.freeze({
  tokenNameChars: 30,
  tokenSymbolChars: 5,
  dataChars: 150,
  dataBytes: 253,
  dataOutputs: 25,
  inputs: 255,
  outputs: 255,
  outputAmount: 9223372036854775808n,
});

/** What is paid for, in cents of HTR, whatever else a transaction does. */
export const prices = Object.freeze({
  dataOutput: 1n,
});

/** The network's own token. */
export const HTR = Object.freeze({
  uid: "00",
  name: "Hathor",
  symbol: "HTR",
});

/** How an output is told from an amount that allows minting or melting a token. */
export const AUTHORITY = Object.freeze({
  tokenData: 128,
  mint: 1n,
  melt: 2n,
});

/** The full node and the mining service that `Wallet.start` uses if it is given none. */
export const publicServices = Object.freeze({
  mainnet: Object.freeze({ nodeUrl: "https://node1.mainnet.hathor.network/v1a/", miningUrl: "https://txmining.mainnet.hathor.network/" }),
  testnet: Object.freeze({ nodeUrl: "https://node1.testnet.hathor.network/v1a/", miningUrl: "https://txmining.testnet.hathor.network/" }),
});
