// The wallets that are kept on this device, each sealed with its password; only there if the user asked for it. Their histories and notes
// are kept beside them, encrypted.
import { computed, signal } from "@preact/signals";
import { call } from "../engine/client";
import { readJson, readText, remove, writeJson, writeText } from "./storage";
import { t } from "../words";

export interface KeptWallet {
  id: string;
  /** As the user calls it. */
  name: string;
  /** Its keys. */
  sealed: string;
  /** It is known by its xpub alone. */
  watchOnly: boolean;
  /** What tells its keys from others; empty while that is not known. */
  print: string;
}

const KEY = "wallets";
const LAST = "last-wallet";
/** Where there was room for one wallet alone, and its history was kept as it is. */
const [OLD_KEY, OLD_DATABASE] = ["vault", "headless-wallet"];

export const kept = signal<KeptWallet[]>(read());
/** The one that is offered to be opened, or is open. */
export const chosenId = signal(readText(LAST) ?? "");
export const chosen = computed(() => kept.value.find(({ id }) => id === chosenId.value) ?? kept.value[0]);
/** Which of them is open; nothing if what is open is not kept. */
export const openId = signal<string | undefined>(undefined);
export const openKept = computed(() => kept.value.find(({ id }) => id === openId.value));

export const databaseOf = (id: string): string => `headless-wallet-${id}`;
const bookOf = (id: string): string => `book-${id}`;
export const readBook = (id: string): string | undefined => readText(bookOf(id));
export const writeBook = (id: string, sealed: string): boolean => writeText(bookOf(id), sealed);
/** Calls `listener` whenever another tab has written the notes of a wallet. */
export function onBookWritten(listener: (id: string) => void): void {
  addEventListener("storage", ({ key }) => {
    const id = /:book-(.+)$/.exec(key ?? "")?.[1];
    if (id !== undefined) listener(id);
  });
}

// Another tab may have changed them.
addEventListener("storage", ({ key }) => {
  if (key?.endsWith(`:${KEY}`)) kept.value = read();
});

function read(): KeptWallet[] {
  const old = readText(OLD_KEY);
  const found = readJson(KEY, isList);
  if (found || old === undefined) return found ?? [];
  return [{ id: newId(), name: t.shell.wallet(1), sealed: old, watchOnly: false, print: "" }];
}

function write(wallets: KeptWallet[]): void {
  if (!writeJson(KEY, wallets)) {
    throw new Error(t.shell.thisBrowserDoesNotLet);
  }
  kept.value = wallets;
  if (readText(OLD_KEY) !== undefined) {
    remove(OLD_KEY);
    call("forget", OLD_DATABASE).catch(() => {});
  }
}

const change = (id: string, to: Partial<KeptWallet>): void =>
  write(kept.value.map((wallet) => (wallet.id === id ? { ...wallet, ...to } : wallet)));

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function nextName(): string {
  const names = new Set(kept.value.map(({ name }) => name));
  let number = kept.value.length + 1;
  while (names.has(t.shell.wallet(number))) number += 1;
  return t.shell.wallet(number);
}

export function choose(id: string): void {
  chosenId.value = id;
  writeText(LAST, id);
}

/** Keeps the keys that the worker holds: in the place of the same ones, if they are kept already. */
export async function keepKeys(password: string, watchOnly: boolean): Promise<void> {
  const [sealed, print] = [await call("seal", password), await call("print")];
  const same = kept.value.find((wallet) => print !== "" && wallet.print === print);
  const id = same?.id ?? newId();
  if (same) change(id, { sealed });
  else write([...kept.value, { id, name: nextName(), sealed, watchOnly, print }]);
  choose(id);
  openId.value = id;
  // Asks the browser not to clear it when space is short; it may say no.
  navigator.storage?.persist?.().catch(() => {});
}

/** Opens the keys of a kept wallet: the worker holds them then. */
export async function unlockKept({ id, sealed, print }: KeptWallet, password: string): Promise<void> {
  await call("unlock", sealed, password);
  choose(id);
  openId.value = id;
  if (print === "") change(id, { print: await call("print") });
}

export async function changePassword({ id, sealed }: KeptWallet, old: string, password: string): Promise<void> {
  await call("unlock", sealed, old);
  change(id, { sealed: await call("seal", password) });
}

export const rename = (id: string, name: string): void => change(id, { name });

/** Removes a wallet from this device, with all that is kept of it. */
export function removeKept(id: string): void {
  write(kept.value.filter((wallet) => wallet.id !== id));
  remove(bookOf(id));
  if (openId.value === id) openId.value = undefined;
  call("forget", databaseOf(id)).catch(() => {});
}

function isList(value: unknown): value is KeptWallet[] {
  return Array.isArray(value) && value.every((one: Partial<KeptWallet> | null) => {
    const texts = [one?.id, one?.name, one?.sealed, one?.print];
    return texts.every((text) => typeof text === "string") && typeof one?.watchOnly === "boolean";
  });
}
