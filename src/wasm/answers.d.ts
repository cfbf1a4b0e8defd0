// Generated from the declarations in src/api: `UPDATE=1 cargo test --features native --test api generated` writes it.

/** A wallet's balance of a token. */
export interface Balance {
  /** Spendable now. */
  available: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  available_str?: string;
  /** Time-locked amounts, and block rewards that are too new. */
  locked: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  locked_str?: string;
}

/** The amounts of a token that an address received, sent and still has. */
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
  /** Whether it is locked. */
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

/** An input of a sent transaction. */
export interface TransactionInput {
  /** A transaction's id. */
  hash: string;
  index: number;
  /** Signature and public key, in hexadecimal. */
  data: string;
  /** A transaction's id. */
  tx_id: string;
}

/** An output of a sent transaction. */
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

/** A sent transaction. */
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
  /** The call of a contract, and the fees. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or for a new one its blueprint. */
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

/** The cost of a transaction, in HTR cents. */
export interface Cost {
  /** HTR that goes into a deposit; negative if melting returns some. */
  deposit: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  deposit_str?: string;
  /** HTR paid for moving fee tokens. */
  fee: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  fee_str?: string;
  /** HTR in data outputs. */
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
  /** As the full node reports it, unless `arg_types` requires it. */
  type: string;
  value: unknown;
}

/** A transaction of a dry run, and its cost in HTR. It is unsigned, and has neither parents nor proof of work. */
export interface DryRun {
  success: true;
  dry_run: true;
  cost: Cost;
  /** The transaction; `decode` shows its effect on the wallet. */
  txHex?: string;
  /** The called method of the contract. */
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
  /** Not set yet. */
  hash: null;
  /** The call of a contract, and the fees. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or for a new one its blueprint. */
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

/** A sent transaction that creates a token or NFT. Its `hash` is the token's uid. */
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
  /** The call of a contract, and the fees. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or for a new one its blueprint. */
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

/** The result of a consolidation. */
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
  /** The call of a contract, and the fees. */
  headers?: {
    entries?: {
      tokenIndex: number;
      /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
      amount: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      amount_str?: string;
    }[];
    /** The contract, or for a new one its blueprint. */
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

/** A pushed transaction. */
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

/** A script that stores a text on the ledger. */
export interface DataScript {
  type: "DATA";
  data: string;
}

/** A script of an unknown kind. */
export type UnknownScript = { [name in never]: never };

/** A decoded script. */
export type DecodedScript = PaymentScript | DataScript | UnknownScript;

/** A decoded input. */
export interface InputInWords {
  /** A transaction's id. */
  txId: string;
  index: number;
  decoded: DecodedScript;
  /** `00` is HTR; the uid of another token is the transaction that created it. */
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
  /** Whether it spends an output of the wallet. */
  mine: boolean;
}

/** A decoded output. */
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
  /** Whether it belongs to the wallet. */
  mine: boolean;
  /** Absent for a token that the transaction creates. */
  token?: string;
}

/** An action of a call: into the contract (`deposit`, `grant_authority`) or out of it (`withdrawal`, `acquire_authority`). */
export interface ActionInWords {
  type: string;
  /** Absent for a token that the transaction creates. */
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
  /** The contract, or for a new one (`initialize`) its blueprint. */
  nc_id: string;
  nc_method: string;
  /** The caller. */
  nc_address: string;
  /** The sequence number of the caller's calls. */
  nc_seqnum: number;
  /** The arguments, in hexadecimal. */
  nc_args: string;
  actions: ActionInWords[];
}

/** A paid fee. */
export interface FeeInWords {
  /** Absent for a token that the transaction creates. */
  token?: string;
  /** An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent. */
  amount: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  amount_str?: string;
}

/** A blueprint published on the ledger. */
export interface BlueprintInWords {
  /** The size of its compressed code in bytes. */
  code_size: number;
  /** The compressed public key of the signer. */
  public_key: string;
}

/** A decoded transaction. */
export interface TransactionInWords {
  version: number;
  type: "Transaction" | "Create Token Transaction";
  tokens: string[];
  inputs: InputInWords[];
  outputs: OutputInWords[];
  completeSignatures: boolean;
  /** The call of a contract, if it makes one. */
  nano?: CallInWords;
  /** The fees for fee tokens. */
  fees?: FeeInWords[];
  /** The blueprint, if it is one. */
  blueprint?: BlueprintInWords;
}

/** The effect of a transaction on the wallet's balance of one token. */
export interface TokenEffect {
  tokens: {
    /** Negative for outgoing amounts. */
    available: bigint;
    /** All of it, such as `1.005`, where it has parts of a cent. */
    available_str?: string;
    /** Negative for outgoing amounts. */
    locked: bigint;
    /** All of it, such as `1.005`, where it has parts of a cent. */
    locked_str?: string;
  };
  authorities: {
    melt: {
      /** Negative for outgoing amounts. */
      available: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      available_str?: string;
      /** Negative for outgoing amounts. */
      locked: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      locked_str?: string;
    };
    mint: {
      /** Negative for outgoing amounts. */
      available: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      available_str?: string;
      /** Negative for outgoing amounts. */
      locked: bigint;
      /** All of it, such as `1.005`, where it has parts of a cent. */
      locked_str?: string;
    };
  };
}

/** A decoded transaction, and its effect on the wallet. */
export interface TransactionEffect {
  success: true;
  tx: TransactionInWords;
  /** Its effect on the wallet, by token; a token that it creates is called `undefined`. */
  balance: Record<string, TokenEffect>;
}

/** A transaction as hexadecimal digits. */
export interface TxHex {
  success: true;
  /** The transaction. */
  txHex: string;
}

/** A transaction to sign outside of the wallet. */
export interface TxToSign extends TxHex {
  /** The double SHA-256 that every input signs. */
  dataToSignHash: string;
}

/** An input of the wallet. */
export interface WalletInput {
  /** The index of the input. */
  inputIndex: number;
  /** The address whose output it spends. */
  addressIndex: number;
  /** The derivation path of the address's key. */
  addressPath: string;
}

/** The wallet's inputs. */
export interface WalletInputs {
  success: true;
  inputs: WalletInput[];
}

/** The data of an input, made from its signatures. */
export interface InputData {
  success: true;
  /** The data of an input, for `addSignatures`. */
  inputData: string;
}

/** The wallet that signs: single-signature or multisig. */
export interface SigningFileAccount {
  /** Single-signature: the xpub of the change level, `m/44'/280'/0'/0`. */
  xpub?: string;
  /** Multisig: the xpubs of all participants, `m/45'/280'/0'`. */
  participants?: string[];
  /** Multisig: the number of required signatures. */
  numSignatures?: number;
}

/** An input in a signing file. */
export interface SigningFileInput {
  /** Its index in the transaction. */
  index: number;
  /** The path of the account's key that signs; absent for another party's input. */
  path?: string;
  /** The keys of a multisig address. */
  redeemScript?: string;
}

/** An output that pays the wallet of a signing file. */
export interface SigningFileOutput {
  /** Its index in the transaction. */
  index: number;
  /** The path of the account's key that it pays. */
  path: string;
}

/** A signature in a signing file. */
export interface SigningFileSignature {
  /** The index of the input. */
  input: number;
  /** Compressed. */
  publicKey: string;
  /** In DER. */
  signature: string;
}

/** A transaction to sign outside of the wallet, with everything needed to check its effect. */
export interface SigningFile {
  format: "hathor-signing-file";
  version: 1;
  network: "mainnet" | "testnet" | "privatenet";
  /** The purpose of the signatures, as its maker claims. */
  purpose: "send" | "build" | "swap" | "share";
  /** The name that its maker gave it. */
  label?: string;
  /** The bytes without signatures, weight, timestamp, parents and nonce, none of which is signed. */
  transaction: string;
  /** The hash that every signature signs. */
  hash: string;
  /** All spent transactions and blocks, each once, as they are on the ledger. */
  previous: string[];
  account: SigningFileAccount;
  /** The known inputs, in their order. */
  inputs: SigningFileInput[];
  /** Outputs that pay the account, in their order. */
  outputs: SigningFileOutput[];
  /** The signatures so far, in the order of inputs and keys. */
  signatures: SigningFileSignature[];
}

/** A new signing file. */
export interface SigningFileMade {
  success: true;
  file: SigningFile;
}

/** A proposal of an atomic swap. */
export interface Swap {
  success: true;
  /** For the other participants: `PartialTx|…`. */
  data: string;
  /** Whether inputs and outputs balance for every token: then it can be signed. */
  isComplete: boolean;
  /** Its id at the swap service, if it is new there. */
  createdProposalId?: string;
}

/** Outputs of a transaction that are locked. */
export interface LockedOutputs {
  /** A transaction's id. */
  tx_id: string;
  /** Their indexes in it. */
  outputs: number[];
}

/** The locked outputs. */
export interface LockedUtxos {
  success: true;
  locked_utxos: LockedOutputs[];
}

/** A proposal at the swap service. */
export interface SwapProposal {
  proposalId: string;
  /** Counts its changes. */
  version: number;
  /** The time of the last change, as the service reports it. */
  timestamp: string;
  partialTx: string;
  signatures: string | null;
  /** Its previous version. */
  history: {
    partialTx: string;
    timestamp: string;
  }[];
}

/** A proposal at the swap service. */
export interface FetchedSwap {
  success: true;
  proposal: SwapProposal;
}

/** A sent transaction of a template. */
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

/** The loaded part of the history. */
export interface Progress {
  /** Addresses whose history is read. */
  addresses: number;
  /** Transactions loaded. */
  transactions: number;
  /** When it should all be loaded, in Unix seconds, at the pace so far; from the first address on that is read. A history whose end nobody knows is expected to go on for as many addresses again as were found, for fewer the nearer their first uses come to the present or the more unused ones follow each other. */
  estimatedEnd?: number;
}

/** The full node's data about a token. */
export interface Token {
  /** `00` is HTR; the uid of another token is the transaction that created it. */
  uid: string;
  name: string;
  symbol: string;
  /** Not for HTR. */
  configurationString?: string;
  /** 1: paid for by a deposit; 2: by fees; `null` for HTR. */
  version: 1 | 2 | null;
  /** The total supply, in cents. */
  total: bigint | null;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  total_str?: string;
  /** Whether anybody can mint more. */
  canMint: boolean;
  /** Whether anybody can melt it. */
  canMelt: boolean;
  /** Of an NFT, the data in the first output of its creation, which identifies it. Amounts of NFTs have no decimals. */
  nftData: string | null;
}

/** An input of a decoded transaction. */
export interface DecodedInput {
  /** A transaction's id. */
  tx_id: string;
  index: number;
  /** In hexadecimal; empty if it is not signed. */
  data: string;
}

/** An output of a decoded transaction. */
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

/** The common members of inputs and outputs of the history. */
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

/** An input of the history, with the output that it spends. */
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

/** Amounts and authorities that a call moves into or out of its contract. */
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

/** The actions and the caller of a contract call. */
export interface CallContext {
  actions: CallAction[];
  caller_id: string;
  /** Unix seconds, by the node. */
  timestamp: number | null;
  address: string;
}

/** The effect of a transaction on the wallet. */
export interface WalletEffect {
  /** `received` if it spends nothing of the wallet, `sent` if it does and pays others, `self` if it pays nobody else. */
  direction: "received" | "sent" | "self";
  /** The kind of transaction. `data` stores data on the ledger and pays nobody else; in a `swap` others spend, too; a `call` calls a contract; a `reward` is a block. */
  kind: "payment" | "swap" | "data" | "call" | "blueprint" | "creation" | "nft" | "mint" | "melt" | "reward";
  /** The net amount received, in cents, by the uid of each token in it (`00` is HTR). Authorities don't count: a token of which only they moved has 0. */
  net: Record<string, bigint>;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  net_str?: Record<string, string>;
  /** What the wallet paid for it in HTR. `null` if that can't be told: others paid with it, it is a call or a blueprint of the wallet's, of which histories do not tell the fees, or what was paid could be a token's deposit as well as its fee. */
  cost: Cost | null;
  /** The indexes of inputs that spend outputs of the wallet. */
  ownInputs: number[];
  /** The indexes of outputs that pay the wallet. */
  ownOutputs: number[];
  /** The indexes of change: outputs of a token of which the transaction took more from the wallet than it returned. */
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
  /** True if it lost a conflict: it moves nothing. */
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
  /** The sequence number of the caller's calls. */
  nc_seqnum?: number;
  /** The contract's blueprint, if known. */
  nc_blueprint_id?: string;
  nc_method?: string;
  /** The arguments, in hexadecimal. */
  nc_args?: string;
  /** The caller. */
  nc_address?: string;
  nc_context?: CallContext;
  /** Of a blueprint: the public key of its publisher. */
  nc_pubkey?: string;
  /** On calls of contracts: `pending` until a block executes it. A `failure` is voided and moves nothing; `skipped` was voided otherwise, and was not executed. */
  nc_execution?: "pending" | "success" | "failure" | "skipped";
  /** Its effect on the wallet; if it is voided, the effect that it would have had. */
  effect: WalletEffect;
}

/** A transaction that entered the history, or changed (confirmed, voided, an output spent). */
export interface TxEvent {
  tx: HistoryTransaction;
  /** Whether it is new, rather than changed. */
  isNew: boolean;
}

/** A wallet's balance of one token. */
export interface TokenBalance extends Balance {
  /** `00` is HTR; the uid of another token is the transaction that created it. */
  token: string;
}

/** A proposal at the swap service changed: `swapProposal` reads it. */
export interface SwapEvent {
  /** Absent after a broken connection to the service: each proposal may have changed meanwhile. */
  proposalId?: string;
  /** Its version, if the service says so. */
  version?: number;
}

/** The deposit in HTR for an amount of a token. */
export interface TokenDeposit {
  /** Deposited when it is minted. */
  deposit: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  deposit_str?: string;
  /** Returned when it is melted. */
  withdraw: bigint;
  /** All of it, such as `1.005`, where it has parts of a cent. */
  withdraw_str?: string;
}

/** The number of outputs with which the wallet can mint or melt a token. */
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
  /** The consequence and the remedy. */
  message: string;
}

/** The state of a wallet. */
export interface WalletState {
  /** 0 closed, 1 connecting, 2 syncing, 3 ready, 4 error, 5 processing. */
  statusCode: 0 | 1 | 2 | 3 | 4 | 5;
  statusMessage: "Closed" | "Connecting" | "Syncing" | "Ready" | "Error" | "Processing";
  /** The current problem with the node or the store, and its remedy; absent if there is none. */
  error?: string;
  /** The time of the next attempt to reach the full node, in Unix seconds, while the wallet waits for it. `reconnect` tries now. */
  nextTry?: number;
  /** Features of the network that this version does not support; absent if there are none. */
  warnings?: FeatureWarning[];
}

/** The state of a wallet, and its full node. */
export interface WalletStatus extends WalletState {
  network: "mainnet" | "testnet" | "privatenet";
  /** `nodeUrl`, without user and password. */
  serverUrl: string;
  progress: Progress;
  /** The full node's version and constants when the wallet was started. */
  serverInfo: unknown;
}
