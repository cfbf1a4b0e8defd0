// One open wallet: follows it, and tells the page how it looks whenever that changes.
import {
  type Cost,
  type CreateNftRequest,
  type CreateTokenRequest,
  type ExecuteContractRequest,
  type HistoryTransaction,
  isWalletError,
  type ProposeTxRequest,
  type SendTxRequest,
  type StartOptions,
  Wallet,
  type WalletStore,
} from "headless-wallet";
import { HTR } from "headless-wallet/rules";
import { changesOf, Describer, matches } from "./activity";
import type { Activity, Address, Arrival, ChainFacts, Created, Detail, EngineEvent, Filter, Keys, Place, ProposalView, Series, SwapView, Token, TokenFacts, TransactionPart, View } from "./api";
import { Frozen } from "./frozen";
import { Ledger } from "./ledger";
import { type Lookup, type Names, placeOnChain, tokenNames, unknownToken } from "./names";
import { series } from "./series";
import { type ContractView, readContract } from "./contract";
import { proposalView } from "./proposal";
import { carriedOutBy, effectOf, partOf, swapView } from "./swap";

const RECENT = 6;
/** Changes come in bursts (a transaction, its change, its confirmation): the page is told of them together. */
const GATHERING_MS = 60;

export class Session {
  readonly wallet: Wallet;
  readonly #ledger: Ledger;
  readonly #watchOnly: boolean;
  readonly #multisig: View["multisig"];
  readonly #nodeUrl: string;
  readonly #names: Lookup<Names>;
  readonly #describer: Describer;
  readonly #frozen: Frozen;
  readonly #tell: (event: EngineEvent) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #open = true;
  /** What has come in since the page was last told. */
  #arrivals: Arrival[] = [];

  static async start(place: Place, keys: Keys, store: WalletStore | undefined, tell: (event: EngineEvent) => void) {
    const watchOnly = "xpub" in keys;
    const wallet = await startKept({
      ...place,
      ...(watchOnly ? { xpub: keys.xpub } : { seed: keys.words, passphrase: keys.passphrase, ...(keys.multisig && { multisig: keys.multisig }) }),
      store,
      onProgress: (progress) => tell({ type: "progress", progress }),
    });
    // Listening begins before the history is read, so that nothing between the two is missed.
    const early: Parameters<Ledger["apply"]>[0][] = [];
    const endEarly = wallet.on("tx", ({ tx }) => early.push(tx));
    const ledger = new Ledger(await wallet.history());
    endEarly();
    early.forEach((tx) => ledger.apply(tx));
    const session = new Session(wallet, ledger, place.nodeUrl, keys, tell);
    await session.#show();
    return session;
  }

  private constructor(wallet: Wallet, ledger: Ledger, nodeUrl: string, keys: Keys, tell: (event: EngineEvent) => void) {
    this.wallet = wallet;
    this.#nodeUrl = nodeUrl;
    this.#watchOnly = "xpub" in keys;
    const { multisig } = "xpub" in keys ? {} : keys;
    this.#multisig = multisig && { signatures: multisig.numSignatures, participants: multisig.pubkeys.length };
    this.#ledger = ledger;
    this.#names = tokenNames(wallet);
    this.#frozen = new Frozen(wallet);
    this.#describer = new Describer(wallet, () => this.#gather());
    this.#tell = tell;
    wallet.on("tx", ({ tx, isNew }) => {
      this.#ledger.apply(tx);
      if (isNew && !tx.is_voided && tx.effect.direction === "received") this.#arrivals.push(changesOf(tx));
      this.#gather();
    });
    wallet.on("balance", () => this.#gather());
    wallet.on("state", (state) => {
      tell({ type: "state", state });
      this.#gather();
    });
    tell({ type: "state", state: wallet.status() });
  }

  async stop(): Promise<void> {
    this.#open = false;
    clearTimeout(this.#timer);
    await this.wallet.stop();
  }

  #gather(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A wallet that is not ready shows what it showed last.
      this.#show().catch(() => {});
    }, GATHERING_MS);
  }

  async #show(): Promise<void> {
    const view = await this.#view();
    if (!this.#open) return;
    this.#tell({ type: "view", view });
    const arrivals = this.#arrivals.splice(0);
    // After the view, which names their tokens.
    if (arrivals.length > 0) this.#tell({ type: "arrivals", arrivals });
  }

  async #view(): Promise<View> {
    const uids = (await this.wallet.balances()).map(({ token }) => token);
    const others = this.#ledger.inOrder(uids.filter((uid) => uid !== HTR.uid));
    const tokens = await Promise.all([HTR.uid, ...others].map((uid) => this.#token(uid)));
    const newest = this.#ledger.newestFirst();
    return {
      tokens,
      recent: await this.#describe(newest.slice(0, RECENT)),
      transactions: newest.length,
      address: await this.wallet.address(),
      watchOnly: this.#watchOnly,
      multisig: this.#multisig,
    };
  }

  async #token(uid: string): Promise<Token> {
    const { available, available_str, locked, locked_str } = await this.wallet.balance(uid);
    const frozen = this.#frozen.sum(uid, this.#ledger);
    const exact = { available: frozen === 0n ? available_str : undefined, locked: locked_str };
    if (uid === HTR.uid) {
      return { ...HTR, available: available - frozen, locked, exact, frozen, nft: undefined, origin: "used", gone: false, canMint: false, canMelt: false };
    }
    const { mint, melt } = await this.wallet.authorities(uid);
    const alone = this.#multisig === undefined;
    const names = this.#ledger.creation(uid) ?? this.#names.find(uid, () => this.#gather()) ?? unknownToken(uid);
    const [origin, gone] = [this.#ledger.originOf(uid), this.#ledger.isGone(uid)];
    return { uid, ...names, available: available - frozen, locked, exact, frozen, origin, gone, canMint: alone && mint > 0, canMelt: alone && melt > 0 };
  }

  async addresses(): Promise<Address[]> {
    const uses = this.#ledger.uses();
    const addresses = await this.wallet.addresses();
    return addresses.map((address, index) => {
      const { count = 0, isChange = false, balance = 0n } = uses.get(address) ?? {};
      return { index, address, uses: count, isChange, balance };
    });
  }

  async nextAddress(): Promise<string> {
    // The call gives the current address and moves on.
    await this.wallet.address({ markAsUsed: true });
    this.#gather();
    return this.wallet.address();
  }

  #describe(transactions: HistoryTransaction[]): Promise<Activity[]> {
    return Promise.all(transactions.map((tx) => this.#describer.describe(tx)));
  }

  async activities(filter: Filter, from: number, count: number): Promise<{ rows: Activity[]; total: number }> {
    const { token } = filter;
    const moving = token === undefined ? this.#ledger.newestFirst() : this.#ledger.moving(token);
    const all = moving.filter((tx) => matches(tx, filter));
    return { rows: await this.#describe(all.slice(from, from + count)), total: all.length };
  }

  series(token: string): Series {
    return series(this.#ledger, token);
  }

  async detail(id: string): Promise<Detail | undefined> {
    const tx = this.#ledger.find(id);
    return tx && this.#describer.detail(tx);
  }

  async freeze(id: string, index: number): Promise<string> {
    const output = this.#ledger.find(id)?.outputs[index];
    if (!output) throw new Error("The wallet has no such output.");
    const by = await this.#frozen.add(id, index, output);
    this.#gather();
    return by;
  }

  async thaw(outpoint: string, by: string): Promise<void> {
    await this.#frozen.remove(outpoint, by);
    this.#gather();
  }

  async freezeAgain(frozen: Record<string, string>): Promise<void> {
    await this.#frozen.addAgain(frozen);
    this.#gather();
  }

  async chainFacts(id: string): Promise<ChainFacts> {
    const [confirmations, place] = await Promise.all([this.wallet.confirmations(id), placeOnChain(this.#nodeUrl, id)]);
    return { confirmations, ...place };
  }

  async names(token: string): Promise<Names | undefined> {
    return this.#ledger.creation(token) ?? this.#names.get(token);
  }

  async tokenFacts(token: string): Promise<TokenFacts | undefined> {
    const [known, rights] = await Promise.all([this.wallet.token(token), this.wallet.authorities(token)]);
    if (!known) return undefined;
    const { total, canMint, canMelt, version, configurationString } = known;
    const created = this.#ledger.find(token)?.timestamp;
    return { supply: total ?? undefined, canMint, canMelt, paysFees: version === 2, configurationString, created, rights };
  }

  async readSwap(proposal: string): Promise<SwapView> {
    const decoded = await this.wallet.decodeTx({ partialTx: proposal });
    const view = swapView(decoded, carriedOutBy(this.#ledger.newestFirst(), decoded));
    return { ...view, names: await this.#namesIn(view) };
  }

  async readProposal(txHex: string): Promise<ProposalView> {
    const decoded = await this.wallet.decodeTx(txHex);
    const view = proposalView(decoded, carriedOutBy(this.#ledger.newestFirst(), decoded));
    return { ...view, names: await this.#namesIn(view) };
  }

  readContract(id: string, asked: string[]): Promise<ContractView> {
    return readContract(this.wallet, this.#nodeUrl, id, asked);
  }

  async callEffect(request: ExecuteContractRequest): Promise<{ cost: Cost; changes: Activity["changes"] }> {
    const { cost, txHex } = await this.wallet.executeContract(request, { dryRun: true });
    const effect = txHex === undefined ? [] : effectOf(await this.wallet.decodeTx(txHex));
    return { cost, changes: effect.filter(({ amount, exact }) => amount !== 0n || exact !== undefined) };
  }

  /** What others call the tokens of a proposal. */
  async #namesIn({ inputs, outputs }: { inputs: TransactionPart[]; outputs: TransactionPart[] }): Promise<Record<string, Names>> {
    const uids = new Set([...inputs, ...outputs].map(({ token }) => token));
    uids.delete(HTR.uid);
    const named = await Promise.all([...uids].map(async (uid) => [uid, await this.names(uid)] as const));
    return Object.fromEntries(named.filter((pair): pair is [string, Names] => pair[1] !== undefined));
  }

  async sendEffect(request: SendTxRequest): Promise<{ cost: Cost; changes: Activity["changes"]; own: string[]; paid: string[] }> {
    const { cost, txHex } = this.#multisig ? await this.#proposalOf(request) : await this.wallet.sendTx(request, { dryRun: true });
    const decoded = await this.wallet.decodeTx(txHex!);
    const own = decoded.tx.outputs.filter(({ mine }) => mine).map((output) => partOf(output).address);
    const addresses = request.outputs.flatMap((output) => ("address" in output && output.address !== undefined ? [output.address] : []));
    return {
      cost,
      changes: effectOf(decoded).filter(({ amount }) => amount !== 0n),
      own: own.filter((address) => address !== undefined),
      paid: this.#ledger.paid(addresses),
    };
  }

  /** Nobody signs it: nothing comes of it. */
  async #proposalOf(request: SendTxRequest): Promise<{ cost: Cost; txHex: string }> {
    const { txHex } = await this.wallet.proposeTx(request as ProposeTxRequest);
    const { fees } = await this.readProposal(txHex);
    const fee = fees.reduce((sum, { amount }) => sum + amount, 0n);
    return { cost: { deposit: 0n, fee, data: 0n, total: fee }, txHex };
  }

  create(request: CreateTokenRequest, kind: "token"): Promise<Created>;
  create(request: CreateNftRequest, kind: "nft"): Promise<Created>;
  async create(request: CreateTokenRequest & CreateNftRequest, kind: "token" | "nft"): Promise<Created> {
    const { hash, configurationString } =
      kind === "nft" ? await this.wallet.createNft(request) : await this.wallet.createToken(request);
    return { id: hash, configurationString };
  }
}

/** What can't be kept, because another tab keeps it or the browser does not allow it, costs the next start some time: no more. */
async function startKept(options: StartOptions): Promise<Wallet> {
  try {
    return await Wallet.start(options);
  } catch (error) {
    if (isWalletError(error) && error.code === "STORE") return Wallet.start({ ...options, store: undefined });
    throw error;
  }
}
