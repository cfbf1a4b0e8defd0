// What the page asks of the worker that the wallet runs in, and what the worker tells the page. Everything here can be sent
// between the two as it is.
import type {
  AddressCheck,
  CallAction,
  Cost,
  CreateNftRequest,
  CreateTokenRequest,
  ExecuteContractRequest,
  HistoryTransaction,
  MeltTokensRequest,
  MintTokensRequest,
  MnemonicCheck,
  Network,
  Progress,
  ProposeSwapRequest,
  ProposeTxRequest,
  SendTxRequest,
  TokenDeposit,
  TokenDepositRequest,
  UtxosRequest,
  UtxoList,
  WalletEffect,
  WalletState,
} from "headless-wallet";
import type { ContractView } from "./contract";
import type { Blueprint, Names } from "./names";
import type { FromFile } from "./signing";

/** A network, and the services that a wallet talks to there. */
export interface Services {
  network: Network;
  nodeUrl: string;
  miningUrl: string;
}

/** Who does the proof of work: the mining service, this device when that can't, or one of them alone. */
export type Mining = "service-then-local" | "service" | "local";

/** Where a wallet lives. */
export interface Place extends Services {
  mining: Mining;
}

/** Who takes part in a multisig wallet, and how many of them must sign. */
export interface Participants {
  /** What each of them gives the others, in any order. */
  pubkeys: string[];
  numSignatures: number;
}

/** What a wallet is made of. */
export interface Words {
  words: string;
  passphrase: string;
  /** Of a multisig wallet: the words are those of one participant. */
  multisig?: Participants | undefined;
}

/** What opens a wallet: with an xpub alone, it can be watched. */
export type Keys = Words | { xpub: string };

/** By whom a token came: the wallet made it, has signed transactions with it, or others have sent it and no more. */
export type Origin = "created" | "used" | "received";

/** A token as the page shows it. */
export interface Token {
  uid: string;
  name: string;
  symbol: string;
  available: bigint;
  locked: bigint;
  /** All of it in words, if it has parts of a cent. */
  exact: { available: string | undefined; locked: string | undefined };
  /** What the user has set aside: it is no part of what is available. */
  frozen: bigint;
  /** What identifies it, if it is an NFT: then its amounts have no decimals. */
  nft: string | undefined;
  origin: Origin;
  /** Only transactions that the ledger does not count have it: there is none, but the history names it. */
  gone: boolean;
  /** Whether this wallet may mint or melt it. */
  canMint: boolean;
  canMelt: boolean;
}

/** What the full node and the history know of a token. */
export interface TokenFacts {
  /** All that there is of it; nothing where that can't be told. */
  supply: bigint | undefined;
  /** Whether somebody may still make more or less of it. */
  canMint: boolean;
  canMelt: boolean;
  /** Moving it costs a fee, in the place of a deposit when it was made. */
  paysFees: boolean;
  configurationString: string | undefined;
  /** When it was made, if that is in the history, in Unix seconds. */
  created: number | undefined;
  /** How many outputs the wallet has that allow it to mint and to melt it. */
  rights: { mint: number; melt: number };
}

/** What a transaction is to the wallet: what came in by it, or else what the wallet did. */
export type Kind = Exclude<WalletEffect["kind"], "payment"> | "received" | "sent" | "moved";

/** A call of a contract. */
export interface ContractCall {
  contract: string;
  method: string;
  /** What the contract is made of, where the node tells. */
  blueprint: Blueprint | undefined;
  /** The address that calls, and whether it is the wallet's. */
  caller: string;
  mine: boolean;
  /** `pending` until a block executes it; a `failure` moves nothing, and nothing does what was `skipped`. */
  execution: NonNullable<HistoryTransaction["nc_execution"]>;
  actions: CallAction[];
  /** In hexadecimal. */
  args: string;
}

/** What a transaction did to the wallet. */
/** What came in (positive) of a token, or went out, in cents; with parts of a cent `exact` is all of it. */
export interface Change {
  token: string;
  amount: bigint;
  exact?: string | undefined;
}

export interface Activity {
  id: string;
  /** Unix seconds. */
  time: number;
  kind: Kind;
  /** The ledger does not count it: it lost a conflict, or its network began anew. It moves nothing. */
  voided: boolean;
  changes: Change[];
  /** Addresses of others that it pays; of a swap, those that others spend of. */
  to: string[];
  /** Texts that it keeps on the ledger. */
  data: string[];
  call: ContractCall | undefined;
  /** In HTR; nothing where that can't be told. */
  cost: Cost | undefined;
}

/** What can be asked for of the history. */
export type KindGroup = "received" | "sent" | "tokens" | "swap" | "contracts" | "data" | "moved";

export interface Filter {
  /** Only what moves this token. */
  token: string | undefined;
  kind: KindGroup | undefined;
  /** In small letters: a part of an identifier, an address or a text on the ledger, … */
  words: string;
  /** … or one of these identifiers and addresses. */
  also: string[];
}

/** What the full node knows of where a transaction is. */
export interface ChainFacts {
  /** How many blocks have come since the one that has it first. */
  confirmations: number;
  /** The block that has it first, and that one's height; of a block, its own. */
  block: string | undefined;
  height: number | undefined;
  /** All its bytes, in hexadecimal. */
  raw: string | undefined;
}

/** One side of a transaction's inputs or outputs. */
export interface TransactionPart {
  token: string;
  amount: bigint;
  /** All of it in words, if it has parts of a cent. */
  exact: string | undefined;
  authority: "mint" | "melt" | "both" | undefined;
  address: string | undefined;
  data: string | undefined;
  /** Unix seconds before which it can't be spent. */
  timelock: number | undefined;
  /** The wallet's, and if so, whether it is what came back of a greater amount. */
  whose: "yours" | "change" | undefined;
  spentBy: string | undefined;
}

export interface Detail extends Activity {
  inputs: TransactionPart[];
  outputs: TransactionPart[];
}

/** What a swap changes of a token for the wallet. */
export interface SwapChange extends Change {
  /** How many rights to mint and melt come in or go out. */
  rights: { mint: bigint; melt: bigint };
}

/** A proposal of a swap. */
export interface SwapView {
  /** What it changes for the wallet. */
  effect: SwapChange[];
  /** What is missing before it can be signed: what somebody has still to give (positive), or to take. */
  open: { token: string; amount: bigint }[];
  inputs: TransactionPart[];
  outputs: TransactionPart[];
  /** The outputs of the wallet's that it spends. */
  own: string[];
  /** The addresses of others whose outputs it spends, and if there are none those that it pays. */
  others: string[];
  /** The transaction that carried it out, if one did. */
  carriedOut: string | undefined;
  /** The tokens in it that the node knows. */
  names: Record<string, Names>;
}

/** A transaction of a multisig wallet that is to be signed. */
export interface ProposalView {
  /** What it changes for the wallet. */
  effect: SwapChange[];
  /** What it pays to others. */
  pays: TransactionPart[];
  /** What moving fee tokens costs. */
  fees: { token: string; amount: bigint }[];
  inputs: TransactionPart[];
  outputs: TransactionPart[];
  /** It spends nothing but what is the wallet's. */
  isOurs: boolean;
  /** The transaction that carried it out, if one did. */
  carriedOut: string | undefined;
  /** The tokens in it that the node knows. */
  names: Record<string, Names>;
}

/** A payment that has just come in: how much of which token. */
export type Arrival = Activity["changes"];

/** How much there was of a token, and since when. Positions on a plot: not exact. */
export interface Series {
  times: number[];
  balances: number[];
}

export interface Address {
  index: number;
  address: string;
  /** Transactions that pay it. */
  uses: number;
  /** It has had nothing but change. */
  isChange: boolean;
  /** HTR that lie there. */
  balance: bigint;
}

/** The wallet at a glance. */
export interface View {
  /** HTR first, then in the order in which they came. */
  tokens: Token[];
  /** The newest of its transactions. */
  recent: Activity[];
  transactions: number;
  /** Where to receive next. */
  address: string;
  /** It has no keys to sign with. */
  watchOnly: boolean;
  /** Several must sign: so many of so many. */
  multisig: { signatures: number; participants: number } | undefined;
}

export interface Created {
  id: string;
  configurationString: string;
}

/** What the worker does. Every method is answered by a promise. */
export interface Engine {
  /** The English list that words are taken from. */
  wordList(): string[];
  newWords(): string;
  checkWords(words: string): MnemonicCheck;
  checkAddress(address: string, network: Network): AddressCheck;

  /** What is wrong with an xpub; nothing if it can be used. */
  checkXpub(xpub: string): string | undefined;

  /** Keeps them for `start`, `seal` and `reveal`. */
  hold(keys: Keys): void;
  /** Opens what `seal` made, and holds it: the keys don't come to the page. */
  unlock(sealed: string, password: string): void;
  /** The held keys, sealed with a password. */
  seal(password: string): string;
  /** The held words; fails if there is but an xpub. */
  reveal(): Words;
  /** The xpub of the held keys. */
  xpub(): string;
  /** What a participant with these words gives the others of a multisig wallet. */
  multisigXpub(keys: Words): string;
  /** What tells the held keys from others, without giving anything away of them; empty if the browser can't make it. */
  print(): string;
  /** A text that only the held keys open again, and that only as what it is. Fails if it is not theirs. */
  sealNote(text: string, what: string): string;
  openNote(sealed: string, what: string): string;

  /** Starts the wallet of the held keys; done when its history is loaded. It is kept in the `database`, if one is named. */
  start(place: Place, database: string | undefined): void;
  /** Removes what is kept in a database. */
  forget(database: string): void;
  stop(): void;
  /** Looks for a lost node at once. */
  reconnect(): void;
  addresses(): Address[];
  /** Moves on to the next address. */
  nextAddress(): string;
  /** The transactions that a filter leaves; newest first, `count` of them from the one at `from` on. */
  activities(filter: Filter, from: number, count: number): { rows: Activity[]; total: number };
  series(token: string): Series;
  detail(id: string): Detail | undefined;
  /** Fails if the node does not tell. */
  chainFacts(id: string): ChainFacts;
  utxos(filter: UtxosRequest): UtxoList;
  /** Sets an output aside, so that nothing spends it; gives what `thaw` frees it by. */
  freeze(id: string, index: number): string;
  /** Frees an output again. */
  thaw(outpoint: string, by: string): void;
  /** Sets those aside that were frozen before the wallet was closed: by outpoint, what `freeze` gave. */
  freezeAgain(frozen: Record<string, string>): void;
  /** The HTR that an amount of a token, or of a new one, stands for. */
  deposit(request: TokenDepositRequest): TokenDeposit;
  /** What sending would cost and change; which of its addresses are the wallet's own, and which it has paid before. */
  sendEffect(request: SendTxRequest): { cost: Cost; changes: Activity["changes"]; own: string[]; paid: string[] };
  /** These five give the transaction's id. */
  send(request: SendTxRequest): string;
  mint(request: MintTokensRequest): string;
  melt(request: MeltTokensRequest): string;
  createToken(request: CreateTokenRequest): Created;
  createNft(request: CreateNftRequest): Created;
  /** What there is to be known of a token; nothing if the node does not know it. */
  tokenFacts(token: string): TokenFacts | undefined;
  /** How the node calls a token; nothing if it does not know it. */
  names(token: string): Names | undefined;
  /** The token of a configuration string; nothing if its checksum is another. */
  tokenIn(configuration: string): string | undefined;
  /** Signs a text with the key of an address of the wallet. */
  signMessage(message: string, address: string): string;
  verifyMessage(message: string, address: string, signature: string): boolean;
  /** Of a multisig wallet: makes a transaction for the participants to sign, in hexadecimal, and sets aside what it spends. */
  propose(request: ProposeTxRequest): string;
  readProposal(txHex: string): ProposalView;
  /** This participant's signatures. */
  signProposal(txHex: string): string;
  /** Fails unless as many have signed as must, and rightly. */
  checkProposal(txHex: string, signatures: string[]): void;
  /** Gives the transaction's id. */
  pushProposal(txHex: string, signatures: string[]): string;
  /** A proposal as a signing file, with signatures of participants. */
  signingFile(txHex: string, signatures: string[]): string;
  /** What a signing file brings; nothing if another proposal than this one. */
  readSigningFile(text: string, txHex: string | undefined): FromFile | undefined;
  /** Frees what a proposal spends. */
  dropProposal(txHex: string): void;
  /** What a contract holds and can be asked; `asked` are further fields of it, and views. */
  readContract(id: string, asked: string[]): ContractView;
  /** What a call would cost and change. */
  callEffect(request: ExecuteContractRequest): { cost: Cost; changes: Activity["changes"] };
  /** Gives the transaction's id. */
  callContract(request: ExecuteContractRequest): string;
  readSwap(proposal: string): SwapView;
  /** Makes a proposal, or adds to one; gives it as text. */
  proposeSwap(request: ProposeSwapRequest): string;
  /** The wallet's signatures of a proposal: unless it is to be signed as it is, only of what the wallet put in since it was opened. */
  signSwap(proposal: string, asIs: boolean): string;
  /** Fails if not all signatures are there, or one is wrong. */
  checkSwap(proposal: string, signatures: string[]): void;
  /** Carries a swap out, and gives the transaction's id. */
  pushSwap(proposal: string, signatures: string[]): string;
  /** Frees what the wallet gives in a proposal. */
  unlockSwap(proposal: string): void;
}

/** An error on its way from the worker. */
export interface Failure {
  message: string;
  code: string;
  field: string | undefined;
}

export type Method = keyof Engine;

export interface Call {
  id: number;
  method: Method;
  args: unknown[];
}

export type Answer = { id: number; value: unknown } | { id: number; failure: Failure };

export type EngineEvent =
  | { type: "progress"; progress: Progress }
  | { type: "state"; state: WalletState }
  | { type: "view"; view: View }
  | { type: "arrivals"; arrivals: Arrival[] };
