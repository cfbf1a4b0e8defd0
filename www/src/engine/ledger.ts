// The wallet's history as the page's questions need it. Kept up with event by event: nothing is read twice.
import type { HistoryTransaction } from "headless-wallet";
import { HTR } from "headless-wallet/rules";
import { dataOf, payee } from "./activity";
import type { Origin } from "./api";
import type { Names } from "./names";

/** When a token first appeared, and by whom it came. */
interface Appearance {
  time: number;
  id: string;
  origin: Origin;
  /** In none but voided transactions. */
  gone: boolean;
}

const RANKS: Origin[] = ["received", "used", "created"];

export class Ledger {
  readonly #transactions = new Map<string, HistoryTransaction>();
  #newestFirst: HistoryTransaction[] | undefined;
  #appearances: Map<string, Appearance> | undefined;

  constructor(history: HistoryTransaction[]) {
    for (const tx of history) this.#transactions.set(tx.tx_id, tx);
  }

  apply(tx: HistoryTransaction): void {
    this.#transactions.set(tx.tx_id, tx);
    this.#newestFirst = undefined;
    this.#appearances = undefined;
  }

  find(id: string): HistoryTransaction | undefined {
    return this.#transactions.get(id);
  }

  /** Those of a second by their ids: what spends another's output is, by the network's rule, of a later one. */
  newestFirst(): HistoryTransaction[] {
    return (this.#newestFirst ??= [...this.#transactions.values()].sort(
      (a, b) => b.timestamp - a.timestamp || (a.tx_id < b.tx_id ? 1 : -1),
    ));
  }

  /** Which addresses the wallet has paid before. */
  paid(addresses: string[]): string[] {
    const paid = new Set(
      this.newestFirst()
        .filter(({ effect, is_voided: voided }) => !voided && effect.ownInputs.length > 0)
        .flatMap(({ outputs }) => outputs.map(payee)),
    );
    return addresses.filter((address) => paid.has(address));
  }

  /** The transactions that move a token into or out of the wallet. */
  moving(token: string): HistoryTransaction[] {
    return this.newestFirst().filter(({ effect }) => token in effect.net);
  }

  /** How a token was made, if that is in the history. */
  creation(uid: string): Names | undefined {
    const tx = this.#transactions.get(uid);
    if (tx?.token_name === undefined) return undefined;
    const [first] = tx.outputs;
    const nft = tx.effect.kind === "nft" && first ? dataOf(first) : undefined;
    return { name: tx.token_name, symbol: tx.token_symbol ?? "", nft };
  }

  /** By whom a token came into the wallet: whoever signs a transaction with it knows it. */
  originOf(token: string): Origin {
    return this.#appearancesByToken().get(token)?.origin ?? "received";
  }

  /** Whether the wallet knows a token from voided transactions alone. */
  isGone(token: string): boolean {
    return this.#appearancesByToken().get(token)?.gone ?? false;
  }

  /** Tokens in the order in which they first appeared, which is the same after each start. */
  inOrder(tokens: string[]): string[] {
    const seen = this.#appearancesByToken();
    const [time, id] = [(uid: string) => seen.get(uid)?.time ?? Infinity, (uid: string) => seen.get(uid)?.id ?? uid];
    return [...tokens].sort((a, b) => time(a) - time(b) || compare(id(a), id(b)) || compare(a, b));
  }

  #appearancesByToken(): Map<string, Appearance> {
    if (this.#appearances) return this.#appearances;
    const found = new Map<string, Appearance>();
    const all = this.newestFirst();
    const voided = all.filter(({ is_voided: voided }) => voided);
    const counted = all.filter(({ is_voided: voided }) => !voided);
    // What is counted stands in the place of what is not.
    for (const [transactions, gone] of [[voided, true], [counted, false]] as const) {
      for (const tx of transactions) for (const token of Object.keys(tx.effect.net)) appear(found, tx, token, gone);
    }
    return (this.#appearances = found);
  }

  /** What each address of the wallet has had, and has. */
  uses(): Map<string, Use> {
    const uses = new Map<string, Use>();
    const useOf = (address: string): Use => {
      const use = uses.get(address) ?? { count: 0, isChange: true, balance: 0n };
      uses.set(address, use);
      return use;
    };
    for (const { inputs, outputs, effect, is_voided: voided } of this.#transactions.values()) {
      const used = new Set<Use>();
      inputs.forEach((input, place) => {
        const address = payee(input);
        if (address !== undefined && effect.ownInputs.includes(place)) used.add(useOf(address));
      });
      outputs.forEach((output, place) => {
        const address = payee(output);
        if (address === undefined || !effect.ownOutputs.includes(place)) return;
        const use = useOf(address);
        used.add(use);
        if (!effect.changeOutputs.includes(place)) use.isChange = false;
        if (!voided && output.token === HTR.uid && output.spent_by === null) use.balance += output.value;
      });
      for (const use of used) use.count += 1;
    }
    return uses;
  }
}

/** Notes that a token is in a transaction, which is older than those that were noted before. */
function appear(found: Map<string, Appearance>, tx: HistoryTransaction, token: string, gone: boolean): void {
  const own = token === tx.tx_id ? "created" : "used";
  const origin = tx.effect.direction === "received" ? "received" : own;
  const noted = found.get(token);
  const later = noted?.gone === gone ? noted.origin : origin;
  const known = RANKS.indexOf(later) > RANKS.indexOf(origin) ? later : origin;
  found.set(token, { time: tx.timestamp, id: tx.tx_id, origin: known, gone });
}

/** What became of an address. */
interface Use {
  /** Transactions that pay it. */
  count: number;
  isChange: boolean;
  balance: bigint;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
