/** The networks. A private network has the addresses of the test network. */
export type Network = "mainnet" | "testnet" | "privatenet";

/** An amount in whole cents of a token: a bigint, or a number if it is a safe integer. */
export type AmountInput = bigint | number;

/** JSON with whole numbers of any size. */
export type JsonInput = string | bigint | number | boolean | null | readonly JsonInput[] | { readonly [name: string]: JsonInput };

/** What a wallet's own `fetch` is given. */
export interface FetchOptions {
  method: "GET" | "POST" | "PUT";
  headers: Record<string, string>;
  /** JSON. */
  body?: string;
  /** Redirections are not followed. */
  redirect: "error" | "manual";
  signal: Global<"AbortSignal">;
}

/** What is read of the answer of a wallet's own `fetch`. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The whole body. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** An entry of a store. */
export type StoreEntry = readonly [key: string, bytes: Uint8Array];

/**
 * Where wallets are kept between starts; `headless-wallet/indexeddb` has one for browsers. No words and no keys get there, but who
 * reads it sees addresses, amounts and transactions. What it gives back is compared with the full node's counts: a store that was
 * lost, or is wrong, costs time and nothing else.
 */
export interface WalletStore {
  /** Opens the entries of one wallet on one chain. Its name has lower-case letters, digits and hyphens. */
  open(name: string): OpenStore | Promise<OpenStore>;
}

/** The entries of one wallet on one chain. */
export interface OpenStore {
  /** Gives all entries, in any order; none the first time. */
  load(): Iterable<StoreEntry> | Promise<Iterable<StoreEntry>>;
  /**
   * Removes everything if `anew` says so, then puts entries, each in the place of one with the same key. Once it resolves all of it
   * is kept, and when it rejects nothing of it is: then it is called again later, and `wallet.status().error` says why meanwhile.
   */
  write(entries: StoreEntry[], anew: boolean): void | Promise<void>;
  /** Lets it go: nothing else is called after this. */
  close(): void | Promise<void>;
}

/** What a wallet's signer is asked to sign: a transaction, a message, or what an oracle says. */
export interface SignRequest {
  /** What the signatures are for: it is told, not proved. `share` is a participant's of what several sign. */
  readonly purpose: "send" | "build" | "swap" | "share" | "message" | "oracle-data";
  /** What is to be signed by ECDSA on secp256k1: 32 bytes in hexadecimal. */
  readonly digest: string;
  /**
   * The indexes of the addresses whose keys sign, one signature for each, in this order: `m/44'/280'/0'/0/index`, or `m/45'/280'/0'/0/index` of
   * a participant in a multisig wallet.
   */
  readonly indexes: readonly number[];
  /** The whole transaction in hexadecimal, without signatures, parents and proof of work: the digest is of it. */
  readonly transaction?: string;
  /** The places of its inputs to be signed, each with the index of the address. */
  readonly inputs?: ReadonlyArray<readonly [place: number, index: number]>;
  /** The index of the address that calls a contract or makes a blueprint. */
  readonly caller?: number | null;
  /** The places of outputs that pay the wallet itself, each with the index of the address: check that it is. */
  readonly own?: ReadonlyArray<readonly [place: number, index: number]>;
  /** All transactions that it spends, in hexadecimal: their hashes are the ids that its inputs name. */
  readonly previous?: readonly string[];
  /** Of which multisig wallet it is a share: `own` and what it spends are of addresses that the keys of all of these make. */
  readonly multisig?: { readonly numSignatures: number; readonly pubkeys: readonly string[] };
  /** In a multisig wallet, the redeem scripts of others' inputs that several sign, by their places, as far as those have signed. */
  readonly scripts?: ReadonlyArray<readonly [place: number, script: string]>;
  /** The text of a message. */
  readonly message?: string;
  /** What an oracle says, in hexadecimal. */
  readonly oracleData?: string;
}

/**
 * What has a wallet's keys: a hardware device, a service, a worker. The wallet has none of them.
 *
 * It need not believe what it is asked: it is given all that a transaction spends, and can find out what it does. What it gives is checked
 * before anything is sent: a signature by another key, or of something else, ends the call with `SIGNER_FAILED`.
 */
export interface WalletSigner {
  /**
   * The xpub of the account (`m/44'/280'/0'`) or its change level, as it is when the wallet starts; in a multisig wallet that of one participant
   * (`m/45'/280'/0'`), which is one of `multisig.pubkeys`.
   */
  readonly xpub: string;
  /** How many milliseconds an answer may take, ten minutes at most and if left out; then the call ends with `SIGNER_UNREACHABLE`. */
  readonly timeout?: number;
  /**
   * Signs: `r` and `s` in 64 bytes as hexadecimal, for each of `indexes`. What it throws, or rejects with, ends the call with `SIGNER_REFUSED` and
   * its message; nothing is sent, and the inputs are free again.
   */
  sign(request: SignRequest): readonly string[] | Promise<readonly string[]>;
}

/** The states of a wallet, by the numbers of the HTTP interface. */
export type StatusMessage = WalletState["statusMessage"];

/** What all transactions that were sent have in common. */
export type SentTransaction = Omit<Transaction, "tokens">;

/** What can be waited with. */
export interface WaitOptions {
  /** Ends the waiting: what was begun goes on, and may be done all the same. */
  signal?: Global<"AbortSignal"> | undefined;
}

/** How a transaction is sent. */
export interface SendOptions extends WaitOptions {
  /** Only says what would be sent, and at what cost. */
  dryRun?: boolean | undefined;
  /**
   * A name for the request, of 1 to 255 characters: repeated with the same one within a day, nothing is sent twice, and the answer is
   * that of the first time. It outlives the program where the wallet is kept in a store.
   */
  idempotencyKey?: string | undefined;
}

/** How a transaction that is not sent is made. */
export type MakeOptions = Omit<SendOptions, "dryRun">;

/** What `Wallet` waits for in a history. */
export interface ConfirmOptions extends WaitOptions {
  /** How many blocks must confirm it; 0, or left out: it need only be in the history. */
  confirmations?: number | undefined;
}

/** What `tokenDeposit` is asked for. */
export interface TokenDepositRequest {
  /** 0 to 2^63. */
  amount: AmountInput;
  /** Its uid; a new token if left out. */
  token?: string | undefined;
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
   * Starts a wallet, and loads its history from the full node: the wallet it resolves to is ready for everything.
   *
   * Rejects when an option is wrong (`INVALID_INPUT`), the node is of another network (`WRONG_NETWORK`), or the node can't be reached or
   * followed; then nothing goes on running.
   */
  static start(options: StartOptions): Promise<Wallet>;
  /** The uids of the tokens that the wallet has had to do with, HTR (`"00"`) first. */
  tokens(): Promise<string[]>;
  /** How many outputs the wallet has that it may mint or melt a token with now. */
  authorities(token: string): Promise<Authorities>;
  /**
   * The HTR that an amount of a token, or of a new one, stands for by the rule of the full node's release: to the cent, whatever the
   * wallet holds. Tokens that are paid for by fees have no deposit.
   */
  tokenDeposit(request: TokenDepositRequest, options?: WaitOptions): Promise<TokenDeposit>;
  /** Resolves once a transaction is in the history and, if so asked, confirmed. Rejects with `VOIDED` if it lost a conflict. */
  waitForTransaction(id: string, options?: ConfirmOptions): Promise<HistoryTransaction>;

  /**
   * Calls `listener` from now on for every event of a kind. Returns the function that ends that. Listeners are told of what is
   * right: while the wallet is not ready, transactions and balances wait.
   */
  on<E extends keyof WalletEvents>(event: E, listener: (news: WalletEvents[E]) => void): () => void;
  /** The next event of a kind. */
  once<E extends keyof WalletEvents>(event: E, options?: WaitOptions): Promise<WalletEvents[E]>;
  /** The events of a kind from now on, for `for await`: until the loop is left or the wallet is stopped. */
  events<E extends keyof WalletEvents>(event: E, options?: WaitOptions): AsyncIterableIterator<WalletEvents[E]>;
  /** Tries at once to reach the full node again, if the wallet waits to. */
  reconnect(): void;
  /** As `stop`: for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Which addresses are derived. */
export interface AddressRange {
  network: Network;
  /** The first index; 0 if left out. */
  start?: number | undefined;
  /** How many, at most 10,000; 20 if left out. */
  count?: number | undefined;
}

/** Whose addresses are derived, and which. */
export type DeriveAddressesRequest = AddressRange & (SeedOptions | XpubOptions);

/** What is right and wrong with words. */
export interface MnemonicCheck {
  /** Whether they can be used. */
  valid: boolean;
  /** How many there are; 24 are needed. */
  count: number;
  /** The places, from 0, of those that are not in the English list. */
  unknown: number[];
  /** Why they can't be used. */
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

/** An error that this package threw. Its message says what is wrong and what to do. */
export interface WalletError extends Error {
  name: WalletErrorName;
  code: WalletErrorCode;
  /** The argument or option that is not as it must be, such as `outputs[0].value`. */
  field?: string;
  /** With the code `INSUFFICIENT_FUNDS`, where it is known: how many cents are needed, … */
  need?: bigint;
  /** … how many there are that can be spent, … */
  have?: bigint;
  /** … and of which token; when melting, it is the one that was to be melted. */
  token?: string;
}
