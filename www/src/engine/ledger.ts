// The wallet's history as the page's questions need it. Kept up with event by event: nothing is read twice.
import type { HistoryAmount, HistoryTransaction } from "headless-wallet";

const AUTHORITY = 128;
const MELT = 2n;

/** Whether it is the right to mint or to melt rather than an amount. */
export const isAuthority = (piece: HistoryAmount): boolean => (piece.token_data & AUTHORITY) !== 0;

/** Whom a script pays. */
export function payee({ decoded }: HistoryAmount): string | undefined {
  return "address" in decoded ? decoded.address : undefined;
}

/** The text that a script keeps on the ledger. */
export function dataOf({ decoded }: HistoryAmount): string | undefined {
  return "data" in decoded ? decoded.data : undefined;
}

/** What identifies an NFT: its creation starts with an output of data. */
export function nftData(tx: HistoryTransaction): string | undefined {
  const [first] = tx.outputs;
  return tx.version === 2 && first && first.token === "00" ? dataOf(first) : undefined;
}

export class Ledger {
  readonly #transactions = new Map<string, HistoryTransaction>();
  #newestFirst: HistoryTransaction[] | undefined;
  #mine = new Set<string>();

  constructor(history: HistoryTransaction[]) {
    for (const tx of history) this.#transactions.set(tx.tx_id, tx);
  }

  apply(tx: HistoryTransaction): void {
    this.#transactions.set(tx.tx_id, tx);
    this.#newestFirst = undefined;
  }

  setAddresses(addresses: string[]): void {
    if (addresses.length !== this.#mine.size) this.#mine = new Set(addresses);
  }

  readonly mine = (piece: HistoryAmount): boolean => {
    const address = payee(piece);
    return address !== undefined && this.#mine.has(address);
  };

  find(id: string): HistoryTransaction | undefined {
    return this.#transactions.get(id);
  }

  newestFirst(): HistoryTransaction[] {
    return (this.#newestFirst ??= [...this.#transactions.values()].sort(
      (a, b) => b.timestamp - a.timestamp || (a.tx_id < b.tx_id ? 1 : -1),
    ));
  }

  /** Whether it moves a token into or out of the wallet. */
  moves(tx: HistoryTransaction, token: string): boolean {
    const moves = (piece: HistoryAmount): boolean => piece.token === token && this.mine(piece);
    return tx.inputs.some(moves) || tx.outputs.some(moves);
  }

  /** How a token was made, if that is in the history. */
  creation(uid: string): { name: string; symbol: string; nft: string | undefined } | undefined {
    const tx = this.#transactions.get(uid);
    if (tx?.version !== 2) return undefined;
    return { name: tx.token_name ?? "", symbol: tx.token_symbol ?? "", nft: nftData(tx) };
  }

  /** Whether an unspent authority to melt it is here. */
  canMelt(uid: string): boolean {
    for (const tx of this.#transactions.values()) {
      if (tx.is_voided) continue;
      for (const output of tx.outputs) {
        const melts = output.token === uid && isAuthority(output) && (output.value & MELT) !== 0n;
        if (melts && output.spent_by === null && this.mine(output)) return true;
      }
    }
    return false;
  }

  /** How many transactions pay each address. */
  uses(): Map<string, number> {
    const uses = new Map<string, number>();
    for (const tx of this.#transactions.values()) {
      const paid = new Set(tx.outputs.filter(this.mine).map(payee));
      for (const address of paid) if (address) uses.set(address, (uses.get(address) ?? 0) + 1);
    }
    return uses;
  }
}
