// What the names of a new token may be.

import { tooLong } from "../text";

export const MAX_NAME = 30;
export const MAX_SYMBOL = 5;

function lengthProblem(text: string, max: number, what: string): string | undefined {
  if (text.trim() === "") return `Enter a ${what}.`;
  return tooLong(text, max);
}

export function nameProblem(name: string): string | undefined {
  if (name.trim().toLowerCase() === "hathor") return "The network keeps this name for itself.";
  return lengthProblem(name, MAX_NAME, "name");
}

export function symbolProblem(symbol: string): string | undefined {
  if (symbol.trim().toUpperCase() === "HTR") return "The network keeps this symbol for itself.";
  return lengthProblem(symbol, MAX_SYMBOL, "symbol");
}
