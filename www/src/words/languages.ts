// Which languages there are, by the names that they give themselves. All but English are loaded when they are chosen.
import { en } from "./en";
import type { Words } from ".";

export const LANGUAGES = { en: "English", "pt-BR": "Português (Brasil)" } as const;

export type Language = keyof typeof LANGUAGES;

const DICTIONARIES: Record<Language, () => Words | Promise<Words>> = {
  en: () => en,
  "pt-BR": async () => (await import("./pt")).pt,
};

export const dictionaryOf = async (language: Language): Promise<Words> => DICTIONARIES[language]();
