/** The networks. A private network has the addresses of the test network. */
export type Network = "mainnet" | "testnet" | "privatenet";

/** An amount in whole cents of a token: a bigint, or a number if it is a safe integer. */
export type AmountInput = bigint | number;

/** JSON with whole numbers of any size. */
export type JsonInput = string | bigint | number | boolean | null | readonly JsonInput[] | { readonly [name: string]: JsonInput };

/** Options of a call of a wallet's own `fetch`. */
export interface FetchOptions {
  method: "GET" | "POST" | "PUT";
  headers: Record<string, string>;
  /** JSON. */
  body?: string;
  /** Redirects are not followed. */
  redirect: "error" | "manual";
  signal: Global<"AbortSignal">;
}

/** The part of a response of a wallet's own `fetch` that is read. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The whole body. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** An entry of a store. */
export type StoreEntry = readonly [key: string, bytes: Uint8Array];

/**
 * Stores wallets between starts; `headless-wallet/indexeddb` has one for browsers. It gets no seed phrase and no keys, but its readers see
 * addresses, amounts and transactions. Its data is compared with the full node's: a lost or wrong store costs only time.
 */
export interface WalletStore {
  /** Opens the entries of one wallet on one chain. The name has lower-case letters, digits and hyphens. */
  open(name: string): OpenStore | Promise<OpenStore>;
}

/** The entries of one wallet on one chain. */
export interface OpenStore {
  /** Returns all entries, in any order; none the first time. */
  load(): Iterable<StoreEntry> | Promise<Iterable<StoreEntry>>;
  /**
   * If `anew` is true, removes all entries. Then writes the given ones, which replace entries with the same key. All or nothing: if it
   * rejects, nothing may be written; it is called again later, and meanwhile `wallet.status().error` has the reason.
   */
  write(entries: StoreEntry[], anew: boolean): void | Promise<void>;
  /** Closes the store. No further calls follow. */
  close(): void | Promise<void>;
}

/** A request to a wallet's signer: to sign a transaction, a message, or an oracle's data. */
export interface SignRequest {
  /** The purpose of the signatures, unproved. `share` is one participant's part in a multisig wallet. */
  readonly purpose: "send" | "build" | "swap" | "share" | "message" | "oracle-data";
  /** The 32 bytes, in hexadecimal, to sign by ECDSA on secp256k1. */
  readonly digest: string;
  /**
   * The indexes of the addresses whose keys sign, one signature for each, in this order: `m/44'/280'/0'/0/index`, or `m/45'/280'/0'/0/index` of
   * a participant in a multisig wallet.
   */
  readonly indexes: readonly number[];
  /** The whole transaction in hexadecimal, without signatures, parents and proof of work: the digest is of it. */
  readonly transaction?: string;
  /** The positions of its inputs to sign, each with the index of the address. */
  readonly inputs?: ReadonlyArray<readonly [position: number, index: number]>;
  /** The index of the address that calls a contract or creates a blueprint. */
  readonly caller?: number | null;
  /** The positions of outputs that claim to pay the wallet itself, each with the index of the address: check them. */
  readonly own?: ReadonlyArray<readonly [position: number, index: number]>;
  /** All transactions that it spends from, in hexadecimal: their hashes are the ids in its inputs. */
  readonly previous?: readonly string[];
  /** The multisig wallet of a share: `own` and the spent outputs have addresses made from the keys of all of these. */
  readonly multisig?: { readonly numSignatures: number; readonly pubkeys: readonly string[] };
  /** In a multisig wallet, the redeem scripts of signed inputs of other multisig wallets, by position. */
  readonly scripts?: ReadonlyArray<readonly [position: number, script: string]>;
  /** The text of a message. */
  readonly message?: string;
  /** The oracle's data, in hexadecimal. */
  readonly oracleData?: string;
}

/**
 * Holds a wallet's keys: a hardware device, a service, a worker. The wallet itself has none.
 *
 * It need not trust the request, which has everything to work out the transaction's effect. Its signatures are checked before anything is
 * sent: a signature by another key, or of other data, ends the call with `SIGNER_FAILED`.
 */
export interface WalletSigner {
  /**
   * The xpub of the account (`m/44'/280'/0'`) or its change level, read when the wallet starts; in a multisig wallet that of one participant
   * (`m/45'/280'/0'`), one of `multisig.pubkeys`.
   */
  readonly xpub: string;
  /** The time for an answer in milliseconds, at most (and by default) ten minutes; then the call ends with `SIGNER_UNREACHABLE`. */
  readonly timeout?: number;
  /**
   * Returns `r` and `s`, 64 bytes in hexadecimal, for each of `indexes`. If it throws or rejects, the call ends with `SIGNER_REFUSED` and the
   * message; nothing is sent, and the inputs are released.
   */
  sign(request: SignRequest): readonly string[] | Promise<readonly string[]>;
}

/** The states of a wallet, by the numbers of the HTTP interface. */
export type StatusMessage = WalletState["statusMessage"];

/** The members of all sent transactions. */
export type SentTransaction = Omit<Transaction, "tokens">;

/** Options of calls that wait. */
export interface WaitOptions {
  /** Ends the wait. What has begun continues, and may still be done. */
  signal?: Global<"AbortSignal"> | undefined;
}

/** Options of calls that send a transaction. */
export interface SendOptions extends WaitOptions {
  /** If true, nothing is sent: the result is the transaction and its cost. */
  dryRun?: boolean | undefined;
  /**
   * A name for the request, of 1 to 255 characters. A repetition with the same name within a day sends nothing, and gets the first answer:
   * also after a restart, if the wallet has a store.
   */
  idempotencyKey?: string | undefined;
}

/** Options of calls that build a transaction without sending it. */
export type MakeOptions = Omit<SendOptions, "dryRun">;

/** Options of `waitForTransaction`. */
export interface ConfirmOptions extends WaitOptions {
  /** The number of blocks that must confirm it; 0 (default): it need only be in the history. */
  confirmations?: number | undefined;
}

/** The request of `tokenDeposit`. */
export interface TokenDepositRequest {
  /** 0 to 2^63. */
  amount: AmountInput;
  /** The token's uid; a new token if left out. */
  token?: string | undefined;
}

/** A token that the wallet has or had, with its balance in cents. */
export interface WalletToken extends Balance {
  /** `"00"` is HTR. */
  uid: string;
  /** `null` if the full node does not know the token. */
  name: string | null;
  /** `null` if the full node does not know the token. Anybody can give a token any symbol: show the uid beside it. */
  symbol: string | null;
  /** Of an NFT the data that identifies it, else `null`. Amounts of NFTs are pieces, without decimals. */
  nftData: string | null;
}

/**
 * A running wallet: it follows its full node until it is stopped.
 *
 * Amounts are whole cents of a token: `bigint` in answers, `bigint` or safe integers in requests. An amount with parts of a cent has
 * all its decimals in a text beside it: `value: 100n`, `value_str: "1.005"`; `parseUnits(value_str, 18)` is a `bigint` of it.
 */
export class Wallet {
  private constructor();
  /**
   * Starts a wallet, and loads its history from the full node. If it rejects, nothing continues to run.
   *
   * @param options `network` and one of `seed`, `xpub`, `signer`, `multisig`; a private network also needs `nodeUrl` and `miningUrl`
   * @returns a wallet that is ready for everything
   * @throws {WalletError} `INVALID_INPUT`, `WRONG_NETWORK`, `NODE_UNREACHABLE`, `SYNC_FAILED`, `STORE`, …
   * @example
   * const wallet = await Wallet.start({ network: "testnet", seed: process.env.SEED! });
   * console.log(await wallet.address(), (await wallet.balance()).available);
   * await wallet.stop();
   */
  static start(options: StartOptions): Promise<Wallet>;
  /**
   * Lists the tokens that the wallet has or had, HTR first, with names and balances. Names come from the full node, once for each token;
   * `balances` needs no request.
   *
   * @param options `signal`
   * @throws {WalletError} `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   * @example
   * for (const { symbol, available, nftData } of await wallet.tokens()) {
   *   console.log(symbol, formatUnits(available, nftData === null ? 2 : 0));
   * }
   */
  tokens(options?: WaitOptions): Promise<WalletToken[]>;
  /**
   * Counts the outputs with which the wallet can mint or melt a token now.
   *
   * @param token The token's uid.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  authorities(token: string): Promise<Authorities>;
  /**
   * The deposit in HTR for an amount of a token, by the rule of the full node's release, whatever the wallet holds. Tokens that are paid
   * for by fees have none.
   *
   * @param request `amount`; optional: `token`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NODE_UNREACHABLE`, …
   */
  tokenDeposit(request: TokenDepositRequest, options?: WaitOptions): Promise<TokenDeposit>;
  /**
   * Resolves once a transaction is in the history and has the given number of confirmations.
   *
   * @param id The transaction's id.
   * @param options `confirmations`, `signal`
   * @throws {WalletError} `VOIDED` if it lost a conflict; `STOPPED`, …
   * @example
   * const { hash } = await wallet.simpleSendTx({ address: "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", value: 1_500n });
   * await wallet.waitForTransaction(hash, { confirmations: 6 });
   */
  waitForTransaction(id: string, options?: ConfirmOptions): Promise<HistoryTransaction>;

  /**
   * Adds a listener. `tx` and `balance` events are held back until the wallet is ready.
   *
   * @param event `"tx"`, `"balance"`, `"state"`, `"progress"` or `"swap"`
   * @param listener Called for every such event from now on.
   * @returns a function that removes the listener
   * @example
   * const off = wallet.on("tx", ({ tx, isNew }) => isNew && console.log(tx.tx_id, tx.effect.net));
   */
  on<E extends keyof WalletEvents>(event: E, listener: (news: WalletEvents[E]) => void): () => void;
  /**
   * Waits for the next event of a kind.
   *
   * @param event As for `on`.
   * @param options `signal`
   * @throws {WalletError} `STOPPED`
   */
  once<E extends keyof WalletEvents>(event: E, options?: WaitOptions): Promise<WalletEvents[E]>;
  /**
   * Iterates over the events of a kind from now on, until the loop is left or the wallet is stopped.
   *
   * @param event As for `on`.
   * @param options `signal`
   * @throws {WalletError} `TOO_SLOW` if more than 10,000 events wait for the loop
   * @example
   * for await (const { token, available } of wallet.events("balance")) console.log(token, available);
   */
  events<E extends keyof WalletEvents>(event: E, options?: WaitOptions): AsyncIterableIterator<WalletEvents[E]>;
  /** Tries to reach the full node now, if the wallet waits for its next attempt. */
  reconnect(): void;
  /** As `stop`: for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A range of derived addresses. */
export interface AddressRange {
  network: Network;
  /** The first index; 0 if left out. */
  start?: number | undefined;
  /** The number of addresses, at most 10,000; 20 if left out. */
  count?: number | undefined;
}

/** The keys and the range of derived addresses. */
export type DeriveAddressesRequest = AddressRange & (SeedOptions | XpubOptions);

/** Result of checking a seed phrase. */
export interface MnemonicCheck {
  /** Whether it is a valid seed phrase. */
  valid: boolean;
  /** The number of words; 24 are needed. */
  count: number;
  /** The positions, from 0, of words that are not in the English list. */
  unknown: number[];
  /** Why it is not valid. */
  reason: string | null;
}

/** Whether a text is an address. */
export type AddressCheck =
  | { valid: true; kind: "P2PKH" | "MultiSig" }
  | { valid: false; reason: string };

/** A token by its names. */
export interface TokenDescription {
  uid: string;
  name: string;
  symbol: string;
}

/** The kinds of errors that this package throws. */
export type WalletErrorName = "InputError" | "StartError" | "NotReadyError" | "SendError" | "VaultError" | "InternalError";

/**
 * An error of this package. Its message says what is wrong and what to do; `cause`, after a failed request to a service, has the
 * network's own reason.
 */
export interface WalletError extends Error {
  name: WalletErrorName;
  code: WalletErrorCode;
  /** The invalid argument or option, such as `outputs[0].value`. */
  field?: string;
  /** With `INSUFFICIENT_FUNDS`, if known: the needed amount in cents, … */
  need?: bigint;
  /** … the available amount, … */
  have?: bigint;
  /** … and the token's uid; when melting, that of the melted token. */
  token?: string;
}
