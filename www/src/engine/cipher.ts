// What is kept on this device besides the sealed words (histories, notes) is encrypted, with a key that only the wallet's own keys give.
import type { OpenStore, StoreEntry, WalletStore } from "headless-wallet";
import type { Keys } from "./api";

const IV_BYTES = 12;
const NO_SALT = new Uint8Array(32);
const [toBytes, toText] = [new TextEncoder(), new TextDecoder()];

/** Whether the browser encrypts for this page: it does at HTTPS and on the user's own machine. */
export const canEncrypt = (): boolean => globalThis.crypto?.subtle !== undefined;

type Bytes = Uint8Array<ArrayBuffer>;

/** Words have 256 bits of chance in them, and xpubs as many: one pass makes keys of them. */
async function derive(secret: string, use: string): Promise<Bytes> {
  const material = await crypto.subtle.importKey("raw", toBytes.encode(secret), "HKDF", false, ["deriveBits"]);
  const info = toBytes.encode(`headless-wallet page ${use}`);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: NO_SALT, info }, material, 256));
}

/** The same words open several wallets: one of their own, and each that they take part in. */
function secretOf(keys: Keys): string {
  if ("xpub" in keys) return JSON.stringify([keys.xpub]);
  const { words, passphrase, multisig } = keys;
  return JSON.stringify(multisig ? [words, passphrase, multisig.numSignatures, ...multisig.pubkeys.toSorted()] : [words, passphrase]);
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Tells whether keys are those of a wallet that is kept; it gives nothing away of them. */
export const printOf = async (keys: Keys): Promise<string> => (canEncrypt() ? hex(await derive(secretOf(keys), "print")).slice(0, 32) : "");

export class Cipher {
  readonly #key: CryptoKey;
  readonly #names: CryptoKey;

  static async of(keys: Keys): Promise<Cipher> {
    const secret = secretOf(keys);
    const key = await crypto.subtle.importKey("raw", await derive(secret, "entries"), "AES-GCM", false, ["encrypt", "decrypt"]);
    const hmac = { name: "HMAC", hash: "SHA-256" };
    return new Cipher(key, await crypto.subtle.importKey("raw", await derive(secret, "names"), hmac, false, ["sign"]));
  }

  private constructor(key: CryptoKey, names: CryptoKey) {
    this.#key = key;
    this.#names = names;
  }

  /** What stands for a name: always the same, and nothing can be read of it. */
  async nameOf(text: string): Promise<string> {
    return hex(new Uint8Array(await crypto.subtle.sign("HMAC", this.#names, toBytes.encode(text))));
  }

  /** `place` is where it is kept: elsewhere it can't be opened. */
  async seal(bytes: Bytes, place: string): Promise<Bytes> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: toBytes.encode(place) }, this.#key, bytes);
    return join(iv, new Uint8Array(sealed));
  }

  async open(sealed: Bytes, place: string): Promise<Bytes> {
    const iv = sealed.subarray(0, IV_BYTES);
    const how = { name: "AES-GCM", iv, additionalData: toBytes.encode(place) };
    return new Uint8Array(await crypto.subtle.decrypt(how, this.#key, sealed.subarray(IV_BYTES)));
  }

  async sealText(text: string, place: string): Promise<string> {
    return hex(await this.seal(toBytes.encode(text), place));
  }

  async openText(sealed: string, place: string): Promise<string> {
    const bytes = Uint8Array.from(sealed.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    return toText.decode(await this.open(bytes, place));
  }
}

/** A store whose entries, their keys and the wallet's name can be read by nobody else. */
export function sealedStore(store: WalletStore, cipher: Cipher): WalletStore {
  return {
    async open(name) {
      return new SealedEntries(await store.open(await cipher.nameOf(`wallet ${name}`)), cipher, name);
    },
  };
}

class SealedEntries implements OpenStore {
  constructor(
    readonly inner: OpenStore,
    readonly cipher: Cipher,
    readonly wallet: string,
  ) {}

  async load(): Promise<StoreEntry[]> {
    const kept = [...(await this.inner.load())];
    try {
      return await Promise.all(kept.map(([place, bytes]) => this.#open(place, new Uint8Array(bytes))));
    } catch {
      // Whatever it is, it is not this wallet's history: that is read from the full node anew.
      await this.inner.write([], true);
      return [];
    }
  }

  async write(entries: StoreEntry[], anew: boolean): Promise<void> {
    await this.inner.write(await Promise.all(entries.map(([key, bytes]) => this.#seal(key, bytes))), anew);
  }

  close(): void | Promise<void> {
    return this.inner.close();
  }

  async #seal(key: string, bytes: Uint8Array): Promise<StoreEntry> {
    const place = await this.cipher.nameOf(`entry ${this.wallet} ${key}`);
    const name = toBytes.encode(key);
    const length = new Uint8Array([name.length >> 8, name.length & 0xff]);
    return [place, await this.cipher.seal(join(join(length, name), bytes), place)];
  }

  async #open(place: string, sealed: Bytes): Promise<StoreEntry> {
    const bytes = await this.cipher.open(sealed, place);
    const end = 2 + (bytes[0]! << 8) + bytes[1]!;
    return [toText.decode(bytes.subarray(2, end)), bytes.slice(end)];
  }
}

function join(first: Uint8Array, second: Uint8Array): Bytes {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
