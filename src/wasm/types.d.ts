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
 * Amounts are whole cents of a token: `bigint` in answers, `bigint` or safe integers in requests.
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
  /** Where the wallet stands. Works in every state. */
  status(): WalletStatus;
  /** What the wallet holds of a token: of HTR, unless a token's uid is given. */
  balance(token?: string | BalanceRequest): Promise<Balance>;
  /** The uids of the tokens that the wallet has had to do with, HTR (`"00"`) first. */
  tokens(): Promise<string[]>;
  /** How many outputs the wallet has that it may mint or melt a token with now. */
  authorities(token: string): Promise<Authorities>;
  /** What the full node says of a token; `null` if it does not know it. */
  token(uid: string, options?: WaitOptions): Promise<Token | null>;
  /**
   * The HTR that an amount of a token, or of a new one, stands for by the rule of the full node's release: to the cent, whatever the
   * wallet holds. Tokens that are paid for by fees have no deposit.
   */
  tokenDeposit(request: TokenDepositRequest, options?: WaitOptions): Promise<TokenDeposit>;
  /** The address to receive on next, or the one at an index. */
  address(request?: AddressRequest): Promise<string>;
  /** The addresses derived so far, in index order: used ones, and as many unused ones as the gap limit asks for. */
  addresses(): Promise<string[]>;
  /** The index of an address; `undefined` if it isn't the wallet's. */
  addressIndex(address: string): Promise<number | undefined>;
  /** What an address received of a token, and where that is now. */
  addressInfo(request: string | AddressInfoRequest): Promise<AddressInfo>;
  /** The index of the last address that is watched. */
  lastLoadedAddressIndex(): Promise<number>;
  /** The unspent outputs that match a filter (of HTR, at most 255, unless it says otherwise), and their totals. */
  utxos(filter?: UtxosRequest): Promise<UtxoList>;
  /** The wallet's transactions, newest first: all of them, or the newest `limit`. */
  history(request?: HistoryRequest): Promise<HistoryTransaction[]>;
  /** A transaction of the history. */
  transaction(id: string): Promise<HistoryTransaction>;
  /** How many blocks confirm a transaction of the history. */
  confirmations(id: string, options?: WaitOptions): Promise<number>;
  /** Resolves once a transaction is in the history and, if so asked, confirmed. Rejects with `VOIDED` if it lost a conflict. */
  waitForTransaction(id: string, options?: ConfirmOptions): Promise<HistoryTransaction>;

  /** Pays addresses, writes data on the ledger, or both. Resolves once the full node has taken the transaction. */
  sendTx(request: SendTxRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  sendTx(request: SendTxRequest, options?: SendOptions): Promise<Transaction>;
  /** Pays one address. */
  simpleSendTx(request: SimpleSendTxRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  simpleSendTx(request: SimpleSendTxRequest, options?: SendOptions): Promise<Transaction>;
  /** Creates a token. A hundredth of the amount, in HTR, is deposited for it; melting returns that. */
  createToken(request: CreateTokenRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createToken(request: CreateTokenRequest, options?: SendOptions): Promise<CreatedToken>;
  /** Creates an NFT: a token whose creation carries `data` that identifies it. */
  createNft(request: CreateNftRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createNft(request: CreateNftRequest, options?: SendOptions): Promise<CreatedToken>;
  /** Mints more of a token, for a deposit. */
  mintTokens(request: MintTokensRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  mintTokens(request: MintTokensRequest, options?: SendOptions): Promise<Transaction>;
  /** Melts some of a token, and gets its deposit back. */
  meltTokens(request: MeltTokensRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  meltTokens(request: MeltTokensRequest, options?: SendOptions): Promise<Transaction>;
  /** Makes one output of many. */
  consolidateUtxos(request: ConsolidateUtxosRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  consolidateUtxos(request: ConsolidateUtxosRequest, options?: SendOptions): Promise<Consolidation>;
  /** Sends a transaction that is signed; its proof of work is done where it is missing. */
  pushTx(txHex: string, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  pushTx(txHex: string, options?: SendOptions): Promise<PushedTransaction>;
  /** A transaction in words, and what it would do to the wallet, as `POST /wallet/decode` answers. */
  decodeTx(txHex: string | { partialTx: string }, options?: WaitOptions): Promise<TransactionEffect>;

  /** Sends a transaction that is built by a template: a list of instructions. */
  runTemplate(request: RunTemplateRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  runTemplate(request: RunTemplateRequest, options?: SendOptions): Promise<TemplateTransaction>;
  /** Builds it without sending it. Nothing is reserved. */
  buildTemplate(request: BuildTemplateRequest, options?: MakeOptions): Promise<TxHex>;
  /** Builds a transaction that is signed elsewhere. Nothing is reserved. */
  buildTx(request: BuildTxRequest, options?: MakeOptions): Promise<TxToSign>;
  /** Which inputs of a transaction spend what pays the wallet, and where their keys are. */
  walletInputs(txHex: string): Promise<WalletInputs>;
  /** Makes an input's data of its signature, or of those that participants of a multisig wallet made. */
  inputData(request: InputDataRequest): Promise<InputData>;
  /** Puts input data into a transaction. Each is checked. */
  addSignatures(request: AddSignaturesRequest, options?: WaitOptions): Promise<TxHex>;
  /** Sets the outputs aside that a transaction spends, for `ttl` milliseconds or until they are given back or spent. */
  lockUtxos(txHex: string, options?: { ttl?: number | undefined }): Promise<void>;
  /** Gives them back. */
  unlockUtxos(txHex: string): Promise<void>;

  /** Builds a payment for the participants of a multisig wallet to sign. */
  proposeTx(request: ProposeTxRequest, options?: MakeOptions): Promise<TxHex>;
  /** The same for a new token. */
  proposeCreateToken(request: ProposeCreateTokenRequest, options?: MakeOptions): Promise<TxHex>;
  /** The same for minting. */
  proposeMintTokens(request: ProposeMintTokensRequest, options?: MakeOptions): Promise<TxHex>;
  /** The same for melting. */
  proposeMeltTokens(request: ProposeMeltTokensRequest, options?: MakeOptions): Promise<TxHex>;
  /** This participant's signatures of a transaction, for whoever puts them together. */
  mySignatures(txHex: string, options?: WaitOptions): Promise<string>;
  /** Puts the participants' signatures into a transaction. Each is checked. */
  signProposal(request: SignProposalRequest): Promise<TxHex>;
  /** The same, and sends it. */
  signAndPush(request: SignAndPushRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  signAndPush(request: SignAndPushRequest, options?: SendOptions): Promise<Transaction>;

  /** Makes a proposal of an atomic swap, or adds this wallet's part to one. What it gives is locked. */
  proposeSwap(request: ProposeSwapRequest, options?: MakeOptions): Promise<Swap>;
  /** This wallet's signatures of its inputs of a proposal, for whoever puts the swap together. Read it first: see `decodeTx`. */
  mySwapSignatures(partialTx: string, options?: WaitOptions): Promise<string>;
  /** Puts the signatures of all participants into the transaction of a proposal. Each is checked. */
  signSwap(request: SignSwapRequest, options?: WaitOptions): Promise<TxHex>;
  /** The same, and sends it. */
  signAndPushSwap(request: SignAndPushSwapRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  signAndPushSwap(request: SignAndPushSwapRequest, options?: SendOptions): Promise<Transaction>;
  /** The signatures in a transaction, as `signSwap` takes them: those of a multisig wallet, or made elsewhere. */
  swapInputData(txHex: string): Promise<string>;
  /** Unlocks what this wallet gives in a proposal. */
  unlockSwap(partialTx: string): Promise<void>;
  /** The ids of the proposals at the swap service that the wallet is registered for. */
  swapProposals(): Promise<string[]>;
  /** A proposal as the swap service has it, decrypted. */
  swapProposal(proposalId: string, options?: WaitOptions): Promise<SwapProposal>;
  /** Registers for a proposal at the swap service: its password is kept as long as the wallet runs. */
  registerSwapProposal(request: RegisterSwapProposalRequest, options?: WaitOptions): Promise<void>;
  /** Forgets a proposal at the swap service, and its password. */
  deleteSwapProposal(proposalId: string): Promise<void>;
  /** The outputs that are locked, for swaps or by `lockUtxos`. */
  lockedUtxos(): Promise<LockedOutputs[]>;

  /** The state of a contract, as the node answers it: its `fields`, `balances` and `calls` that were asked for. */
  contractState(request: ContractStateRequest, options?: WaitOptions): Promise<unknown>;
  /** The transactions that called a contract, newest first, as the node answers them. */
  contractHistory(request: ContractHistoryRequest, options?: WaitOptions): Promise<unknown>;
  /** What a contract knows an oracle by, in hexadecimal: the script that pays an address. */
  oracleData(oracle: string): Promise<string>;
  /** A result signed for a contract as the oracle that it knows: the argument for its method. */
  oracleSignedResult(request: OracleSignedResultRequest): Promise<unknown>;
  /** Creates a contract of a blueprint. */
  createContract(request: CreateContractRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createContract(request: CreateContractRequest, options?: SendOptions): Promise<Transaction>;
  /** Calls a method of a contract. */
  executeContract(request: ExecuteContractRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  executeContract(request: ExecuteContractRequest, options?: SendOptions): Promise<Transaction>;
  /** Puts a blueprint on the ledger, of which contracts can be made then. */
  createBlueprint(request: CreateBlueprintRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createBlueprint(request: CreateBlueprintRequest, options?: SendOptions): Promise<Transaction>;

  /** Signs a message with the key of one of the wallet's addresses: a proof that the signer has it. */
  signMessage(request: SignMessageRequest): Promise<SignedMessage>;
  /** Whether a message was signed with the key of an address of the wallet's network, be it whose it may. */
  verifyMessage(request: VerifyMessageRequest): Promise<boolean>;

  /** Watches so many more addresses, where an index limit says which are watched. Resolves once their history is loaded. */
  loadMoreAddresses(count: number, options?: WaitOptions): Promise<void>;
  /** Watches all addresses up to an index in the same way. */
  loadAddressesTo(index: number, options?: WaitOptions): Promise<void>;

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
  /** Takes no more requests, finishes the sends under way, and ends. A stopped wallet can't be started again: start another. */
  stop(): Promise<void>;
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
  // Calling a contract
  | "INVALID_CALL"
  // Sending it
  | "TOO_EARLY"
  | "REJECTED"
  | "OUTCOME_UNKNOWN"
  | "CUT_OFF"
  | "VOIDED"
  | "MULTISIG"
  | "IDEMPOTENCY_KEY_TAKEN"
  // Transactions signed by others
  | "NOT_SIGNED"
  | "NOT_MULTISIG"
  | "INVALID_SIGNATURES"
  | "INVALID_SWAP"
  // Events that nobody takes
  | "TOO_SLOW"
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
  // The swap service
  | "SWAP_SERVICE_FAILED"
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
  /** With the code `INSUFFICIENT_FUNDS`, where it is known: how many cents are needed, … */
  need?: bigint;
  /** … how many there are that can be spent, … */
  have?: bigint;
  /** … and of which token; when melting, it is the one that was to be melted. */
  token?: string;
}
