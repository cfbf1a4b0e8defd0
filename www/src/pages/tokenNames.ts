// What the names of a new token may be.

import { HTR, limits } from "headless-wallet/rules";
import { hidesSomething } from "../alike";
import { tooLong } from "../text";
import { t } from "../words";

function lengthProblem(text: string, max: number, missing: string): string | undefined {
  if (text.trim() === "") return missing;
  if (hidesSomething(text)) return t.tokens.othersWouldNotSeeAll;
  return tooLong(text, max);
}

export function nameProblem(name: string): string | undefined {
  if (name.trim().toLowerCase() === HTR.name.toLowerCase()) return t.tokens.theNetworkKeepsThisName;
  return lengthProblem(name, limits.tokenNameChars, t.common.enterAName);
}

export function symbolProblem(symbol: string): string | undefined {
  if (symbol.trim().toUpperCase() === HTR.symbol) return t.tokens.theNetworkKeepsThisSymbol;
  return lengthProblem(symbol, limits.tokenSymbolChars, t.tokens.enterASymbol);
}
