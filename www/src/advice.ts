// What to tell the user about an error: what it is, and what can be done about it. The wallet's own words are kept as they
// are, in smaller print.
import { EngineError } from "./engine/client";
import { t } from "./words";
import type { Advised } from "./words/en/advice";

export interface Advice {
  title: string;
  todo: string;
  /** The wallet's own words, if they say more, and what else only some need to know; paragraphs. */
  details: string[];
}

/** Ends of a send after which sending again might pay twice. */
const OPEN_ENDS = ["OUTCOME_UNKNOWN", "CUT_OFF", "CLOSED", "WORKER"];

export const mayHaveSent = (error: unknown): boolean => error instanceof EngineError && OPEN_ENDS.includes(error.code);

export function adviceOn(error: unknown): Advice {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof EngineError ? (t.advice.byCode as Record<string, Advised>)[error.code] : undefined;
  if (!known) return { title: t.advice.otherwise, todo: message, details: [] };
  const { title, todo, more } = known;
  if (todo === undefined) return { title, todo: message, details: [] };
  return { title, todo, details: more === undefined ? [message] : [message, more] };
}
