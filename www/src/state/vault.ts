// The words on this device, sealed with a password; only there if the user asked for it. The wallet's history is kept with them.
import { signal } from "@preact/signals";
import { call } from "../engine/client";
import { readText, remove, writeText } from "./storage";

const KEY = "vault";

/** What is kept, sealed; nothing if nothing is. */
export const sealed = signal<string | undefined>(readText(KEY));

/** Keeps the words that the worker holds. */
export async function keepWords(password: string): Promise<void> {
  const text = await call("seal", password);
  if (!writeText(KEY, text)) {
    throw new Error("This browser does not let the page keep anything. Open it outside of private browsing, or go on without.");
  }
  sealed.value = text;
  // Asks the browser not to clear it when space is short; it may say no.
  navigator.storage?.persist?.().catch(() => {});
}

/** Forgets the words, and the histories that were kept with them. */
export function forgetWords(): void {
  remove(KEY);
  sealed.value = undefined;
  call("forget").catch(() => {});
}
