// Made of the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** The operations of a wallet, of which most are those of the HTTP interface. */
export interface Wallet {
  /** Watch more addresses after those between two indexes. The answer comes once their history is loaded. */
  loadMoreAddresses(count: number, options?: WaitOptions): Promise<void>;
  /** Watch all addresses up to this one, after those between two indexes. */
  loadAddressesTo(index: number, options?: WaitOptions): Promise<void>;
  /** Where the wallet stands. Works in every state. */
  status(): WalletStatus;
  /** Takes no more requests, finishes the sends under way, and ends. A stopped wallet can't be started again: start another. */
  stop(): Promise<void>;
  /** Show how much of a token the wallet has. */
  balance(token?: string | BalanceRequest): Promise<Balance>;
  /** Show how much the wallet has of each token that it has or had, HTR first. */
  balances(): Promise<TokenBalance[]>;
  /** Show the current address, or the one at an index. */
  address(request?: AddressRequest): Promise<string>;
  /** List all addresses, by index. */
  addresses(): Promise<string[]>;
  /** The index of an address; `undefined` if it isn't the wallet's. */
  addressIndex(address: string): Promise<number | undefined>;
  /** Show what an address has received of a token, and what is still there. */
  addressInfo(request: string | AddressInfoRequest): Promise<AddressInfo>;
  /** List unspent outputs, and their total. */
  utxos(filter?: UtxosRequest): Promise<UtxoList>;
  /** List the wallet's transactions: by timestamp, and those of one second by id. */
  history(request?: HistoryRequest): Promise<HistoryTransaction[]>;
  /** Show one of the wallet's transactions. */
  transaction(id: string): Promise<HistoryTransaction>;
  /** Show how many blocks confirm a transaction. */
  confirmations(id: string, options?: WaitOptions): Promise<number>;
  /** Show the index of the last address that is watched. */
  lastLoadedAddressIndex(): Promise<number>;
  /** What the full node says of a token; `null` if it does not know it. */
  token(uid: string, options?: WaitOptions): Promise<Token | null>;
  /** Pay one address. */
  simpleSendTx(request: SimpleSendTxRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  simpleSendTx(request: SimpleSendTxRequest, options?: SendOptions): Promise<Transaction>;
  /** Pay addresses, and write texts to the ledger. */
  sendTx(request: SendTxRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  sendTx(request: SendTxRequest, options?: SendOptions): Promise<Transaction>;
  /** Create a token. */
  createToken(request: CreateTokenRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createToken(request: CreateTokenRequest, options?: SendOptions): Promise<CreatedToken>;
  /** Create an NFT. */
  createNft(request: CreateNftRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createNft(request: CreateNftRequest, options?: SendOptions): Promise<CreatedToken>;
  /** Mint more of a token. */
  mintTokens(request: MintTokensRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  mintTokens(request: MintTokensRequest, options?: SendOptions): Promise<Transaction>;
  /** Melt tokens, and get their deposit back. */
  meltTokens(request: MeltTokensRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  meltTokens(request: MeltTokensRequest, options?: SendOptions): Promise<Transaction>;
  /** Combine many outputs into one. */
  consolidateUtxos(request: ConsolidateUtxosRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  consolidateUtxos(request: ConsolidateUtxosRequest, options?: SendOptions): Promise<Consolidation>;
  /** Send a signed transaction. Its proof of work is done first if it is missing. */
  pushTx(txHex: string, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  pushTx(txHex: string, options?: SendOptions): Promise<PushedTransaction>;
  /** Show what a transaction contains, and what it would do to the wallet. */
  decodeTx(txHex: string | { partialTx: string }, options?: WaitOptions): Promise<TransactionEffect>;
  /** Set the outputs aside that a transaction spends, for `ttl` milliseconds or until they are given back or spent. */
  lockUtxos(txHex: string, options?: { ttl?: number | undefined }): Promise<void>;
  /** Give back the outputs that a transaction spends and that were set aside. */
  unlockUtxos(txHex: string): Promise<void>;
  /** Build a transaction that is to be signed elsewhere. Nothing is reserved, and the wallet need not be able to sign. */
  buildTx(request: BuildTxRequest, options?: MakeOptions): Promise<TxToSign>;
  /** Show which inputs of a transaction belong to the wallet, and which of its keys must sign them. */
  walletInputs(txHex: string): Promise<WalletInputs>;
  /** Turn signatures into the data of an input: one signature, or those of the participants of a multisig wallet. */
  inputData(request: InputDataRequest): Promise<InputData>;
  /** Put input data into a transaction. Each one is checked. */
  addSignatures(request: AddSignaturesRequest, options?: WaitOptions): Promise<TxHex>;
  /** Make a signing file of a transaction: everything needed to check and sign it on a computer without a network. */
  signingFile(request: SigningFileRequest, options?: WaitOptions): Promise<SigningFile>;
  /** Put the signatures of signing files into their transaction, and send it. Each is checked against what it spends. */
  pushSigningFile(request: { files: SigningFile[] }, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  pushSigningFile(request: { files: SigningFile[] }, options?: SendOptions): Promise<Transaction>;
  /** Build a transaction for the participants to sign. Its inputs are reserved only if asked for. */
  proposeTx(request: ProposeTxRequest, options?: MakeOptions): Promise<TxHex>;
  /** Build a transaction that creates a token, for the participants to sign. */
  proposeCreateToken(request: ProposeCreateTokenRequest, options?: MakeOptions): Promise<TxHex>;
  /** Build a transaction that mints more of a token, for the participants to sign. */
  proposeMintTokens(request: ProposeMintTokensRequest, options?: MakeOptions): Promise<TxHex>;
  /** Build a transaction that melts tokens, for the participants to sign. */
  proposeMeltTokens(request: ProposeMeltTokensRequest, options?: MakeOptions): Promise<TxHex>;
  /** Sign a transaction as one participant. The signatures go to whoever puts them together. */
  mySignatures(request: string | MySignaturesRequest, options?: WaitOptions): Promise<string>;
  /** Put the participants' signatures into a transaction. Each one is checked. */
  signProposal(request: SignProposalRequest): Promise<TxHex>;
  /** Put the participants' signatures into a transaction, and send it. */
  signAndPush(request: SignAndPushRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  signAndPush(request: SignAndPushRequest, options?: SendOptions): Promise<Transaction>;
  /** Propose an atomic swap, or add this wallet's part to a proposal. What it gives is locked. */
  proposeSwap(request: ProposeSwapRequest, options?: MakeOptions): Promise<Swap>;
  /** Sign this wallet's inputs of a proposal. The signatures go to whoever puts the swap together. What the proposal says of its inputs is checked against the full node. */
  mySwapSignatures(request: string | MySwapSignaturesRequest, options?: WaitOptions): Promise<string>;
  /** Put all signatures into the transaction of a proposal. Each one is checked. */
  signSwap(request: SignSwapRequest, options?: WaitOptions): Promise<TxHex>;
  /** Put all signatures into the transaction of a proposal, and send it. */
  signAndPushSwap(request: SignAndPushSwapRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  signAndPushSwap(request: SignAndPushSwapRequest, options?: SendOptions): Promise<Transaction>;
  /** Take the signatures out of a transaction, in the form that `sign` takes: those of a multisig wallet, or made elsewhere. */
  swapInputData(txHex: string): Promise<string>;
  /** Unlock what this wallet gives in a proposal. */
  unlockSwap(partialTx: string): Promise<void>;
  /** List the outputs that are locked, for swaps or by utxos-selected-as-input. */
  lockedUtxos(): Promise<LockedOutputs[]>;
  /** List the proposals at the swap service that the wallet is registered for. */
  swapProposals(): Promise<string[]>;
  /** Fetch a proposal from the swap service, and decrypt it. */
  swapProposal(proposalId: string, options?: WaitOptions): Promise<SwapProposal>;
  /** Register for a proposal at the swap service: its password is kept while the wallet runs. */
  registerSwapProposal(request: RegisterSwapProposalRequest, options?: WaitOptions): Promise<void>;
  /** Forget a proposal at the swap service, and its password. */
  deleteSwapProposal(proposalId: string): Promise<void>;
  /** Build a transaction from a template, and send it. A dry run has zeros in the place of what an oracle signs. */
  runTemplate(request: RunTemplateRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  runTemplate(request: RunTemplateRequest, options?: SendOptions): Promise<TemplateTransaction>;
  /** Build a transaction from a template, without sending it. Nothing is reserved. */
  buildTemplate(request: BuildTemplateRequest, options?: MakeOptions): Promise<TxHex>;
  /** Show what a contract holds, and the values of its fields. */
  contractState(request: ContractStateRequest, options?: WaitOptions): Promise<unknown>;
  /** List the transactions that called a contract, newest first. */
  contractHistory(request: ContractHistoryRequest, options?: WaitOptions): Promise<unknown>;
  /** Show the data by which a contract knows an oracle: the script that pays an address. */
  oracleData(oracle: string): Promise<string>;
  /** Sign a result for a contract, as its oracle. */
  oracleSignedResult(request: OracleSignedResultRequest): Promise<unknown>;
  /** Create a contract from a blueprint. */
  createContract(request: CreateContractRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createContract(request: CreateContractRequest, options?: SendOptions): Promise<Transaction>;
  /** Call a method of a contract. */
  executeContract(request: ExecuteContractRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  executeContract(request: ExecuteContractRequest, options?: SendOptions): Promise<Transaction>;
  /** Publish a blueprint on the ledger, so that contracts can be created from it. */
  createBlueprint(request: CreateBlueprintRequest, options: SendOptions & { dryRun: true }): Promise<DryRun>;
  createBlueprint(request: CreateBlueprintRequest, options?: SendOptions): Promise<Transaction>;
  /** Sign a message with the key of one of the wallet's addresses. */
  signMessage(request: SignMessageRequest): Promise<SignedMessage>;
  /** Whether a message was signed with the key of an address of the wallet's network, be it whose it may. */
  verifyMessage(request: VerifyMessageRequest): Promise<boolean>;
}
