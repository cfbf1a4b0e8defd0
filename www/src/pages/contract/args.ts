// Arguments of a method while they are typed: texts, which the wallet checks against what the method takes.
import type { JsonInput } from "headless-wallet";
import { clean } from "../../text";
import { t } from "../../words";

export type Read = { value: JsonInput; problem?: never } | { value?: never; problem: string };

const WHOLE = /^(int|Amount|Timestamp|u?int\d*|VarInt)$/;
/** More digits than JSON's numbers keep here. */
const LONG = /\d{16,}/;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

const baseOf = (type: string): string => type.replace(/\?$| *\| *None$/, "");
const isCompound = (base: string): boolean => /[[({]/.test(base);

/** What is to be typed for an argument of a type. */
export function hintOf(type: string): string {
  const base = baseOf(type);
  const kinds: Record<string, string> = t.contract.kinds;
  const wanted = Object.hasOwn(kinds, base) ? kinds[base] : WHOLE.test(base) ? t.contract.aWholeNumber : undefined;
  const hint = wanted ?? (isCompound(base) ? t.contract.ofTypeAsJson : t.contract.ofType)(clean(base));
  return base === type ? hint : `${hint} ${t.contract.mayBeEmpty}`;
}

/** Reads what was typed for an argument of a type, as the node calls that. */
export function readArgument(type: string, text: string): Read {
  const typed = text.trim();
  const isOptional = type.endsWith("?") || /\| *None$/.test(type);
  if (typed === "" && isOptional) return { value: null };
  const base = baseOf(type);
  // Whole numbers of any size are taken as texts.
  if (WHOLE.test(base)) return /^-?\d+$/.test(typed) ? { value: typed } : { problem: t.contract.enterAWholeNumber };
  if (base === "bool") return typed === "true" || typed === "false" ? { value: typed === "true" } : { problem: t.contract.enterTrueOrFalse };
  if (base === "str") return { value: text };
  if (!isCompound(base)) return typed === "" ? { problem: t.contract.enterSomething } : { value: typed };
  if (LONG.test(typed.replace(QUOTED, ""))) return { problem: t.contract.quoteLongNumbers };
  try {
    return { value: JSON.parse(typed) as JsonInput };
  } catch {
    return { problem: t.contract.enterJson };
  }
}
