// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** Watch more addresses after those between two indexes. The answer comes once their history is loaded. */
export interface LoadMoreAddressesRequest {
  /** How many more. From 1 to 100000. */
  count: number;
}

/** Watch all addresses up to this one, after those between two indexes. */
export interface LoadAddressesToRequest {
  /** The index of the last address to watch. From 0 to 2147483647. */
  index: number;
}

/** Show how much of a token the wallet has. */
export interface BalanceRequest {
  /** The token's uid; `00` is HTR. "00" if left out. */
  token?: string | undefined;
}

/** Show the current address, or the one at an index. */
export interface AddressRequest {
  /** The address at this index rather than the current one. From 0 to 2147483647. */
  index?: number | undefined;
  /** Whether the next call gets the next address. false if left out. */
  markAsUsed?: boolean | undefined;
}

/** Show the index of one of the wallet's addresses; no success if it isn't the wallet's. */
export interface AddressIndexRequest {
  /** An address of the wallet. */
  address: string;
}

/** Show how much of a token an address has received, and how much of it is unspent. */
export interface AddressInfoRequest {
  /** An address of the wallet. */
  address: string;
  /** The token's uid; `00` is HTR. "00" if left out. */
  token?: string | undefined;
}

/** List unspent outputs, and their total. */
export interface UtxosRequest {
  /** At most so many. 255 if left out. At least 0. */
  maxUtxos?: number | undefined;
  /** The token's uid; `00` is HTR. "00" if left out. */
  token?: string | undefined;
  /** Only outputs of this address. */
  filterAddress?: string | undefined;
  /** Only outputs of less, in cents. */
  amountSmallerThan?: AmountInput | undefined;
  /** Only outputs of more, in cents. */
  amountBiggerThan?: AmountInput | undefined;
  /** Outputs are taken while their total stays within this, in cents. */
  maximumAmount?: AmountInput | undefined;
  /** Whether locked outputs are left out. false if left out. */
  onlyAvailableUtxos?: boolean | undefined;
}

/** List the wallet's transactions: by timestamp, and those of one second by id. */
export interface HistoryRequest {
  /** At most so many, newest first. At least 0. */
  limit?: number | undefined;
  /** Only those older than this transaction of the history: of the last page, the last one. */
  before?: string | undefined;
  /** Only those newer than this transaction of the history. */
  after?: string | undefined;
  /** Only those from this time on, in Unix seconds. At least 0. */
  since?: number | undefined;
  /** Only those with an input or output of the wallet's of this token; `00` is HTR. */
  token?: string | undefined;
  /** Only those with an input or output of this address, the wallet's or not. */
  address?: string | undefined;
}

/** Show one of the wallet's transactions. */
export interface TransactionRequest {
  /** The transaction's id. */
  id: string;
}

/** Show how many blocks confirm a transaction. */
export interface ConfirmationsRequest {
  /** The transaction's id. */
  id: string;
}

/** Show a token's configuration string, from the full node. */
export interface TokenRequest {
  /** The token's uid. */
  token: string;
}

/** Pay one address. */
export interface SimpleSendTxRequest {
  /** Whom to pay. */
  address: string;
  /** In cents. */
  value: AmountInput;
  /** The token's uid; `00` is HTR. "00" if left out. */
  token?: string | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
}

/** Pay addresses, and write texts to the ledger. */
export interface SendTxRequest {
  /** What to pay and to keep, in this order if there is no change; with change, all outputs are shuffled. At most 255. */
  outputs: ({
    /** Whom to pay. */
    address: string;
    /** In cents. */
    value: AmountInput;
    /** The token's uid; `00` is HTR. */
    token?: string | undefined;
    /** `data` for an output that keeps a text. */
    type?: undefined;
    /** The text. */
    data?: undefined;
    /** Unix seconds before which it can't be spent. */
    timelock?: number | undefined;
  } | {
    /** Whom to pay. */
    address?: undefined;
    /** In cents. */
    value?: undefined;
    /** The token's uid; `00` is HTR. */
    token?: string | undefined;
    /** `data` for an output that keeps a text. */
    type: "data";
    /** The text. */
    data: string;
    /** Unix seconds before which it can't be spent. */
    timelock?: number | undefined;
  })[];
  /** What to spend; the wallet chooses if not given. A `query` stands alone: the wallet chooses among what matches. At most 255. */
  inputs?: ({
    /** The transaction whose output is spent. */
    hash: string;
    /** The output's place in it. */
    index: number;
    /** `query` for outputs that match. */
    type?: undefined;
    /** Only outputs of this address. */
    filterAddress?: string | undefined;
    /** At most so many. */
    maxUtxos?: number | undefined;
    /** Only outputs of less, in cents. */
    amountSmallerThan?: AmountInput | undefined;
    /** Only outputs of more, in cents. */
    amountBiggerThan?: AmountInput | undefined;
    /** Outputs are taken while their total stays within this, in cents. */
    maximumAmount?: AmountInput | undefined;
  } | {
    /** The transaction whose output is spent. */
    hash?: undefined;
    /** The output's place in it. */
    index?: undefined;
    /** `query` for outputs that match. */
    type: "query";
    /** Only outputs of this address. */
    filterAddress?: string | undefined;
    /** At most so many. */
    maxUtxos?: number | undefined;
    /** Only outputs of less, in cents. */
    amountSmallerThan?: AmountInput | undefined;
    /** Only outputs of more, in cents. */
    amountBiggerThan?: AmountInput | undefined;
    /** Outputs are taken while their total stays within this, in cents. */
    maximumAmount?: AmountInput | undefined;
  })[] | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
}

/** Create a token. */
export interface CreateTokenRequest {
  /** The token's name. At most 30 characters. */
  name: string;
  /** The token's symbol. At most 5 characters. */
  symbol: string;
  /** How much to mint, in cents. */
  amount: AmountInput;
  /** Who gets the minted tokens; the wallet's current address if not given. */
  address?: string | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether the authority to mint more is created. true if left out. */
  createMint?: boolean | undefined;
  /** Who gets the authority to mint: an address of the wallet, unless others are allowed. */
  mintAuthorityAddress?: string | undefined;
  /** Whether the authority to mint may go to somebody else. false if left out. */
  allowExternalMintAuthorityAddress?: boolean | undefined;
  /** Whether the authority to melt is created. true if left out. */
  createMelt?: boolean | undefined;
  /** Who gets the authority to melt: an address of the wallet, unless others are allowed. */
  meltAuthorityAddress?: string | undefined;
  /** Whether the authority to melt may go to somebody else. false if left out. */
  allowExternalMeltAuthorityAddress?: boolean | undefined;
  /** Texts kept on the ledger, one output each. At most 25, of at most 150 characters. */
  data?: string[] | undefined;
  /** 1: the token is paid for by a deposit, 2: by fees. 1 if left out. */
  version?: 1 | 2 | undefined;
}

/** Create an NFT. */
export interface CreateNftRequest {
  /** The token's name. At most 30 characters. */
  name: string;
  /** The token's symbol. At most 5 characters. */
  symbol: string;
  /** How many to mint: pieces, not cents. */
  amount: AmountInput;
  /** What identifies the NFT: a link to its metadata, a URI of an asset, or any text. At most 150 characters. */
  data: string;
  /** Who gets the minted tokens; the wallet's current address if not given. */
  address?: string | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether the authority to mint more is created. false if left out. */
  createMint?: boolean | undefined;
  /** Who gets the authority to mint: an address of the wallet, unless others are allowed. */
  mintAuthorityAddress?: string | undefined;
  /** Whether the authority to mint may go to somebody else. false if left out. */
  allowExternalMintAuthorityAddress?: boolean | undefined;
  /** Whether the authority to melt is created. false if left out. */
  createMelt?: boolean | undefined;
  /** Who gets the authority to melt: an address of the wallet, unless others are allowed. */
  meltAuthorityAddress?: string | undefined;
  /** Whether the authority to melt may go to somebody else. false if left out. */
  allowExternalMeltAuthorityAddress?: boolean | undefined;
}

/** Mint more of a token. */
export interface MintTokensRequest {
  /** The uid of the token to mint. */
  token: string;
  /** How much to mint, in cents. */
  amount: AmountInput;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether another authority takes the place of the spent one. true if left out. */
  createMint?: boolean | undefined;
  /** Who gets the authority to mint: an address of the wallet, unless others are allowed. */
  mintAuthorityAddress?: string | undefined;
  /** Whether the authority to mint may go to somebody else. false if left out. */
  allowExternalMintAuthorityAddress?: boolean | undefined;
  /** Whether the outputs of `data` come first, in reverse order, rather than last. true if left out. */
  unshiftData?: boolean | undefined;
  /** Texts kept on the ledger, one output each. At most 25, of at most 150 characters. */
  data?: string[] | undefined;
  /** Who gets the minted tokens; the wallet's current address if not given. */
  address?: string | undefined;
}

/** Melt tokens, and get their deposit back. */
export interface MeltTokensRequest {
  /** The uid of the token to melt. */
  token: string;
  /** How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded down. */
  amount: AmountInput;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether another authority takes the place of the spent one. true if left out. */
  createMelt?: boolean | undefined;
  /** Who gets the authority to melt: an address of the wallet, unless others are allowed. */
  meltAuthorityAddress?: string | undefined;
  /** Whether the authority to melt may go to somebody else. false if left out. */
  allowExternalMeltAuthorityAddress?: boolean | undefined;
  /** Whether the outputs of `data` come first, in reverse order, rather than last. true if left out. */
  unshiftData?: boolean | undefined;
  /** Texts kept on the ledger, one output each. At most 25, of at most 150 characters. */
  data?: string[] | undefined;
  /** Who gets the returned deposit; the wallet's current address if not given. */
  depositAddress?: string | undefined;
}

/** Combine many outputs into one. */
export interface ConsolidateUtxosRequest {
  /** Where the sum goes: an address of the wallet. */
  destinationAddress: string;
  /** At most so many are taken; one transaction takes 255. At least 0. */
  maxUtxos?: number | undefined;
  /** The token's uid; `00` is HTR. "00" if left out. */
  token?: string | undefined;
  /** Only outputs of this address. */
  filterAddress?: string | undefined;
  /** Only outputs of less, in cents. */
  amountSmallerThan?: AmountInput | undefined;
  /** Only outputs of more, in cents. */
  amountBiggerThan?: AmountInput | undefined;
  /** Outputs are taken while their total stays within this, in cents. */
  maximumAmount?: AmountInput | undefined;
}

/** Send a signed transaction. Its proof of work is done first if it is missing. */
export interface PushTxRequest {
  /** The transaction, in hexadecimal digits. */
  txHex: string;
}

/** Show what a transaction contains, and what it would do to the wallet. */
export interface DecodeTxRequest {
  /** The transaction, in hexadecimal digits. */
  txHex?: string | undefined;
  /** A proposal of an atomic swap, instead of `txHex`. */
  partialTx?: string | undefined;
}

/** Build a transaction for signing outside of the wallet. Nothing is reserved, and the wallet may be read-only. */
export interface BuildTxRequest {
  /** What to pay and to keep, in this order if there is no change; with change, all outputs are shuffled. At most 255. */
  outputs: ({
    /** Whom to pay. */
    address: string;
    /** In cents. */
    value: AmountInput;
    /** The token's uid; `00` is HTR. */
    token?: string | undefined;
    /** Unix seconds before which it can't be spent. */
    timelock?: number | undefined;
    /** `data` for an output that keeps a text. */
    type?: undefined;
    /** Hexadecimal digits, which are kept as the text that they are. */
    data?: undefined;
  } | {
    /** Whom to pay. */
    address?: undefined;
    /** In cents. */
    value?: undefined;
    /** The token's uid; `00` is HTR. */
    token?: string | undefined;
    /** Unix seconds before which it can't be spent. */
    timelock?: number | undefined;
    /** `data` for an output that keeps a text. */
    type: "data";
    /** Hexadecimal digits, which are kept as the text that they are. */
    data: string;
  })[];
  /** What to spend; the wallet chooses if not given. A `query` stands alone: the wallet chooses among what matches. At most 255. */
  inputs?: ({
    /** `query` for outputs that match. */
    type?: undefined;
    /** At most so many. */
    maxUtxos?: number | undefined;
    /** Only outputs of this address. */
    filterAddress?: string | undefined;
    /** Only outputs of less, in cents. */
    amountSmallerThan?: number | undefined;
    /** Only outputs of more, in cents. */
    amountBiggerThan?: number | undefined;
    /** Outputs are taken while their total stays within this, in cents. */
    maximumAmount?: number | undefined;
    /** The transaction whose output is spent. */
    hash: string;
    /** The output's place in it. */
    index: number;
  } | {
    /** `query` for outputs that match. */
    type: "query";
    /** At most so many. */
    maxUtxos?: number | undefined;
    /** Only outputs of this address. */
    filterAddress?: string | undefined;
    /** Only outputs of less, in cents. */
    amountSmallerThan?: number | undefined;
    /** Only outputs of more, in cents. */
    amountBiggerThan?: number | undefined;
    /** Outputs are taken while their total stays within this, in cents. */
    maximumAmount?: number | undefined;
    /** The transaction whose output is spent. */
    hash?: undefined;
    /** The output's place in it. */
    index?: undefined;
  })[] | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
}

/** Show which inputs of a transaction belong to the wallet, and which of its keys must sign them. */
export interface WalletInputsRequest {
  /** The transaction, in hexadecimal digits. */
  txHex: string;
}

/** Turn signatures into the data of an input: one signature, or those of the participants of a multisig wallet. */
export interface InputDataRequest {
  /** The index of the address whose output is spent. From 0 to 2147483647. */
  index: number;
  /** The signature (DER) of `dataToSignHash`, in hexadecimal digits. */
  signature?: string | undefined;
  /** Signatures (DER) of a multisig wallet's participants, by their account xpubs, in hexadecimal digits. */
  signatures?: Record<string, string> | undefined;
}

/** Put input data into a transaction. Each one is checked. */
export interface AddSignaturesRequest {
  /** The transaction, in hexadecimal digits. */
  txHex: string;
  /** Input data as input-data makes it, each with its input. Of several for one input, the last counts. */
  signatures: ({
    /** The input's place in the transaction. */
    index: number;
    /** The input data, in hexadecimal digits. */
    data: string;
  })[];
}

/** Make a signing file of a transaction: everything needed to check and sign it on a computer without a network. */
export interface SigningFileRequest {
  /** The transaction, in hexadecimal digits: of any proposal, signed by some or by nobody. */
  txHex?: string | undefined;
  /** A proposal of an atomic swap that is balanced, instead of `txHex`. */
  partialTx?: string | undefined;
  /** What the file says of itself to people. At most 200 characters. */
  label?: string | undefined;
}

/** Put the signatures of signing files into their transaction, and send it. Each is checked against what it spends. */
export interface PushSigningFileRequest {
  /** Signing files of one transaction, as signing-file made it and others have signed it. At most 7. */
  files: JsonInput[];
}

/** Build a transaction for the participants to sign. Its inputs are reserved only if asked for. */
export interface ProposeTxRequest {
  /** What to pay, in this order if there is no change; with change, all outputs are shuffled. At most 255. */
  outputs: ({
    /** Whom to pay. */
    address: string;
    /** In cents. */
    value: AmountInput;
    /** The token's uid; `00` is HTR. */
    token?: string | undefined;
    /** Unix seconds before which it can't be spent. */
    timelock?: number | undefined;
  })[];
  /** What to spend; the wallet chooses if not given. At most 255. */
  inputs?: ({
    /** The transaction whose output is spent. */
    txId: string;
    /** The output's place in it. */
    index: number;
  })[] | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether its inputs are set aside for a week, so that nothing else of this wallet spends them; `/wallet/utxos-selected-as-input` gives them back. false if left out. */
  markInputsAsUsed?: boolean | undefined;
}

/** Build a transaction that creates a token, for the participants to sign. */
export interface ProposeCreateTokenRequest {
  /** The token's name. At most 30 characters. */
  name: string;
  /** The token's symbol. At most 5 characters. */
  symbol: string;
  /** How much to mint, in cents. */
  amount: AmountInput;
  /** Who gets the minted tokens; the wallet's current address if not given. */
  address?: string | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether the authority to mint more is created. true if left out. */
  createMint?: boolean | undefined;
  /** Who gets the authority to mint: an address of the wallet, unless others are allowed. */
  mintAuthorityAddress?: string | undefined;
  /** Whether the authority to mint may go to somebody else. false if left out. */
  allowExternalMintAuthorityAddress?: boolean | undefined;
  /** Whether the authority to melt is created. true if left out. */
  createMelt?: boolean | undefined;
  /** Who gets the authority to melt: an address of the wallet, unless others are allowed. */
  meltAuthorityAddress?: string | undefined;
  /** Whether the authority to melt may go to somebody else. false if left out. */
  allowExternalMeltAuthorityAddress?: boolean | undefined;
  /** Whether its inputs are set aside for a week, so that nothing else of this wallet spends them; `/wallet/utxos-selected-as-input` gives them back. false if left out. */
  markInputsAsUsed?: boolean | undefined;
  /** Texts kept on the ledger, one output each. At most 25, of at most 150 characters. */
  data?: string[] | undefined;
  /** 1: the token is paid for by a deposit, 2: by fees. 1 if left out. */
  version?: 1 | 2 | undefined;
}

/** Build a transaction that mints more of a token, for the participants to sign. */
export interface ProposeMintTokensRequest {
  /** The uid of the token to mint. */
  token: string;
  /** How much to mint, in cents. */
  amount: AmountInput;
  /** Who gets the minted tokens; the wallet's current address if not given. */
  address?: string | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether another authority takes the place of the spent one. true if left out. */
  createMint?: boolean | undefined;
  /** Who gets the authority to mint: an address of the wallet, unless others are allowed. */
  mintAuthorityAddress?: string | undefined;
  /** Whether the authority to mint may go to somebody else. false if left out. */
  allowExternalMintAuthorityAddress?: boolean | undefined;
  /** Whether its inputs are set aside for a week, so that nothing else of this wallet spends them; `/wallet/utxos-selected-as-input` gives them back. false if left out. */
  markInputsAsUsed?: boolean | undefined;
  /** Whether the outputs of `data` come first, in reverse order, rather than last. true if left out. */
  unshiftData?: boolean | undefined;
  /** Texts kept on the ledger, one output each. At most 25, of at most 150 characters. */
  data?: string[] | undefined;
}

/** Build a transaction that melts tokens, for the participants to sign. */
export interface ProposeMeltTokensRequest {
  /** The uid of the token to melt. */
  token: string;
  /** How much to melt, in cents. Of a token with a deposit, a hundredth comes back in HTR, rounded down. */
  amount: AmountInput;
  /** Who gets the returned deposit; the wallet's current address if not given. */
  depositAddress?: string | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** Whether another authority takes the place of the spent one. true if left out. */
  createMelt?: boolean | undefined;
  /** Who gets the authority to melt: an address of the wallet, unless others are allowed. */
  meltAuthorityAddress?: string | undefined;
  /** Whether the authority to melt may go to somebody else. false if left out. */
  allowExternalMeltAuthorityAddress?: boolean | undefined;
  /** Whether its inputs are set aside for a week, so that nothing else of this wallet spends them; `/wallet/utxos-selected-as-input` gives them back. false if left out. */
  markInputsAsUsed?: boolean | undefined;
  /** Whether the outputs of `data` come first, in reverse order, rather than last. true if left out. */
  unshiftData?: boolean | undefined;
  /** Texts kept on the ledger, one output each. At most 25, of at most 150 characters. */
  data?: string[] | undefined;
}

/** Sign a transaction as one participant. Any participant can combine the signatures. */
export interface MySignaturesRequest {
  /** The transaction, in hexadecimal digits. */
  txHex: string;
  /** Of an atomic swap: whether inputs are also signed that this participant did not put in itself, or that lack what was put in with them. Read it first: see decode. false if left out. */
  asIs?: boolean | undefined;
}

/** Put the participants' signatures into a transaction. Each one is checked. */
export interface SignProposalRequest {
  /** The transaction, in hexadecimal digits. */
  txHex: string;
  /** What as many participants as must sign got from get-my-signatures, in any order. */
  signatures: string[];
}

/** Put the participants' signatures into a transaction, and send it. */
export interface SignAndPushRequest {
  /** The transaction, in hexadecimal digits. */
  txHex: string;
  /** What as many participants as must sign got from get-my-signatures, in any order. */
  signatures: string[];
}

/** Propose an atomic swap, or add this wallet's part to a proposal. The outputs that it gives are locked. */
export interface ProposeSwapRequest {
  /** The proposal to which this wallet adds its part; a new one if not given. */
  partialTx?: string | undefined;
  /** What this wallet gives. Its change comes with it. */
  send?: {
    /** The amounts. The token is HTR if not given. */
    tokens: ({
      /** In cents. */
      value: AmountInput;
      /** The token's uid; `00` is HTR. */
      token?: string | undefined;
    })[];
    /** What the wallet may spend for that; it chooses among all if not given. Those that can't be spent are passed over. */
    utxos?: ({
      /** The transaction whose output may be spent. */
      txId: string;
      /** The output's place in it. */
      index: number;
    })[] | undefined;
  } | undefined;
  /** What this wallet gets. */
  receive?: {
    /** The amounts. The token is HTR if not given, and who gets it the wallet's current address. */
    tokens: ({
      /** In cents. */
      value: AmountInput;
      /** The token's uid; `00` is HTR. */
      token?: string | undefined;
      /** Whom to pay. */
      address?: string | undefined;
      /** Unix seconds before which it can't be spent. */
      timelock?: number | undefined;
    })[];
  } | undefined;
  /** Whether nothing else of this wallet spends what it gives, until that is unlocked or spent. true if left out. */
  lock?: boolean | undefined;
  /** Where the change goes: an address of the wallet. */
  changeAddress?: string | undefined;
  /** What is to become of the proposal at the swap service, where the server has one. */
  service?: {
    /** Whether the proposal is to be kept there as a new one. */
    isNew: boolean;
    /** Of a new one: whoever knows it can read and change the proposal. At least 3 characters. */
    password: string;
    /** Which of the registered proposals is replaced there. */
    proposalId?: undefined;
    /** The version that is replaced, which must be the newest. */
    version?: undefined;
  } | {
    /** Whether the proposal is to be kept there as a new one. */
    isNew?: undefined;
    /** Of a new one: whoever knows it can read and change the proposal. At least 3 characters. */
    password?: undefined;
    /** Which of the registered proposals is replaced there. */
    proposalId: string;
    /** The version that is replaced, which must be the newest. */
    version: number;
  } | undefined;
}

/** Sign this wallet's inputs of a proposal. The signatures go to whoever puts the swap together. What the proposal says of its inputs is checked against the full node. */
export interface MySwapSignaturesRequest {
  /** The proposal, which must be balanced. Read it first: see decode. */
  partialTx: string;
  /** Whether the wallet also signs inputs that it did not put in itself since it was started, and those of a proposal that lacks what it was to get for them. false if left out. */
  asIs?: boolean | undefined;
}

/** Put all signatures into the transaction of a proposal. Each one is checked. */
export interface SignSwapRequest {
  /** The proposal. */
  partialTx: string;
  /** What all participants got from get-my-signatures or get-input-data, in any order. */
  signatures?: string[] | undefined;
  /** Which proposal of the swap service gets the signatures, where the server has one. */
  service?: {
    /** Which of the registered proposals is replaced there. */
    proposalId: string;
    /** The version that is replaced, which must be the newest. */
    version: number;
  } | undefined;
}

/** Put all signatures into the transaction of a proposal, and send it. */
export interface SignAndPushSwapRequest {
  /** The proposal. */
  partialTx: string;
  /** What all participants got from get-my-signatures or get-input-data, in any order. */
  signatures?: string[] | undefined;
}

/** Extract the signatures of a transaction, in the form that `sign` takes: those of a multisig wallet, or of other programs. */
export interface SwapInputDataRequest {
  /** A transaction with input data, in hexadecimal digits. */
  txHex: string;
}

/** Unlock what this wallet gives in a proposal. */
export interface UnlockSwapRequest {
  /** The proposal whose inputs this wallet may spend otherwise again. */
  partialTx: string;
}

/** Fetch a proposal from the swap service, and decrypt it. */
export interface SwapProposalRequest {
  /** The proposal's id at the swap service. */
  proposalId: string;
}

/** Register for a proposal at the swap service: its password is kept while the wallet runs. */
export interface RegisterSwapProposalRequest {
  /** The proposal's id at the swap service. */
  proposalId: string;
  /** The proposal's password. */
  password: string;
}

/** Forget a proposal at the swap service, and its password. */
export interface DeleteSwapProposalRequest {
  /** The proposal's id at the swap service. */
  proposalId: string;
}

/** Build a transaction from a template, and send it. A dry run has zeros in place of oracle signatures. */
export interface RunTemplateRequest {
  /** The instructions, in the order in which they are carried out: docs/templates.md has them. At most 1000. */
  template: JsonInput[];
}

/** Build a transaction from a template, without sending it. Nothing is reserved. */
export interface BuildTemplateRequest {
  /** The instructions, in the order in which they are carried out: docs/templates.md has them. At most 1000. */
  template: JsonInput[];
  /** Whether the wallet's inputs are signed. false if left out. */
  sign?: boolean | undefined;
}

/** Show what a contract holds, and the values of its fields. */
export interface ContractStateRequest {
  /** The contract. */
  id: string;
  /** Fields of its blueprint whose values are wanted. At most 100. */
  fields?: string[] | undefined;
  /** Uids of tokens of which its balances are wanted; `__all__` for all that it has. At most 100. */
  balances?: string[] | undefined;
  /** Calls of methods that change nothing, such as `name(argument)`, whose results are wanted. At most 100. */
  calls?: string[] | undefined;
  /** As it was after this block rather than after the best one. */
  blockHash?: string | undefined;
  /** As it was after the block at this height. At least 0. */
  blockHeight?: number | undefined;
}

/** List the transactions that called a contract, newest first. */
export interface ContractHistoryRequest {
  /** The contract. */
  id: string;
  /** At most so many, newest first. At least 0. */
  count?: number | undefined;
  /** Only those older than this transaction. */
  after?: string | undefined;
  /** Only those newer than this transaction, the oldest of them first. */
  before?: string | undefined;
}

/** Show the data by which a contract knows an oracle: the script that pays an address. */
export interface OracleDataRequest {
  /** An address, or an output's script in hexadecimal. */
  oracle: string;
}

/** Sign a result for a contract, as its oracle. */
export interface OracleSignedResultRequest {
  /** As `oracle-data` gives it. */
  oracleData: string;
  /** The contract for which the result is. */
  contractId: string;
  /** The result; bytes in hexadecimal. */
  result: JsonInput;
  /** The type of the result, such as `str`, as the contract's method has it within `SignedData`. */
  type: string;
}

/** Create a contract from a blueprint. */
export interface CreateContractRequest {
  /** What the contract is made of. */
  blueprintId: string;
  /** Who calls: an address of the wallet. */
  address: string;
  /** Arguments and actions of its method `initialize`. */
  data: {
    /** The method's arguments, in their order. */
    args?: JsonInput[] | undefined;
    /** The types that the method's arguments must have, such as `Timestamp`. Without them the full node alone says how arguments are written. */
    argTypes?: string[] | undefined;
    /** What moves into and out of the contract. */
    actions?: ({
      /** What is done. */
      type: "deposit" | "withdrawal" | "grant_authority" | "acquire_authority";
      /** The token's uid; `00` is HTR. */
      token: string;
      /** How much is deposited or withdrawn, in cents. */
      amount?: AmountInput | undefined;
      /** Which authority is granted or acquired. */
      authority?: "mint" | "melt" | undefined;
      /** Who gets what is withdrawn or acquired. Of what is deposited or granted, only outputs of this address are spent. */
      address?: string | undefined;
      /** Where the change of a deposit goes: an address of the wallet. */
      changeAddress?: string | undefined;
      /** Where an authority of the same kind is kept: an address of the wallet. */
      authorityAddress?: string | undefined;
    })[] | undefined;
  };
  /** A token that the same transaction creates. */
  createTokenOptions?: {
    /** The token's name. */
    name: string;
    /** The token's symbol. */
    symbol: string;
    /** How much to mint, in cents. */
    amount: AmountInput;
    /** Whether its deposit comes out of what is withdrawn in HTR. */
    contractPaysDeposit?: boolean | undefined;
    /** Who gets the minted tokens; the wallet's current address if not given. */
    mintAddress?: string | undefined;
    /** Where the change goes: an address of the wallet. */
    changeAddress?: string | undefined;
    /** Whether the authority to mint more is created. */
    createMint?: boolean | undefined;
    /** Who gets the authority to mint: an address of the wallet, unless others are allowed. */
    mintAuthorityAddress?: string | undefined;
    /** Whether the authority to mint may go to somebody else. */
    allowExternalMintAuthorityAddress?: boolean | undefined;
    /** Whether the authority to melt is created. */
    createMelt?: boolean | undefined;
    /** Who gets the authority to melt: an address of the wallet, unless others are allowed. */
    meltAuthorityAddress?: string | undefined;
    /** Whether the authority to melt may go to somebody else. */
    allowExternalMeltAuthorityAddress?: boolean | undefined;
    /** Texts kept on the ledger, one output each. */
    data?: string[] | undefined;
    /** 1: the token is paid for by a deposit, 2: by fees. */
    version?: 1 | 2 | undefined;
    /** Whether it is an NFT, whose data comes first. */
    isCreateNft?: boolean | undefined;
  } | undefined;
  /** Refuse to pay more than this for moving fee tokens, in cents. At least 0. */
  maxFee?: number | undefined;
  /** Whether the fee comes out of what is withdrawn in HTR. false if left out. */
  contractPaysFees?: boolean | undefined;
}

/** Call a method of a contract. */
export interface ExecuteContractRequest {
  /** The contract. */
  ncId: string;
  /** Its method. */
  method: string;
  /** Who calls: an address of the wallet. */
  address: string;
  /** Arguments and actions of the method. */
  data: {
    /** The method's arguments, in their order. */
    args?: JsonInput[] | undefined;
    /** The types that the method's arguments must have, such as `Timestamp`. Without them the full node alone says how arguments are written. */
    argTypes?: string[] | undefined;
    /** What moves into and out of the contract. */
    actions?: ({
      /** What is done. */
      type: "deposit" | "withdrawal" | "grant_authority" | "acquire_authority";
      /** The token's uid; `00` is HTR. */
      token: string;
      /** How much is deposited or withdrawn, in cents. */
      amount?: AmountInput | undefined;
      /** Which authority is granted or acquired. */
      authority?: "mint" | "melt" | undefined;
      /** Who gets what is withdrawn or acquired. Of what is deposited or granted, only outputs of this address are spent. */
      address?: string | undefined;
      /** Where the change of a deposit goes: an address of the wallet. */
      changeAddress?: string | undefined;
      /** Where an authority of the same kind is kept: an address of the wallet. */
      authorityAddress?: string | undefined;
    })[] | undefined;
  };
  /** A token that the same transaction creates. */
  createTokenOptions?: {
    /** The token's name. */
    name: string;
    /** The token's symbol. */
    symbol: string;
    /** How much to mint, in cents. */
    amount: AmountInput;
    /** Whether its deposit comes out of what is withdrawn in HTR. */
    contractPaysDeposit?: boolean | undefined;
    /** Who gets the minted tokens; the wallet's current address if not given. */
    mintAddress?: string | undefined;
    /** Where the change goes: an address of the wallet. */
    changeAddress?: string | undefined;
    /** Whether the authority to mint more is created. */
    createMint?: boolean | undefined;
    /** Who gets the authority to mint: an address of the wallet, unless others are allowed. */
    mintAuthorityAddress?: string | undefined;
    /** Whether the authority to mint may go to somebody else. */
    allowExternalMintAuthorityAddress?: boolean | undefined;
    /** Whether the authority to melt is created. */
    createMelt?: boolean | undefined;
    /** Who gets the authority to melt: an address of the wallet, unless others are allowed. */
    meltAuthorityAddress?: string | undefined;
    /** Whether the authority to melt may go to somebody else. */
    allowExternalMeltAuthorityAddress?: boolean | undefined;
    /** Texts kept on the ledger, one output each. */
    data?: string[] | undefined;
    /** 1: the token is paid for by a deposit, 2: by fees. */
    version?: 1 | 2 | undefined;
    /** Whether it is an NFT, whose data comes first. */
    isCreateNft?: boolean | undefined;
  } | undefined;
  /** Refuse to pay more than this for moving fee tokens, in cents. At least 0. */
  maxFee?: number | undefined;
  /** Whether the fee comes out of what is withdrawn in HTR. false if left out. */
  contractPaysFees?: boolean | undefined;
}

/** Publish a blueprint on the ledger, so that contracts can be created from it. */
export interface CreateBlueprintRequest {
  /** The blueprint's Python code. */
  code: string;
  /** Whose key signs it: an address of the wallet. */
  address: string;
}

/** Sign a message with the key of one of the wallet's addresses. */
export interface SignMessageRequest {
  /** The text to sign, which may be empty: at most 16,384 bytes in UTF-8. At most 16384 characters. */
  message: string;
  /** The address of the wallet whose key signs. */
  address: string;
}

/** Check whether a message was signed with the key of an address, whoever it belongs to. It needs no wallet. */
export interface VerifyMessageRequest {
  /** The text that was signed: at most 16,384 bytes in UTF-8. At most 16384 characters. */
  message: string;
  /** The address of one key (P2PKH), whosever it is, that is said to have signed it. */
  address: string;
  /** The signature: 65 bytes in base64, as sign-message answers it. */
  signature: string;
}
