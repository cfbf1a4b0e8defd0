// The page's language: as the user has chosen it, or else the browser's. Kept in this browser.
import { effect, signal } from "@preact/signals";
import { words } from "../words";
import { dictionaryOf, type Language, LANGUAGES } from "../words/languages";
import { readText, writeText } from "./storage";

const KEY = "language";
const ALL = Object.keys(LANGUAGES) as Language[];

/** The first of the browser's languages that the page speaks, in whichever country's way. */
function ofBrowser(): Language {
  const base = (tag: string): string | undefined => tag.toLowerCase().split("-")[0];
  const found = navigator.languages.map((tag) => ALL.find((language) => base(language) === base(tag))).find(Boolean);
  return found ?? "en";
}

const kept = ALL.find((language) => language === readText(KEY));

/** The one that is wanted: its dictionary may be on its way. */
export const language = signal<Language>(kept ?? ofBrowser());

/** Done when the page speaks it; where its dictionary can't be loaded, it goes on as before. */
export async function speak(): Promise<void> {
  const wanted = language.value;
  const dictionary = await dictionaryOf(wanted).catch(() => undefined);
  // Another may have been chosen meanwhile.
  if (dictionary && language.value === wanted) words.value = dictionary;
}

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  writeText(KEY, chosen);
  void speak();
}

effect(() => {
  document.documentElement.lang = words.value.locale;
});
