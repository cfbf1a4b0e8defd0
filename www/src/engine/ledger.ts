// The wallet's history as the page's questions need it. Kept up with event by event: nothing is read twice.
import type { HistoryTransaction } from "headless-wallet";
import { dataOf, payee } from "./activity";
import type { Names } from "./names";

export class Ledger {
  readonly #transactions = new Map<string, HistoryTransaction>();
  #newestFirst: HistoryTransaction[] | undefined;

  constructor(history: HistoryTransaction[]) {
    for (const tx of history) this.#transactions.set(tx.tx_id, tx);
  }

  apply(tx: HistoryTransaction): void {
    this.#transactions.set(tx.tx_id, tx);
    this.#newestFirst = undefined;
  }

  find(id: string): HistoryTransaction | undefined {
    return this.#transactions.get(id);
  }

  newestFirst(): HistoryTransaction[] {
    return (this.#newestFirst ??= [...this.#transactions.values()].sort(
      (a, b) => b.timestamp - a.timestamp || (a.tx_id < b.tx_id ? 1 : -1),
    ));
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

  /** How many transactions pay each address. */
  uses(): Map<string, number> {
    const uses = new Map<string, number>();
    for (const { outputs, effect } of this.#transactions.values()) {
      const paid = new Set(outputs.filter((_, place) => effect.ownOutputs.includes(place)).map(payee));
      for (const address of paid) if (address) uses.set(address, (uses.get(address) ?? 0) + 1);
    }
    return uses;
  }
}
