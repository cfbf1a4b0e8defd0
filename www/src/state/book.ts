// What the user has noted about the open wallet: which tokens are accepted, and which are hidden. Of a wallet that is kept on this device it
// is kept, too, encrypted as its history is.
import { signal } from "@preact/signals";
import { call } from "../engine/client";
import { onBookWritten, openId, readBook, writeBook } from "./wallets";

export interface Book {
  /** Uids of tokens. */
  accepted: string[];
  hidden: string[];
}

const EMPTY: Book = { accepted: [], hidden: [] };

export const book = signal<Book>(EMPTY);

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

/** Writes follow each other, so that the last one is what is kept. */
let written: Promise<unknown> = Promise.resolve();

function keep(): Promise<unknown> {
  const id = openId.value;
  if (id === undefined) return written;
  return (written = written.then(async () => {
    const sealed = await call("sealNote", JSON.stringify(book.value), placeOf(id));
    if (openId.value === id) writeBook(id, sealed);
  }, () => {}).catch(() => {}));
}

// Another tab of the same wallet has noted something.
onBookWritten((id) => {
  if (id === openId.value) void openBook();
});

function read(text: string): Book {
  const { accepted, hidden } = JSON.parse(text) as Partial<Book>;
  return { accepted: texts(accepted), hidden: texts(hidden) };
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);
