// What the names of a new token may be.

import { HTR, limits } from "headless-wallet/rules";
import { hidesSomething } from "../alike";
import { tooLong } from "../text";

function lengthProblem(text: string, max: number, what: string): string | undefined {
  if (text.trim() === "") return `Enter a ${what}.`;
  if (hidesSomething(text)) return `Others would not see all of it: take the characters out that can't be seen.`;
  return tooLong(text, max);
}

export function nameProblem(name: string): string | undefined {
  if (name.trim().toLowerCase() === HTR.name.toLowerCase()) return "The network keeps this name for itself.";
  return lengthProblem(name, limits.tokenNameChars, "name");
}

export function symbolProblem(symbol: string): string | undefined {
  if (symbol.trim().toUpperCase() === HTR.symbol) return "The network keeps this symbol for itself.";
  return lengthProblem(symbol, limits.tokenSymbolChars, "symbol");
}
