// Amounts: whole cents as bigints, written with two decimals. No step goes through a floating-point number.
import { limits } from "headless-wallet/rules";
import { t } from "./words";
import { separators } from "./words/formats";

/** Units of NFTs are whole; all other tokens have two decimals. */
export type Decimals = 0 | 2;

/** `1234567n` → `12345.67`, for programs. With parts of a cent, `exact` is all of the amount: `0.015` of a token, or `1.5` pieces. */
export function plainAmount(cents: bigint, decimals: Decimals = 2, exact?: string): string {
  if (exact !== undefined) return decimals === 0 ? hundredfold(exact) : exact;
  const digits = (cents < 0n ? -cents : cents).toString().padStart(decimals + 1, "0");
  const whole = (cents < 0n ? "-" : "") + digits.slice(0, digits.length - decimals);
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}

/** `0.015` → `1.5` */
const hundredfold = (exact: string): string => exact.replace(/^(-?)(\d+)\.(\d\d)/, "$1$2$3.").replace(/^(-?)0+(?=\d)/, "$1");

/** `1234567n` → `12,345.67`, as the language in use writes it. */
export function formatAmount(cents: bigint, decimals: Decimals = 2, exact?: string): string {
  const { group, decimal } = separators.value;
  const [whole = "", fraction] = plainAmount(cents, decimals, exact).replace("-", "−").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? grouped : grouped + decimal + fraction;
}

/** An amount that a program has written, as it is typed. */
export function asTyped(plain: string): string {
  const { group, decimal } = separators.value;
  return plain.replace(/[.,]/g, (mark) => (mark === "." ? decimal : group));
}

/** As `formatAmount`, for a field that is to be typed in. */
export const editAmount = (cents: bigint, decimals: Decimals = 2): string => asTyped(plainAmount(cents, decimals));

export type Parsed = { amount: bigint; problem?: never } | { amount?: never; problem: string };

/** What an amount is of: money that moves, or a token's units, which are made and melted. Languages have words for each. */
export type Counted = "value" | "units";

/** Reads what somebody typed, as the language in use writes it: in English, commas may stand between thousands, and the point is a point. */
export function parseAmount(text: string, decimals: Decimals = 2, counted: Counted = "value"): Parsed {
  const { group, decimal } = separators.value;
  // From here on it is as in English. What is written in another language's way is no amount, or one that shows at once.
  const typed = text.trim().replace(/[.,]/g, (mark) => (mark === decimal ? "." : mark === group ? "," : "?"));
  const aboveZero = counted === "units" ? t.tokens.enterUnitsAboveZero : t.fields.enterAnAmountAboveZero;
  if (typed === "") return { problem: counted === "units" ? t.tokens.enterUnits : t.fields.enterAnAmount };
  if (/^-/.test(typed)) return { problem: aboveZero };
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/.exec(typed);
  if (!match || (match[1] === undefined && !match[2])) {
    if (/^\d+,\d{0,2}$/.test(typed)) return { problem: t.fields.writeAPointBeforeThe };
    return { problem: decimals === 0 ? t.fields.enterAWholeNumberSuch : t.fields.enterANumberSuchAs };
  }
  const [, whole = "0", fraction = ""] = match;
  if (fraction.length > decimals) {
    return { problem: decimals === 0 ? t.fields.thisTokenHasWholeUnits : t.fields.thereAreAtMostTwo };
  }
  const amount = BigInt(whole.replaceAll(",", "") + fraction.padEnd(decimals, "0"));
  if (amount === 0n) return { problem: aboveZero };
  if (amount > limits.outputAmount) return { problem: t.fields.thatIsMoreThanOne };
  return { amount };
}
