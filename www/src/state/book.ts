// What the user has noted about the open wallet: which tokens are accepted, and which are hidden.
import { signal } from "@preact/signals";

export interface Book {
  /** Uids of tokens. */
  accepted: string[];
  hidden: string[];
}

const EMPTY: Book = { accepted: [], hidden: [] };

export const book = signal<Book>(EMPTY);

export function note(change: Partial<Book>): void {
  book.value = { ...book.value, ...change };
}

export function closeBook(): void {
  book.value = EMPTY;
}
