// The names of tokens whose creation is not in the wallet's history: asked of the full node, once each.

export interface Names {
  name: string;
  symbol: string;
  nft: string | undefined;
}

/** The part of the node's answer that is looked at. Nothing of it is taken for granted. */
interface Answer {
  tx?: { version?: unknown; token_name?: unknown; token_symbol?: unknown; outputs?: { script?: unknown; token_data?: unknown }[] };
}

const MAX_NAME = 30;
const TIMEOUT_MS = 10_000;

export class TokenNames {
  readonly #nodeUrl: string;
  readonly #known = new Map<string, Names>();
  readonly #asked = new Set<string>();

  constructor(nodeUrl: string) {
    this.#nodeUrl = nodeUrl.endsWith("/") ? nodeUrl : `${nodeUrl}/`;
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
    const url = `${this.#nodeUrl}transaction?id=${encodeURIComponent(uid)}`;
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), credentials: "omit" });
    const { tx } = (await response.json()) as Answer;
    if (tx?.version !== 2 || typeof tx.token_name !== "string" || typeof tx.token_symbol !== "string") {
      throw new Error("the node does not know this token");
    }
    const [first] = tx.outputs ?? [];
    const nft = first?.token_data === 0 && typeof first.script === "string" ? dataScript(first.script) : undefined;
    this.#known.set(uid, { name: tx.token_name.slice(0, MAX_NAME), symbol: tx.token_symbol.slice(0, 5), nft });
  }
}

const OP_PUSHDATA1 = 0x4c;
const OP_CHECKSIG = 0xac;

/** The text of a data script in base64: a push, then OP_CHECKSIG. */
function dataScript(base64: string): string | undefined {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const start = bytes[0] === OP_PUSHDATA1 ? 2 : 1;
  const length = bytes[start - 1];
  if (length === undefined || bytes.length !== start + length + 1 || bytes.at(-1) !== OP_CHECKSIG) return undefined;
  return new TextDecoder().decode(bytes.subarray(start, start + length));
}
