// All that the page says, in the user's language. A dictionary that lacks something does not compile.
import { signal } from "@preact/signals";
import { en } from "./en";

export type Words = typeof en;

/** The dictionary in use. */
export const words = signal<Words>(en);

/** Its texts, by where they stand: what is drawn with them is drawn anew when the language changes. */
export const t: Words = new Proxy(en, { get: (_, section: string) => words.value[section as keyof Words] });
