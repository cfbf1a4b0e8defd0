// Made of the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** What a wallet has of a token. */
export interface Balance {
  /** Can be spent now. */
  available: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  available_str?: string;
  /** Time-locked, or a block reward that is too new. */
  locked: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  locked_str?: string;
}

/** What an address received of a token, and where that is now. */
export interface AddressInfo {
  success: true;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  total_amount_received: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_amount_received_str?: string;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  total_amount_sent: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_amount_sent_str?: string;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  total_amount_available: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_amount_available_str?: string;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  total_amount_locked: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_amount_locked_str?: string;
  token: string;
  index: number;
}

/** An unspent output. */
export interface Utxo {
  address: string;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  amount: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  amount_str?: string;
  /** A transaction's id. */
  tx_id: string;
  /** Whether it can't be spent yet. */
  locked: boolean;
  index: number;
}

/** Unspent outputs. The totals cover exactly these. */
export interface UtxoList {
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  total_amount_available: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_amount_available_str?: string;
  total_utxos_available: number;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  total_amount_locked: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_amount_locked_str?: string;
  total_utxos_locked: number;
  utxos: Utxo[];
}

/** An input of a transaction that was sent. */
export interface TransactionInput {
  /** A transaction's id. */
  hash: string;
  index: number;
  /** Signature and public key, in hexadecimal. */
  data: string;
  /** A transaction's id. */
  tx_id: string;
}

/** An output of a transaction that was sent. */
export interface TransactionOutput {
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  value: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  value_str?: string;
  /** 0 for HTR, n for the n-th of `tokens`; 128 more for authorities. */
  tokenData: number;
  /** In hexadecimal. */
  script: string;
}

/** A transaction that was sent. */
export interface Transaction {
  success: true;
  inputs: TransactionInput[];
  outputs: TransactionOutput[];
  /** The transaction's version: 1, 2 where it creates a token, or 6 for a blueprint. */
  version: number;
  /** Of the proof of work. */
  weight: number;
  nonce: number;
  /** Unix seconds. */
  timestamp: number;
  parents: string[];
  /** The uids of its custom tokens. */
  tokens: string[];
  /** The transaction's id. */
  hash: string;
  /** What a contract is called with, and the fees that are paid. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or of one that is created its blueprint. */
    id?: string;
    method?: string;
    /** In hexadecimal. */
    args?: string;
    actions?: {
      /** 1 deposit, 2 withdrawal, 3 grant of an authority, 4 acquisition of one. */
      type: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
      tokenIndex: number;
    }[];
    address?: {
      base58: string;
    };
    seqnum?: number;
    /** The caller's signature, in hexadecimal. */
    script?: string;
  }[];
}

/** What a transaction costs, in HTR cents. */
export interface Cost {
  /** HTR that goes into a deposit; below zero where melting gives some back. */
  deposit: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  deposit_str?: string;
  /** HTR paid for moving fee tokens. */
  fee: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  fee_str?: string;
  /** HTR left behind in data outputs. */
  data: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  data_str?: string;
  /** All of these. */
  total: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_str?: string;
}

/** An argument of a contract's method, read from the bytes that are signed. */
export interface Argument {
  /** By the full node, unless `arg_types` demands it. */
  type: string;
  value: unknown;
}

/** A transaction that would be sent, and its cost in HTR. It is not signed, and has neither parents nor proof of work. */
export interface DryRun {
  success: true;
  dry_run: true;
  cost: Cost;
  /** The transaction as it would be: `decode` says what it would do to the wallet. */
  txHex?: string;
  /** Of the contract's method that it calls. */
  arguments?: Argument[];
  inputs: TransactionInput[];
  outputs: TransactionOutput[];
  /** The transaction's version: 1, 2 where it creates a token, or 6 for a blueprint. */
  version: number;
  /** Of the proof of work. */
  weight: number;
  nonce: number;
  /** Unix seconds. */
  timestamp: number;
  parents: string[];
  tokens?: string[];
  /** It has none yet. */
  hash: null;
  /** What a contract is called with, and the fees that are paid. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or of one that is created its blueprint. */
    id?: string;
    method?: string;
    /** In hexadecimal. */
    args?: string;
    actions?: {
      /** 1 deposit, 2 withdrawal, 3 grant of an authority, 4 acquisition of one. */
      type: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
      tokenIndex: number;
    }[];
    address?: {
      base58: string;
    };
    seqnum?: number;
    /** The caller's signature, in hexadecimal. */
    script?: string;
  }[];
  /** On creations of tokens. */
  name?: string;
  /** On creations of tokens. */
  symbol?: string;
}

/** The creation of a token or NFT that was sent. Its `hash` is the token's uid. */
export interface CreatedToken {
  success: true;
  /** `[name:symbol:uid:checksum]`. */
  configurationString: string;
  inputs: TransactionInput[];
  outputs: TransactionOutput[];
  /** The transaction's version: 1, 2 where it creates a token, or 6 for a blueprint. */
  version: number;
  /** Of the proof of work. */
  weight: number;
  nonce: number;
  /** Unix seconds. */
  timestamp: number;
  parents: string[];
  /** The transaction's id. */
  hash: string;
  /** What a contract is called with, and the fees that are paid. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or of one that is created its blueprint. */
    id?: string;
    method?: string;
    /** In hexadecimal. */
    args?: string;
    actions?: {
      /** 1 deposit, 2 withdrawal, 3 grant of an authority, 4 acquisition of one. */
      type: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
      tokenIndex: number;
    }[];
    address?: {
      base58: string;
    };
    seqnum?: number;
    /** The caller's signature, in hexadecimal. */
    script?: string;
  }[];
  name: string;
  symbol: string;
}

/** What was made of many outputs. */
export interface Consolidation {
  success: true;
  /** A transaction's id. */
  txId: string;
  total_utxos_consolidated: number;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  total_amount: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_amount_str?: string;
  utxos: Utxo[];
}

/** A transaction of any kind. */
export interface NestedTransaction {
  inputs: TransactionInput[];
  outputs: TransactionOutput[];
  /** The transaction's version: 1, 2 where it creates a token, or 6 for a blueprint. */
  version: number;
  /** Of the proof of work. */
  weight: number;
  nonce: number;
  /** Unix seconds. */
  timestamp: number;
  parents: string[];
  tokens?: string[];
  /** The transaction's id. */
  hash: string;
  /** What a contract is called with, and the fees that are paid. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or of one that is created its blueprint. */
    id?: string;
    method?: string;
    /** In hexadecimal. */
    args?: string;
    actions?: {
      /** 1 deposit, 2 withdrawal, 3 grant of an authority, 4 acquisition of one. */
      type: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
      tokenIndex: number;
    }[];
    address?: {
      base58: string;
    };
    seqnum?: number;
    /** The caller's signature, in hexadecimal. */
    script?: string;
  }[];
  /** On creations of tokens. */
  name?: string;
  /** On creations of tokens. */
  symbol?: string;
}

/** A transaction that was pushed. */
export interface PushedTransaction {
  success: true;
  tx: NestedTransaction;
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

/** An input in words. */
export interface InputInWords {
  /** A transaction's id. */
  txId: string;
  index: number;
  decoded: DecodedScript;
  /** `00` is HTR; other tokens are named by the transaction that created them. */
  token: string;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  value: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  value_str?: string;
  /** 0 for HTR, n for the n-th of `tokens`; 128 more for authorities. */
  token_data: number;
  /** 0 for HTR, n for the n-th of `tokens`; 128 more for authorities. */
  tokenData: number;
  /** In base64. */
  script: string;
  signed: boolean;
  /** Whether it spends what is the wallet's. */
  mine: boolean;
}

/** An output in words. */
export interface OutputInWords {
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  value: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  value_str?: string;
  /** 0 for HTR, n for the n-th of `tokens`; 128 more for authorities. */
  token_data: number;
  /** 0 for HTR, n for the n-th of `tokens`; 128 more for authorities. */
  tokenData: number;
  /** In base64. */
  script: string;
  type: "p2pkh" | "p2sh" | "data" | "unknown";
  decoded: {
    address: string;
    /** Unix seconds before which the output can't be spent. */
    timelock: number | null;
  } | {
    data: string;
  } | UnknownScript;
  /** Whether it is the wallet's. */
  mine: boolean;
  /** Not there for a token that the transaction creates. */
  token?: string;
}

/** What a call moves into its contract (`deposit`, `grant_authority`) or out of it (`withdrawal`, `acquire_authority`). */
export interface ActionInWords {
  type: string;
  /** Not there for a token that the transaction creates. */
  token?: string;
  /** Of deposits and withdrawals. */
  amount?: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  amount_str?: string;
  /** Of authorities. */
  mint?: boolean;
  /** Of authorities. */
  melt?: boolean;
}

/** A call of a contract. */
export interface CallInWords {
  /** The contract, or where one is created (`initialize`) the blueprint that it is made of. */
  nc_id: string;
  nc_method: string;
  /** Who calls. */
  nc_address: string;
  /** The number of the call among those of its caller. */
  nc_seqnum: number;
  /** The arguments, in hexadecimal. */
  nc_args: string;
  actions: ActionInWords[];
}

/** A fee that is paid. */
export interface FeeInWords {
  /** Not there for a token that the transaction creates. */
  token?: string;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  amount: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  amount_str?: string;
}

/** A blueprint that is put on the ledger. */
export interface BlueprintInWords {
  /** Bytes of its code, compressed as the ledger has it. */
  code_size: number;
  /** The compressed public key of who signs it. */
  public_key: string;
}

/** A transaction in words. */
export interface TransactionInWords {
  version: number;
  type: "Transaction" | "Create Token Transaction";
  tokens: string[];
  inputs: InputInWords[];
  outputs: OutputInWords[];
  completeSignatures: boolean;
  /** The call of a contract, if it makes one. */
  nano?: CallInWords;
  /** The fees that are paid for fee tokens, if any are. */
  fees?: FeeInWords[];
  /** The blueprint, if it is one. */
  blueprint?: BlueprintInWords;
}

/** What a transaction does to the wallet's holding of one token. */
export interface TokenEffect {
  tokens: {
    /** Below zero for what goes out. */
    available: bigint;
    /** All of it, such as `1.005`, where it has parts of a cent. */
    available_str?: string;
    /** Below zero for what goes out. */
    locked: bigint;
    /** All of it, such as `1.005`, where it has parts of a cent. */
    locked_str?: string;
  };
  authorities: {
    melt: {
      /** Below zero for what goes out. */
      available: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      available_str?: string;
      /** Below zero for what goes out. */
      locked: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      locked_str?: string;
    };
    mint: {
      /** Below zero for what goes out. */
      available: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      available_str?: string;
      /** Below zero for what goes out. */
      locked: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      locked_str?: string;
    };
  };
}

/** A transaction in words, and what it would do to the wallet. */
export interface TransactionEffect {
  success: true;
  tx: TransactionInWords;
  /** What it does to the wallet, by token; a token that it creates is called `undefined`. */
  balance: Record<string, TokenEffect>;
}

/** A transaction as hexadecimal digits. */
export interface TxHex {
  success: true;
  /** The transaction. */
  txHex: string;
}

/** A transaction to be signed outside of the wallet. */
export interface TxToSign extends TxHex {
  /** What every input's signature is of: a double SHA-256. */
  dataToSignHash: string;
}

/** An input of the wallet's own. */
export interface WalletInput {
  /** The input's place in the transaction. */
  inputIndex: number;
  /** Of the address whose output it spends. */
  addressIndex: number;
  /** Where the address's key is, below the seed. */
  addressPath: string;
}

/** Inputs of the wallet's own. */
export interface WalletInputs {
  success: true;
  inputs: WalletInput[];
}

/** An input's data of its signatures. */
export interface InputData {
  success: true;
  /** What add-signatures puts into an input. */
  inputData: string;
}

/** The wallet that is to sign: of one key, or of several participants. */
export interface SigningFileAccount {
  /** Of one key: its change level, `m/44'/280'/0'/0`. */
  xpub?: string;
  /** Of several: the accounts of all participants, `m/45'/280'/0'`. */
  participants?: string[];
  /** Of several: how many must sign. */
  numSignatures?: number;
}

/** What a signing file knows of an input. */
export interface SigningFileInput {
  /** Its place in the transaction. */
  index: number;
  /** Of the account's key that signs; somebody else's has none. */
  path?: string;
  /** The keys of what several sign. */
  redeemScript?: string;
}

/** An output that pays the wallet of a signing file. */
export interface SigningFileOutput {
  /** Its place in the transaction. */
  index: number;
  /** Of the account's key that it pays. */
  path: string;
}

/** A signature in a signing file. */
export interface SigningFileSignature {
  /** The place of the input. */
  input: number;
  /** Compressed. */
  publicKey: string;
  /** In DER. */
  signature: string;
}

/** A transaction to be signed outside of the wallet, with all that it takes to see what it does. */
export interface SigningFile {
  format: "hathor-signing-file";
  version: 1;
  network: "mainnet" | "testnet" | "privatenet";
  /** What it is signed for, as whoever made the file says. */
  purpose: "send" | "build" | "swap" | "share";
  /** What whoever made the file calls it. */
  label?: string;
  /** Without signatures, weight, timestamp, parents and nonce, of which none is signed. */
  transaction: string;
  /** What every signature is of. */
  hash: string;
  /** All that it spends, each once: blocks and transactions as they are on the ledger. */
  previous: string[];
  account: SigningFileAccount;
  /** What is known of inputs, in their order. */
  inputs: SigningFileInput[];
  /** Outputs that pay the account, in their order. */
  outputs: SigningFileOutput[];
  /** Those that are there so far, in the order of inputs and keys. */
  signatures: SigningFileSignature[];
}

/** A signing file that was made. */
export interface SigningFileMade {
  success: true;
  file: SigningFile;
}

/** A proposal of an atomic swap. */
export interface Swap {
  success: true;
  /** For the other participants: `PartialTx|…`. */
  data: string;
  /** Whether as much comes out as goes in, of every token: then it can be signed. */
  isComplete: boolean;
  /** Its id at the swap service, if it is new there. */
  createdProposalId?: string;
}

/** Outputs of a transaction that are locked. */
export interface LockedOutputs {
  /** A transaction's id. */
  tx_id: string;
  /** Their places in it. */
  outputs: number[];
}

/** The outputs that are locked. */
export interface LockedUtxos {
  success: true;
  locked_utxos: LockedOutputs[];
}

/** A proposal at the swap service. */
export interface SwapProposal {
  proposalId: string;
  /** Counts its changes. */
  version: number;
  /** When it was changed, in the service's words. */
  timestamp: string;
  partialTx: string;
  signatures: string | null;
  /** What it was before. */
  history: {
    partialTx: string;
    timestamp: string;
  }[];
}

/** A proposal as the swap service has it. */
export interface FetchedSwap {
  success: true;
  proposal: SwapProposal;
}

/** A transaction that was built by a template, and sent. */
export interface TemplateTransaction extends NestedTransaction {
  success: true;
}

/** A message signed with the key of an address. */
export interface SignedMessage {
  success: true;
  /** As given. */
  message: string;
  /** 65 bytes in base64, from which the public key is recovered. */
  signature: string;
  address: string;
  /** The address's index. */
  index: number;
}

/** How much of the history is loaded. */
export interface Progress {
  /** Addresses whose history is read. */
  addresses: number;
  /** Transactions known. */
  transactions: number;
  /** When it should all be loaded, in Unix seconds, at the pace so far; from the first address on that is read. A history whose end nobody knows is expected to go on for as many addresses again as were found, for fewer the nearer their first uses come to the present or the more unused ones follow each other. */
  estimatedEnd?: number;
}

/** What the full node says of a token. */
export interface Token {
  /** `00` is HTR; other tokens are named by the transaction that created them. */
  uid: string;
  name: string;
  symbol: string;
  /** Not for HTR. */
  configurationString?: string;
  /** 1: paid for by a deposit; 2: by fees; `null` for HTR. */
  version: 1 | 2 | null;
  /** All that there is of it, in cents. */
  total: bigint | null;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_str?: string;
  /** Whether somebody may mint more. */
  canMint: boolean;
  /** Whether somebody may melt some. */
  canMelt: boolean;
  /** What identifies it, if it is an NFT: the data that its creation begins with. Amounts of NFTs have no decimals. */
  nftData: string | null;
}

/** An input as its transaction has it. */
export interface DecodedInput {
  /** A transaction's id. */
  tx_id: string;
  index: number;
  /** In hexadecimal; empty if it is not signed. */
  data: string;
}

/** An output as its transaction has it. */
export interface DecodedOutput {
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  value: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  value_str?: string;
  token_data: number;
  /** In base64. */
  script: string;
  decoded: DecodedScript;
  /** The token's uid; `null` for the token that the transaction creates, whose uid is the transaction's id. */
  token: string | null;
}

/** A transaction read from its bytes. */
export interface DecodedTransaction {
  /** A transaction's id. */
  hash: string;
  version: number;
  weight: number;
  /** Unix seconds. */
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
  /** On creations of tokens. */
  token_version?: 1 | 2;
}

/** What inputs and outputs of the history have in common. */
export interface HistoryAmount {
  /** Cents; of an authority (`token_data` above 128), 1 for minting and 2 for melting. */
  value: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  value_str?: string;
  /** 0 for HTR, n for the n-th of `tokens`; 128 more for authorities. */
  token_data: number;
  /** In base64. */
  script: string;
  decoded: DecodedScript;
  /** The token's uid; `00` is HTR. */
  token: string;
}

/** An input of the history: what it spends. */
export interface HistoryInput extends HistoryAmount {
  /** A transaction's id. */
  tx_id: string;
  index: number;
}

/** An output of the history. */
export interface HistoryOutput extends HistoryAmount {
  /** The transaction that spent it. */
  spent_by: string | null;
}

/** What a call moves into or out of its contract. */
export interface CallAction {
  type: string;
  /** The token's uid; `00` is HTR. */
  token_uid: string;
  /** Of deposits and withdrawals, in cents. */
  amount?: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  amount_str?: string;
  /** Of authorities. */
  mint?: boolean;
  /** Of authorities. */
  melt?: boolean;
}

/** What a call of a contract moves, and who calls. */
export interface CallContext {
  actions: CallAction[];
  caller_id: string;
  /** Unix seconds, by the node. */
  timestamp: number | null;
  address: string;
}

/** What a transaction did to the wallet. */
export interface WalletEffect {
  /** `received` if it spends nothing of the wallet's, `sent` if it does and pays somebody else, `self` if it pays nobody else. */
  direction: "received" | "sent" | "self";
  /** What it is for. `data` keeps data on the ledger and pays nobody else; others spend in a `swap`, too; a `call` is of a contract; `reward` is a block. */
  kind: "payment" | "swap" | "data" | "call" | "blueprint" | "creation" | "nft" | "mint" | "melt" | "reward";
  /** What came in less what went out, in cents, by the uids of the tokens touched (`00` is HTR). Authorities are no amounts: a token of which only they moved has 0. */
  net: Record<string, bigint>;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  net_str?: Record<string, string>;
  /** What the wallet paid for it in HTR. `null` if that can't be told: others paid with it, it is a call or a blueprint of the wallet's, of which histories do not tell the fees, or what was paid could be a token's deposit as well as its fee. */
  cost: Cost | null;
  /** The places of the inputs that spend what was the wallet's. */
  ownInputs: number[];
  /** The places of the outputs that are the wallet's. */
  ownOutputs: number[];
  /** Those of them that are change: amounts of a token of which the transaction took more from the wallet than it gave back. */
  changeOutputs: number[];
}

/** A transaction or block of the wallet's history. */
export interface HistoryTransaction {
  /** A transaction's id. */
  tx_id: string;
  /** 0, 3 and 5 are blocks, 1 a transaction, 2 the creation of a token, 6 a blueprint. */
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
  /** On calls of contracts: the contract. */
  nc_id?: string;
  /** The number of the call among those of its caller. */
  nc_seqnum?: number;
  /** What the contract is made of, where that is known. */
  nc_blueprint_id?: string;
  nc_method?: string;
  /** The arguments, in hexadecimal. */
  nc_args?: string;
  /** Who calls. */
  nc_address?: string;
  nc_context?: CallContext;
  /** On blueprints: the public key of who put it on the ledger. */
  nc_pubkey?: string;
  /** On calls of contracts: `pending` until a block executes it. A `failure` is voided and moves nothing; `skipped` was voided otherwise, and was not executed. */
  nc_execution?: "pending" | "success" | "failure" | "skipped";
  /** What it did to the wallet; if it is voided, what it would have done. */
  effect: WalletEffect;
}

/** A transaction that came into the history, or changed (confirmed, voided, an output spent). */
export interface TxEvent {
  tx: HistoryTransaction;
  /** Whether it came, rather than changed. */
  isNew: boolean;
}

/** What a wallet has of one token. */
export interface TokenBalance extends Balance {
  /** `00` is HTR; other tokens are named by the transaction that created them. */
  token: string;
}

/** A proposal at the swap service changed: `swapProposal` reads it. */
export interface SwapEvent {
  /** Absent after the connection to the service was broken: each may have changed meanwhile. */
  proposalId?: string;
  /** Its version, if the service says so. */
  version?: number;
}

/** The HTR that an amount of a token stands for. */
export interface TokenDeposit {
  /** Deposited when it is minted. */
  deposit: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  deposit_str?: string;
  /** Given back when it is melted. */
  withdraw: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  withdraw_str?: string;
}

/** How many outputs the wallet has that it may mint or melt a token with. */
export interface Authorities {
  mint: number;
  melt: number;
}

/** A feature of the network that this version does not support. */
export interface FeatureWarning {
  /** Its name at the full node, such as `TOKEN_AMOUNT_V2`. */
  feature: string;
  /** `LOCKED_IN`: it will be active; `ACTIVE`: it is. */
  state: "LOCKED_IN" | "ACTIVE";
  /** What that means, and what to do. */
  message: string;
}

/** Where a wallet stands. */
export interface WalletState {
  /** 0 closed, 1 connecting, 2 syncing, 3 ready, 4 error, 5 processing. */
  statusCode: 0 | 1 | 2 | 3 | 4 | 5;
  statusMessage: "Closed" | "Connecting" | "Syncing" | "Ready" | "Error" | "Processing";
  /** What stands in the way, or why nothing is kept in the store, and what to do; absent if nothing does. */
  error?: string;
  /** When the full node is tried again, in Unix seconds: only while the wallet waits for that. `reconnect` ends the waiting. */
  nextTry?: number;
  /** Features of the network that this version does not support; absent if there are none. */
  warnings?: FeatureWarning[];
}

/** Where a wallet stands, and with whom it talks. */
export interface WalletStatus extends WalletState {
  network: "mainnet" | "testnet" | "privatenet";
  /** `nodeUrl`, without user and password. */
  serverUrl: string;
  progress: Progress;
  /** What the full node said of itself when the wallet was started. */
  serverInfo: unknown;
}
