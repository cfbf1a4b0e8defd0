// What to tell the user about an error: what it is, and what can be done about it. The wallet's own words are kept as they
// are, in smaller print.
import { EngineError } from "./engine/client";
import { t } from "./words";
import type { Advised } from "./words/en/advice";

export interface Advice {
  title: string;
  todo: string;
  /** The wallet's own words, if they say more. */
  words: string | undefined;
}

/** Ends of a send after which sending again might pay twice. */
const OPEN_ENDS = ["OUTCOME_UNKNOWN", "CUT_OFF", "CLOSED", "WORKER"];

export const mayHaveSent = (error: unknown): boolean => error instanceof EngineError && OPEN_ENDS.includes(error.code);

export function adviceOn(error: unknown): Advice {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof EngineError ? (t.advice.byCode as Record<string, Advised>)[error.code] : undefined;
  if (!known) return { title: t.advice.otherwise, todo: message, words: undefined };
  const { title, todo } = known;
  return todo === undefined ? { title, todo: message, words: undefined } : { title, todo, words: message };
}
