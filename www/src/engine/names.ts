// The names of tokens whose creation is not in the wallet's history: the wallet asks the full node, once for each.
import type { Wallet } from "headless-wallet";

export interface Names {
  name: string;
  symbol: string;
  /** What identifies it, if it is an NFT. */
  nft: string | undefined;
}

export class TokenNames {
  readonly #wallet: Wallet;
  readonly #known = new Map<string, Names>();
  readonly #asked = new Set<string>();

  constructor(wallet: Wallet) {
    this.#wallet = wallet;
  }

  /** What is known by now; `whenFound` is called when there is more. */
  find(uid: string, whenFound: () => void): Names {
    const known = this.#known.get(uid);
    if (known) return known;
    if (!this.#asked.has(uid)) {
      this.#asked.add(uid);
      this.#ask(uid).then(whenFound, () => this.#asked.delete(uid));
    }
    return { name: "Unknown token", symbol: `${uid.slice(0, 4)}…`, nft: undefined };
  }

  async #ask(uid: string): Promise<void> {
    const token = await this.#wallet.token(uid);
    if (!token) throw new Error("the node does not know this token");
    this.#known.set(uid, { name: token.name, symbol: token.symbol, nft: token.nftData ?? undefined });
  }
}
