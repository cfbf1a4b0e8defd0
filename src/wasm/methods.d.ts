// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** The operations of a wallet. Most are those of the HTTP interface. */
export interface Wallet {
  /**
   * Watch more addresses after those between two indexes. The answer comes once their history is loaded.
   *
   * @param count How many more.
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  loadMoreAddresses(count: number, options?: WaitOptions): Promise<void>;
  /**
   * Watch all addresses up to this one, after those between two indexes.
   *
   * @param index The index of the last address to watch.
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  loadAddressesTo(index: number, options?: WaitOptions): Promise<void>;
  /** Show the state of the wallet. Works in every state. */
  status(): WalletStatus;
  /** Stop the wallet, after its sends in progress. A stopped wallet can't be started again: start another one. */
  stop(): Promise<void>;
  /**
   * Show how much of a token the wallet has.
   *
   * @param token The token's uid; `00` is HTR.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   * @example
   * const { available, locked } = await wallet.balance(); // HTR, in cents
   */
  balance(token?: string | BalanceRequest): Promise<Balance>;
  /**
   * Show how much the wallet has of each token that it has or had, HTR first.
   *
   * @throws {WalletError} `NOT_READY`, `STOPPED`, …
   */
  balances(): Promise<TokenBalance[]>;
  /**
   * Show the current address, or the one at an index.
   *
   * @param request Optional: `index`, `markAsUsed`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   * @example
   * const fresh = await wallet.address({ markAsUsed: true }); // each call another one
   */
  address(request?: AddressRequest): Promise<string>;
  /**
   * List all addresses, by index.
   *
   * @throws {WalletError} `NOT_READY`, `STOPPED`, …
   */
  addresses(): Promise<string[]>;
  /**
   * The index of an address; `undefined` if it isn't the wallet's.
   *
   * @param address An address of the wallet.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  addressIndex(address: string): Promise<number | undefined>;
  /**
   * Show how much of a token an address has received, and how much of it is unspent.
   *
   * @param request `address`; optional: `token`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  addressInfo(request: string | AddressInfoRequest): Promise<AddressInfo>;
  /**
   * List unspent outputs, and their total.
   *
   * @param filter Optional: `maxUtxos`, `token`, `filterAddress`, `amountSmallerThan`, `amountBiggerThan`, `maximumAmount`, `onlyAvailableUtxos`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   * @example
   * const { utxos } = await wallet.utxos({ maxUtxos: 10, amountBiggerThan: 100n, onlyAvailableUtxos: true });
   */
  utxos(filter?: UtxosRequest): Promise<UtxoList>;
  /**
   * List the wallet's transactions: by timestamp, and those of one second by id.
   *
   * @param request Optional: `limit`, `before`, `after`, `since`, `token`, `address`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   * @example
   * let page = await wallet.history({ limit: 100 }); // newest first
   * while (page.length > 0) {
   *   for (const { tx_id, effect } of page) console.log(tx_id, effect.net);
   *   page = await wallet.history({ limit: 100, before: page.at(-1)!.tx_id });
   * }
   */
  history(request?: HistoryRequest): Promise<HistoryTransaction[]>;
  /**
   * Show one of the wallet's transactions.
   *
   * @param id The transaction's id.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  transaction(id: string): Promise<HistoryTransaction>;
  /**
   * Show how many blocks confirm a transaction.
   *
   * @param id The transaction's id.
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  confirmations(id: string, options?: WaitOptions): Promise<number>;
  /**
   * Show the index of the last address that is watched.
   *
   * @throws {WalletError} `NOT_READY`, `STOPPED`, …
   */
  lastLoadedAddressIndex(): Promise<number>;
  /**
   * Show the full node's data about a token; `null` if it does not know the token.
   *
   * @param uid `token`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  token(uid: string, options?: WaitOptions): Promise<Token | null>;
  /**
   * Pay one address.
   *
   * @param request `address`, `value`; optional: `token`, `changeAddress`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   * @example
   * const payment = { address: "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", value: 1_500n }; // 15.00 HTR
   * const { cost } = await wallet.simpleSendTx(payment, { dryRun: true });
   * const { hash } = await wallet.simpleSendTx(payment, { idempotencyKey: "order 17" });
   */
  simpleSendTx(request: SimpleSendTxRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  simpleSendTx(request: SimpleSendTxRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Pay addresses, and write texts to the ledger.
   *
   * @param request `outputs`; optional: `inputs`, `changeAddress`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `ADDRESS_NOT_MINE`, `INPUT_SPENT`, `INPUT_LOCKED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   * @example
   * const { hash } = await wallet.sendTx({
   *   outputs: [
   *     { address: "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", value: 1_500n }, // 15.00 HTR
   *     { type: "data", data: "invoice 17" },
   *   ],
   * });
   */
  sendTx(request: SendTxRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  sendTx(request: SendTxRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Create a token.
   *
   * @param request `name`, `symbol`, `amount`; optional: `address`, `changeAddress`, `createMint`, `mintAuthorityAddress`, `allowExternalMintAuthorityAddress`, `createMelt`, `meltAuthorityAddress`, `allowExternalMeltAuthorityAddress`, `data`, `version`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   * @example
   * const { hash: uid, configurationString } = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 10_000n });
   */
  createToken(request: CreateTokenRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createToken(request: CreateTokenRequest, options?: SendOptions): Promise<CreatedToken>;
  /**
   * Create an NFT.
   *
   * @param request `name`, `symbol`, `amount`, `data`; optional: `address`, `changeAddress`, `createMint`, `mintAuthorityAddress`, `allowExternalMintAuthorityAddress`, `createMelt`, `meltAuthorityAddress`, `allowExternalMeltAuthorityAddress`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   * @example
   * await wallet.createNft({ name: "Cup", symbol: "CUP", amount: 1, data: "ipfs://cup.json" });
   */
  createNft(request: CreateNftRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createNft(request: CreateNftRequest, options?: SendOptions): Promise<CreatedToken>;
  /**
   * Mint more of a token.
   *
   * @param request `token`, `amount`; optional: `changeAddress`, `createMint`, `mintAuthorityAddress`, `allowExternalMintAuthorityAddress`, `unshiftData`, `data`, `address`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NO_AUTHORITY`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  mintTokens(request: MintTokensRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  mintTokens(request: MintTokensRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Melt tokens, and get their deposit back.
   *
   * @param request `token`, `amount`; optional: `changeAddress`, `createMelt`, `meltAuthorityAddress`, `allowExternalMeltAuthorityAddress`, `unshiftData`, `data`, `depositAddress`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NO_AUTHORITY`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  meltTokens(request: MeltTokensRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  meltTokens(request: MeltTokensRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Combine many outputs into one.
   *
   * @param request `destinationAddress`; optional: `maxUtxos`, `token`, `filterAddress`, `amountSmallerThan`, `amountBiggerThan`, `maximumAmount`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  consolidateUtxos(request: ConsolidateUtxosRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  consolidateUtxos(request: ConsolidateUtxosRequest, options?: SendOptions): Promise<Consolidation>;
  /**
   * Send a signed transaction. Its proof of work is done first if it is missing.
   *
   * @param txHex The transaction, in hexadecimal digits.
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  pushTx(txHex: string, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  pushTx(txHex: string, options?: SendOptions): Promise<PushedTransaction>;
  /**
   * Show what a transaction contains, and what it would do to the wallet.
   *
   * @param txHex The transaction, in hexadecimal digits.
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  decodeTx(txHex: string | { partialTx: string }, options?: WaitOptions): Promise<TransactionEffect>;
  /**
   * Reserve the outputs that a transaction spends, for `ttl` milliseconds or until they are released or spent.
   *
   * @param txHex The transaction whose inputs are meant, in hexadecimal digits.
   * @param options `ttl`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  lockUtxos(txHex: string, options?: { ttl?: number | undefined }): Promise<void>;
  /**
   * Release the reserved outputs that a transaction spends.
   *
   * @param txHex The transaction whose inputs are meant, in hexadecimal digits.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  unlockUtxos(txHex: string): Promise<void>;
  /**
   * Build a transaction for signing outside of the wallet. Nothing is reserved, and the wallet may be read-only.
   *
   * @param request `outputs`; optional: `inputs`, `changeAddress`
   * @param options `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `INSUFFICIENT_FUNDS`, `NODE_UNREACHABLE`, …
   */
  buildTx(request: BuildTxRequest, options?: MakeOptions): Promise<TxToSign>;
  /**
   * Show which inputs of a transaction belong to the wallet, and which of its keys must sign them.
   *
   * @param txHex The transaction, in hexadecimal digits.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  walletInputs(txHex: string): Promise<WalletInputs>;
  /**
   * Turn signatures into the data of an input: one signature, or those of the participants of a multisig wallet.
   *
   * @param request `index`; optional: `signature`, `signatures`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  inputData(request: InputDataRequest): Promise<InputData>;
  /**
   * Put input data into a transaction. Each one is checked.
   *
   * @param request `txHex`, `signatures`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  addSignatures(request: AddSignaturesRequest, options?: WaitOptions): Promise<TxHex>;
  /**
   * Make a signing file of a transaction: everything needed to check and sign it on a computer without a network.
   *
   * @param request Optional: `txHex`, `partialTx`, `label`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  signingFile(request: SigningFileRequest, options?: WaitOptions): Promise<SigningFile>;
  /**
   * Put the signatures of signing files into their transaction, and send it. Each is checked against what it spends.
   *
   * @param request `files`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  pushSigningFile(request: { files: SigningFile[] }, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  pushSigningFile(request: { files: SigningFile[] }, options?: SendOptions): Promise<Transaction>;
  /**
   * Build a transaction for the participants to sign. Its inputs are reserved only if asked for.
   *
   * @param request `outputs`; optional: `inputs`, `changeAddress`, `markInputsAsUsed`
   * @param options `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NOT_MULTISIG`, `INSUFFICIENT_FUNDS`, `NODE_UNREACHABLE`, …
   * @example
   * const { txHex } = await wallet.proposeTx({ outputs: [{ address: "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", value: 100n }] });
   * const mine = await wallet.mySignatures(txHex); // and so does each participant
   */
  proposeTx(request: ProposeTxRequest, options?: MakeOptions): Promise<TxHex>;
  /**
   * Build a transaction that creates a token, for the participants to sign.
   *
   * @param request `name`, `symbol`, `amount`; optional: `address`, `changeAddress`, `createMint`, `mintAuthorityAddress`, `allowExternalMintAuthorityAddress`, `createMelt`, `meltAuthorityAddress`, `allowExternalMeltAuthorityAddress`, `markInputsAsUsed`, `data`, `version`
   * @param options `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `INSUFFICIENT_FUNDS`, `NODE_UNREACHABLE`, …
   */
  proposeCreateToken(request: ProposeCreateTokenRequest, options?: MakeOptions): Promise<TxHex>;
  /**
   * Build a transaction that mints more of a token, for the participants to sign.
   *
   * @param request `token`, `amount`; optional: `address`, `changeAddress`, `createMint`, `mintAuthorityAddress`, `allowExternalMintAuthorityAddress`, `markInputsAsUsed`, `unshiftData`, `data`
   * @param options `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NO_AUTHORITY`, `INSUFFICIENT_FUNDS`, `NODE_UNREACHABLE`, …
   */
  proposeMintTokens(request: ProposeMintTokensRequest, options?: MakeOptions): Promise<TxHex>;
  /**
   * Build a transaction that melts tokens, for the participants to sign.
   *
   * @param request `token`, `amount`; optional: `depositAddress`, `changeAddress`, `createMelt`, `meltAuthorityAddress`, `allowExternalMeltAuthorityAddress`, `markInputsAsUsed`, `unshiftData`, `data`
   * @param options `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NO_AUTHORITY`, `INSUFFICIENT_FUNDS`, `NODE_UNREACHABLE`, …
   */
  proposeMeltTokens(request: ProposeMeltTokensRequest, options?: MakeOptions): Promise<TxHex>;
  /**
   * Sign a transaction as one participant. Any participant can combine the signatures.
   *
   * @param request `txHex`; optional: `asIs`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  mySignatures(request: string | MySignaturesRequest, options?: WaitOptions): Promise<string>;
  /**
   * Put the participants' signatures into a transaction. Each one is checked.
   *
   * @param request `txHex`, `signatures`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  signProposal(request: SignProposalRequest): Promise<TxHex>;
  /**
   * Put the participants' signatures into a transaction, and send it.
   *
   * @param request `txHex`, `signatures`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  signAndPush(request: SignAndPushRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  signAndPush(request: SignAndPushRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Propose an atomic swap, or add this wallet's part to a proposal. The outputs that it gives are locked.
   *
   * @param request Optional: `partialTx`, `send`, `receive`, `lock`, `changeAddress`, `service`
   * @param options `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `INSUFFICIENT_FUNDS`, `NODE_UNREACHABLE`, …
   */
  proposeSwap(request: ProposeSwapRequest, options?: MakeOptions): Promise<Swap>;
  /**
   * Sign this wallet's inputs of a proposal. The signatures go to whoever puts the swap together. What the proposal says of its inputs is checked against the full node.
   *
   * @param request `partialTx`; optional: `asIs`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  mySwapSignatures(request: string | MySwapSignaturesRequest, options?: WaitOptions): Promise<string>;
  /**
   * Put all signatures into the transaction of a proposal. Each one is checked.
   *
   * @param request `partialTx`; optional: `signatures`, `service`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  signSwap(request: SignSwapRequest, options?: WaitOptions): Promise<TxHex>;
  /**
   * Put all signatures into the transaction of a proposal, and send it.
   *
   * @param request `partialTx`; optional: `signatures`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  signAndPushSwap(request: SignAndPushSwapRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  signAndPushSwap(request: SignAndPushSwapRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Extract the signatures of a transaction, in the form that `sign` takes: those of a multisig wallet, or of other programs.
   *
   * @param txHex A transaction with input data, in hexadecimal digits.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  swapInputData(txHex: string): Promise<string>;
  /**
   * Unlock what this wallet gives in a proposal.
   *
   * @param partialTx The proposal whose inputs this wallet may spend otherwise again.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  unlockSwap(partialTx: string): Promise<void>;
  /**
   * List the outputs that are locked, for swaps or by utxos-selected-as-input.
   *
   * @throws {WalletError} `NOT_READY`, `STOPPED`, …
   */
  lockedUtxos(): Promise<LockedOutputs[]>;
  /**
   * List the proposals at the swap service that the wallet is registered for.
   *
   * @throws {WalletError} `NOT_READY`, `STOPPED`, …
   */
  swapProposals(): Promise<string[]>;
  /**
   * Fetch a proposal from the swap service, and decrypt it.
   *
   * @param proposalId The proposal's id at the swap service.
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  swapProposal(proposalId: string, options?: WaitOptions): Promise<SwapProposal>;
  /**
   * Register for a proposal at the swap service: its password is kept while the wallet runs.
   *
   * @param request `proposalId`, `password`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  registerSwapProposal(request: RegisterSwapProposalRequest, options?: WaitOptions): Promise<void>;
  /**
   * Forget a proposal at the swap service, and its password.
   *
   * @param proposalId The proposal's id at the swap service.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  deleteSwapProposal(proposalId: string): Promise<void>;
  /**
   * Build a transaction from a template, and send it. A dry run has zeros in place of oracle signatures.
   *
   * @param request `template`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  runTemplate(request: RunTemplateRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  runTemplate(request: RunTemplateRequest, options?: SendOptions): Promise<TemplateTransaction>;
  /**
   * Build a transaction from a template, without sending it. Nothing is reserved.
   *
   * @param request `template`; optional: `sign`
   * @param options `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `INSUFFICIENT_FUNDS`, `NODE_UNREACHABLE`, …
   */
  buildTemplate(request: BuildTemplateRequest, options?: MakeOptions): Promise<TxHex>;
  /**
   * Show what a contract holds, and the values of its fields.
   *
   * @param request `id`; optional: `fields`, `balances`, `calls`, `blockHash`, `blockHeight`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  contractState(request: ContractStateRequest, options?: WaitOptions): Promise<unknown>;
  /**
   * List the transactions that called a contract, newest first.
   *
   * @param request `id`; optional: `count`, `after`, `before`
   * @param options `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `NODE_UNREACHABLE`, …
   */
  contractHistory(request: ContractHistoryRequest, options?: WaitOptions): Promise<unknown>;
  /**
   * Show the data by which a contract knows an oracle: the script that pays an address.
   *
   * @param oracle An address, or an output's script in hexadecimal.
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  oracleData(oracle: string): Promise<string>;
  /**
   * Sign a result for a contract, as its oracle.
   *
   * @param request `oracleData`, `contractId`, `result`, `type`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  oracleSignedResult(request: OracleSignedResultRequest): Promise<unknown>;
  /**
   * Create a contract from a blueprint.
   *
   * @param request `blueprintId`, `address`, `data`; optional: `createTokenOptions`, `maxFee`, `contractPaysFees`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `INVALID_CALL`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  createContract(request: CreateContractRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createContract(request: CreateContractRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Call a method of a contract.
   *
   * @param request `ncId`, `method`, `address`, `data`; optional: `createTokenOptions`, `maxFee`, `contractPaysFees`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `INVALID_CALL`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   * @example
   * const caller = await wallet.address({ index: 0 });
   * await wallet.executeContract({
   *   ncId: "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595",
   *   method: "bet",
   *   address: caller,
   *   data: { args: [caller, "1x0"], actions: [{ type: "deposit", token: "00", amount: 100n }] },
   * });
   */
  executeContract(request: ExecuteContractRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  executeContract(request: ExecuteContractRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Publish a blueprint on the ledger, so that contracts can be created from it.
   *
   * @param request `code`, `address`
   * @param options `dryRun`, `idempotencyKey`, `signal`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, `INSUFFICIENT_FUNDS`, `REJECTED`, `OUTCOME_UNKNOWN`, `NODE_UNREACHABLE`, `MINING_UNREACHABLE`, `MINING_TIMEOUT`, …
   */
  createBlueprint(request: CreateBlueprintRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createBlueprint(request: CreateBlueprintRequest, options?: SendOptions): Promise<Transaction>;
  /**
   * Sign a message with the key of one of the wallet's addresses.
   *
   * @param request `message`, `address`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, `READ_ONLY`, …
   */
  signMessage(request: SignMessageRequest): Promise<SignedMessage>;
  /**
   * Check whether a message was signed with the key of an address of this network, whether or not it belongs to this wallet.
   *
   * @param request `message`, `address`, `signature`
   * @throws {WalletError} `INVALID_INPUT`, `NOT_READY`, `STOPPED`, …
   */
  verifyMessage(request: VerifyMessageRequest): Promise<boolean>;
}
