/** The networks. A private network has the addresses of the test network. */
export type Network = "mainnet" | "testnet" | "privatenet";

/** An amount in whole cents of a token: a bigint, or a number if it is a safe integer. */
export type AmountInput = bigint | number;

/** Options of `Wallet.start` that every wallet needs. */
export interface ServiceOptions {
  /** Must be the full node's. */
  network: Network;
  /** The full node's API, such as `http://localhost:8080/v1a/`. */
  nodeUrl: string;
  /** How many unused addresses are watched past the last used one: 1 to 10,000; 20 if left out. */
  gapLimit?: number | undefined;
  /** Keeps the history between starts: the next one asks the full node only for what is new. Kept nowhere if left out. */
  store?: WalletStore | undefined;
  /**
   * How the history is loaded. "manual_stream_ws", if left out: in a stream of addresses that the node is told. "xpub_stream_ws": in a
   * stream of addresses that the node derives from the wallet's xpub, which gives away all addresses to come. "polling_http_api": page by
   * page. Where a node can't stream, pages are asked for; it is given the xpub only by "xpub_stream_ws".
   */
  historySyncMode?: "manual_stream_ws" | "xpub_stream_ws" | "polling_http_api" | undefined;
  /** Whether a send of more than the wallet holds waits for the change of sends under way, for five minutes at most; true if left out. */
  waitForChange?: boolean | undefined;
  /** Called while the history is being loaded, now and later. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Who does the proof of work: the transaction mining service ("service"), this program ("local"), or this program when the service is
 * down, overloaded or slow ("service-then-local"). This program does it on the thread that the wallet runs on, in pieces of some ten
 * milliseconds between which everything else goes on: for smooth pages put the wallet into a worker.
 */
export type MiningOptions =
  | {
      /** "service" if left out. */
      mining?: "service" | "service-then-local" | undefined;
      /** The transaction mining service, such as `http://localhost:8035/`. */
      miningUrl: string;
    }
  | {
      mining: "local";
      /** Not used. */
      miningUrl?: string | undefined;
    };

/** Keys from words: the wallet can send. */
export interface SeedOptions {
  /** 24 words of the English list. */
  seed: string;
  /** Part of the keys besides the words: another passphrase is another wallet. */
  passphrase?: string | undefined;
  xpub?: undefined;
}

/** Keys from an xpub: the wallet can watch, not send. */
export interface XpubOptions {
  /** Of the account (`m/44'/280'/0'`) or its change level (`m/44'/280'/0'/0`). */
  xpub: string;
  seed?: undefined;
  passphrase?: undefined;
}

/** Options of `Wallet.start`. */
export type StartOptions = ServiceOptions & MiningOptions & (SeedOptions | XpubOptions);

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

/** How much of the history is loaded. */
export interface Progress {
  /** Addresses whose history was read to its end. */
  addresses: number;
  /** Transactions known. */
  transactions: number;
  /**
   * When everything should be loaded, in Unix seconds, if it goes on at the pace so far. Only while it is being loaded, from the
   * first address on that is done. The addresses that an earlier start loaded are known to come. Past those, a history is expected to
   * go on for as many again as were found there: for fewer the nearer their first uses come to the present or, at its end, the more
   * unused ones follow each other. So the end may come earlier, and moves on while there is more than was expected.
   */
  estimatedEnd?: number;
}

/** The states of a wallet, by the numbers of the HTTP interface. */
export type StatusMessage = "Closed" | "Connecting" | "Syncing" | "Ready" | "Error" | "Processing";

/** Where a wallet stands. */
export interface WalletState {
  /** 0 closed, 1 connecting, 2 syncing, 3 ready, 4 error, 5 processing. */
  statusCode: 0 | 1 | 2 | 3 | 4 | 5;
  statusMessage: StatusMessage;
  /** What stands in the way, or why nothing is kept in the store, and what to do; absent if nothing does. */
  error?: string;
  /** When the full node is tried again, in Unix seconds: only while the wallet waits for that. `reconnect` ends the waiting. */
  nextTry?: number;
}

/** Where a wallet stands, and with whom it talks. */
export interface WalletStatus extends WalletState {
  network: Network;
  /** `nodeUrl`, without user and password. */
  serverUrl: string;
  progress: Progress;
  /** What the full node said of itself when the wallet was started. */
  serverInfo: unknown;
}

/** What a wallet holds of a token. */
export interface Balance {
  /** Can be spent now. */
  available: bigint;
  /** Time-locked, or a block reward that is too new. */
  locked: bigint;
}

/** Which token `balance` is asked about. */
export interface BalanceRequest {
  /** The token's uid; `"00"`, or left out, is HTR. */
  token?: string | undefined;
}

/** Which address is asked for. */
export interface AddressRequest {
  /** The one at this index, rather than the current one. */
  index?: number | undefined;
  /** Moves on: the next call gives the next address. */
  mark_as_used?: boolean | undefined;
}

/** Which unspent outputs are asked for. */
export interface UtxoFilter {
  /** At most so many; 255 if left out. */
  max_utxos?: number | undefined;
  /** The token's uid; `"00"`, or left out, is HTR. */
  token?: string | undefined;
  /** Only outputs of this address. */
  filter_address?: string | undefined;
  /** Only outputs of less. */
  amount_smaller_than?: AmountInput | undefined;
  /** Only outputs of more. */
  amount_bigger_than?: AmountInput | undefined;
  /** Outputs are taken while their total stays within this. */
  maximum_amount?: AmountInput | undefined;
  /** Leaves out locked outputs. */
  only_available_utxos?: boolean | undefined;
}

/** An unspent output. */
export interface Utxo {
  address: string;
  amount: bigint;
  tx_id: string;
  /** Whether it can't be spent yet. */
  locked: boolean;
  index: number;
}

/** Unspent outputs. The totals cover exactly these. */
export interface UtxoList {
  total_amount_available: bigint;
  total_utxos_available: number;
  total_amount_locked: bigint;
  total_utxos_locked: number;
  utxos: Utxo[];
}

/** How much of the history is asked for. */
export interface HistoryRequest {
  /** At most so many transactions; all of them if left out. */
  limit?: number | undefined;
}

/** A script that pays an address. */
export interface PaymentScript {
  type: "P2PKH" | "MultiSig";
  address: string;
  /** Unix seconds before which the output can't be spent. */
  timelock: number | null;
}

/** A script that keeps a text on the ledger. */
export interface DataScript {
  type: "DATA";
  data: string;
}

/** A script of a kind that wallets don't know. */
export type UnknownScript = { [name in never]: never };

/** What a script says. */
export type DecodedScript = PaymentScript | DataScript | UnknownScript;

/** What inputs and outputs of the history have in common. */
export interface HistoryAmount {
  /** Cents; of an authority (`token_data` above 128), 1 for minting and 2 for melting. */
  value: bigint;
  token_data: number;
  /** In base64. */
  script: string;
  decoded: DecodedScript;
  /** The token's uid; `"00"` is HTR. */
  token: string;
}

/** An input of the history: what it spends. */
export interface HistoryInput extends HistoryAmount {
  tx_id: string;
  index: number;
}

/** An output of the history. */
export interface HistoryOutput extends HistoryAmount {
  /** The transaction that spent it. */
  spent_by: string | null;
}

/** A transaction or block of the wallet's history. */
export interface HistoryTransaction {
  tx_id: string;
  /** 0, 3 and 5 are blocks, 1 a transaction, 2 the creation of a token. */
  version: number;
  weight: number;
  /** Unix seconds. */
  timestamp: number;
  /** It lost a conflict, and moves nothing. */
  is_voided: boolean;
  inputs: HistoryInput[];
  outputs: HistoryOutput[];
  parents: string[];
  /** On creations of tokens. */
  token_name?: string;
  /** On creations of tokens. */
  token_symbol?: string;
  /** On creations of tokens: empty. */
  tokens?: string[];
}

/** An output that pays an address. */
export interface PaymentRequest {
  address: string;
  value: AmountInput;
  /** The token's uid; `"00"`, or left out, is HTR. */
  token?: string | undefined;
  /** Unix seconds before which it can't be spent. */
  timelock?: number | undefined;
}

/** An output that keeps a text on the ledger: at most 150 characters. Costs a cent of HTR. */
export interface DataRequest {
  type: "data";
  data: string;
}

/** An output to spend. */
export interface InputRequest {
  /** The transaction's id. */
  hash: string;
  /** The output's place in it. */
  index: number;
}

/** Bounds on what is spent. */
export interface QueryRequest {
  type: "query";
  filter_address?: string | undefined;
  max_utxos?: number | undefined;
  amount_smaller_than?: AmountInput | undefined;
  amount_bigger_than?: AmountInput | undefined;
  maximum_amount?: AmountInput | undefined;
}

/** A transaction to send. */
export interface SendTxRequest {
  /** At least one, and at most 25 of data. */
  outputs: (PaymentRequest | DataRequest)[];
  /** What is spent; chosen by the wallet if left out. */
  inputs?: InputRequest[] | [QueryRequest] | undefined;
  /** Where the change goes: an address of the wallet. */
  change_address?: string | undefined;
}

/** What the creations of tokens and NFTs have in common. */
export interface CreationRequest {
  /** At most 30 characters. */
  name: string;
  /** At most 5 characters. */
  symbol: string;
  /** Minted. */
  amount: AmountInput;
  /** Who gets the minted tokens; an address of this wallet if left out. */
  address?: string | undefined;
  /** Where the change goes: an address of the wallet. */
  change_address?: string | undefined;
  /** Creates the authority to mint more. */
  create_mint?: boolean | undefined;
  /** Who gets it. */
  mint_authority_address?: string | undefined;
  /** Lets that be somebody else's address. */
  allow_external_mint_authority_address?: boolean | undefined;
  /** Creates the authority to melt. */
  create_melt?: boolean | undefined;
  /** Who gets it. */
  melt_authority_address?: string | undefined;
  /** Lets that be somebody else's address. */
  allow_external_melt_authority_address?: boolean | undefined;
}

/** A token to create. Both authorities are created unless it says otherwise. */
export interface CreateTokenRequest extends CreationRequest {
  /** Texts kept on the ledger: at most 25 of at most 150 characters. */
  data?: string[] | undefined;
  /** 1, or left out: paid for by a deposit; 2: by fees. */
  version?: 1 | 2 | undefined;
}

/** An NFT to create. No authority is created unless it says otherwise. */
export interface CreateNftRequest extends CreationRequest {
  /** What identifies it: a URI or any text, at most 150 characters. */
  data: string;
}

/** Tokens to melt. */
export interface MeltTokensRequest {
  /** The token's uid. */
  token: string;
  amount: AmountInput;
  /** Where what is left over goes: an address of the wallet. */
  change_address?: string | undefined;
  /** Who gets the returned deposit. */
  deposit_address?: string | undefined;
  /** Who gets the authority that takes the place of the spent one. */
  melt_authority_address?: string | undefined;
  /** Lets that be somebody else's address. */
  allow_external_melt_authority_address?: boolean | undefined;
  /** Texts kept on the ledger: at most 25 of at most 150 characters. */
  data?: string[] | undefined;
  /** Whether data outputs come first; they do if left out. */
  unshift_data?: boolean | undefined;
}

/** Bytes, as Node's `Buffer` writes them to JSON. */
export interface Bytes {
  type: "Buffer";
  data: number[];
}

/** An input of a transaction that was sent. */
export interface TransactionInput {
  hash: string;
  index: number;
  data: Bytes;
  tx_id: string;
}

/** An output of a transaction that was sent. */
export interface TransactionOutput {
  value: bigint;
  /** 0 is HTR, 1 the first custom token; 128 is added for authorities. */
  tokenData: number;
  script: Bytes;
  decodedScript: null;
  token_data: number;
}

/** What all transactions that were sent have in common. */
export interface SentTransaction {
  success: true;
  inputs: TransactionInput[];
  outputs: TransactionOutput[];
  version: number;
  weight: number;
  nonce: number;
  /** Unix seconds. */
  timestamp: number;
  parents: string[];
  /** The transaction's id. */
  hash: string;
  _dataToSignCache: null;
}

/** A transaction that was sent. */
export interface Transaction extends SentTransaction {
  /** The uids of its custom tokens. */
  tokens: string[];
}

/** The creation of a token or NFT that was sent. Its `hash` is the token's uid. */
export interface CreatedToken extends SentTransaction {
  /** `[name:symbol:uid:checksum]`. */
  configurationString: string;
  name: string;
  symbol: string;
}

/** A transaction that came into the history, or changed (confirmed, voided, an output spent). */
export interface TxEvent {
  tx: HistoryTransaction;
  /** Whether it came, rather than changed. */
  isNew: boolean;
}

/** A token's new balance: after a transaction, or when a lock has ended. */
export interface BalanceEvent extends Balance {
  token: string;
}

/** What can be listened to, and what listeners are told. */
export interface WalletEvents {
  tx: TxEvent;
  balance: BalanceEvent;
  state: WalletState;
  progress: Progress;
}

export interface Wallet {
  /**
   * Calls `listener` from now on for every event of a kind. Returns the function that ends that. Listeners are told of what is
   * right: while the wallet is not ready, transactions and balances wait.
   */
  on<E extends keyof WalletEvents>(event: E, listener: (news: WalletEvents[E]) => void): () => void;
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

/** An input as its transaction has it. */
export interface DecodedInput {
  tx_id: string;
  index: number;
  /** In hexadecimal; empty if it is not signed. */
  data: string;
}

/** An output as its transaction has it. */
export interface DecodedOutput {
  value: bigint;
  token_data: number;
  /** In base64. */
  script: string;
  decoded: DecodedScript;
  /** The token's uid; `null` for the token that the transaction creates, whose uid is the transaction's id. */
  token: string | null;
}

/** A transaction read from its bytes. */
export interface DecodedTransaction {
  hash: string;
  version: number;
  weight: number;
  timestamp: number;
  nonce: number;
  parents: string[];
  tokens: string[];
  inputs: DecodedInput[];
  outputs: DecodedOutput[];
  /** On creations of tokens. */
  name?: string;
  /** On creations of tokens. */
  symbol?: string;
  /** On creations of tokens: 1 paid by a deposit, 2 by fees. */
  token_version?: number;
}

/** The kinds of errors that this package throws. */
export type WalletErrorName = "InputError" | "StartError" | "NotReadyError" | "SendError" | "VaultError" | "InternalError";

/** What went wrong, for programs. */
export type WalletErrorCode =
  | "INVALID_INPUT"
  | "READ_ONLY"
  // Starting
  | "WRONG_NETWORK"
  | "SYNC_FAILED"
  | "STORE"
  | "NOT_INITIALIZED"
  // A wallet that is not ready
  | "NOT_READY"
  | "STOPPED"
  // Building a transaction
  | "ADDRESS_NOT_MINE"
  | "INSUFFICIENT_FUNDS"
  | "INPUT_LOCKED"
  | "INPUT_SPENT"
  | "INPUT_VOIDED"
  | "INPUT_IS_AUTHORITY"
  | "INPUT_UNKNOWN"
  | "NO_AUTHORITY"
  | "TRANSACTION_TOO_LARGE"
  // Sending it
  | "TOO_EARLY"
  | "REJECTED"
  | "OUTCOME_UNKNOWN"
  | "CUT_OFF"
  // The full node
  | "NODE_UNREACHABLE"
  | "NODE_TIMEOUT"
  | "NODE_RATE_LIMITED"
  | "NODE_BAD_ANSWER"
  | "NODE_REFUSED"
  // The mining service
  | "MINING_UNREACHABLE"
  | "MINING_NO_ANSWER"
  | "MINING_RATE_LIMITED"
  | "MINING_BAD_ANSWER"
  | "MINING_REFUSED"
  | "MINING_TIMEOUT"
  | "NO_MINERS"
  // Secrets sealed with a password
  | "WRONG_PASSWORD"
  | "VAULT_UNREADABLE"
  // A fault of this package
  | "INTERNAL";

/** An error that this package threw. Its message says what is wrong and what to do. */
export interface WalletError extends Error {
  name: WalletErrorName;
  code: WalletErrorCode;
  /** The argument or option that is not as it must be, such as `outputs[0].value`. */
  field?: string;
}
