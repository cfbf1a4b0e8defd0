// What the full node says of tokens and contracts that the history does not tell: it is asked once for each.
import type { Wallet } from "headless-wallet";

export interface Names {
  name: string;
  symbol: string;
  /** What identifies it, if it is an NFT. */
  nft: string | undefined;
}

/** Without a name: the page has words for that. */
export const unknownToken = (uid: string): Names => ({ name: "", symbol: `${uid.slice(0, 4)}…`, nft: undefined });

/** What a contract is made of. */
export interface Blueprint {
  id: string;
  name: string;
}

export class Lookup<T> {
  readonly #ask: (id: string) => Promise<T>;
  readonly #known = new Map<string, T>();
  readonly #asked = new Map<string, Promise<T | undefined>>();

  constructor(ask: (id: string) => Promise<T>) {
    this.#ask = ask;
  }

  /** What is known by now; `whenFound` is called when there is more. */
  find(id: string, whenFound: () => void): T | undefined {
    const known = this.#known.get(id);
    if (known === undefined && !this.#asked.has(id)) void this.get(id).then((found) => found === undefined || whenFound());
    return known;
  }

  /** Waits for the answer; nothing if there is none, and then it is asked for again the next time. */
  async get(id: string): Promise<T | undefined> {
    return this.#known.get(id) ?? this.#asked.get(id) ?? this.#begin(id);
  }

  #begin(id: string): Promise<T | undefined> {
    const asked = this.#ask(id).then(
      (found) => {
        this.#known.set(id, found);
        return found;
      },
      () => undefined,
    );
    this.#asked.set(id, asked);
    void asked.then(() => this.#asked.delete(id));
    return asked;
  }
}

export const tokenNames = (wallet: Wallet): Lookup<Names> =>
  new Lookup(async (uid) => {
    const token = await wallet.token(uid);
    if (!token) throw new Error("the node does not know this token");
    return { name: token.name, symbol: token.symbol, nft: token.nftData ?? undefined };
  });

export const blueprints = (wallet: Wallet): Lookup<Blueprint> =>
  new Lookup(async (contract) => {
    const { blueprint_id: id, blueprint_name: name } = (await wallet.contractState({ id: contract })) as Record<string, unknown>;
    if (typeof id !== "string" || typeof name !== "string") throw new Error("the node does not say what the contract is made of");
    return { id, name };
  });

/** Where a transaction is on the chain, and its bytes. */
export interface PlaceOnChain {
  block: string | undefined;
  height: number | undefined;
  raw: string | undefined;
}

/** Asked for each time: it changes with the blocks. */
export async function placeOnChain(nodeUrl: string, id: string): Promise<PlaceOnChain> {
  const url = new URL(`transaction?id=${id}`, nodeUrl);
  const { tx = {}, meta = {} } = (await (await fetch(url)).json()) as { tx?: Record<string, unknown>; meta?: Record<string, unknown> };
  const text = (value: unknown): string | undefined => (typeof value === "string" && /^[0-9a-f]+$/.test(value) ? value : undefined);
  const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
  const own = number(tx["height"]);
  return {
    block: text(meta["first_block"]) ?? (own === undefined ? undefined : id),
    height: number(meta["first_block_height"]) ?? own,
    raw: text(tx["raw"]),
  };
}
