// What the user has noted about the open wallet: tokens that are accepted or hidden, labels, addresses of others. Of a wallet that is kept on
// this device it is kept, too, encrypted as its history is.
import { signal } from "@preact/signals";
import { call } from "../engine/client";
import { onBookWritten, openId, readBook, writeBook } from "./wallets";

export interface Contact {
  name: string;
  address: string;
}

export interface Book {
  /** Uids of tokens. */
  accepted: string[];
  hidden: string[];
  /** By the id of a transaction, or by an address of the wallet. */
  labels: Record<string, string>;
  contacts: Contact[];
  /** Outputs that are set aside: by outpoint, what frees them. */
  frozen: Record<string, string>;
}

const EMPTY: Book = { accepted: [], hidden: [], labels: {}, contacts: [], frozen: {} };

export const book = signal<Book>(EMPTY);

export const labelOf = (key: string): string => book.value.labels[key] ?? "";

export const contactAt = (address: string): Contact | undefined => book.value.contacts.find((contact) => contact.address === address);

export function setLabel(key: string, label: string): void {
  const { [key]: _, ...labels } = book.value.labels;
  note({ labels: label.trim() === "" ? labels : { ...labels, [key]: label } });
}

/** Sets an output of the wallet aside, until it is frozen no more. */
export async function freeze(id: string, index: number): Promise<void> {
  const by = await call("freeze", id, index);
  note({ frozen: { ...book.value.frozen, [`${id}:${index}`]: by } });
}

export async function thaw(outpoint: string): Promise<void> {
  const { [outpoint]: by, ...others } = book.value.frozen;
  if (by === undefined) return;
  await call("thaw", outpoint, by);
  note({ frozen: others });
}

const placeOf = (id: string): string => `book ${id}`;

/** Reads what is kept with the wallet that is being opened. */
export async function openBook(): Promise<void> {
  const id = openId.value;
  const sealed = id === undefined ? undefined : readBook(id);
  if (id === undefined || sealed === undefined) return;
  const text = await call("openNote", sealed, placeOf(id)).catch(() => "{}");
  if (openId.value === id) book.value = read(text);
}

export function closeBook(): void {
  book.value = EMPTY;
}

export function note(change: Partial<Book>): void {
  book.value = { ...book.value, ...change };
  void keep();
}

/** Keeps what was noted before the wallet was kept. */
export const keepBook = (): void => void keep();

/** Writes follow each other, so that the last one is what is kept. */
let written: Promise<unknown> = Promise.resolve();

function keep(): Promise<unknown> {
  const id = openId.value;
  if (id === undefined) return written;
  const write = async (): Promise<void> => {
    const sealed = await call("sealNote", JSON.stringify(book.value), placeOf(id));
    if (openId.value === id) writeBook(id, sealed);
  };
  return (written = written.then(write).catch(() => {}));
}

// Another tab of the same wallet has noted something.
onBookWritten((id) => {
  if (id === openId.value) void openBook();
});

function read(text: string): Book {
  return { ...EMPTY, ...(JSON.parse(text) as Partial<Book>) };
}
