// Amounts: whole cents as bigints, written with two decimals. No step goes through a floating-point number.
import { limits } from "headless-wallet/rules";

/** Units of NFTs are whole; all other tokens have two decimals. */
export type Decimals = 0 | 2;

/** `1234567n` → `12,345.67`. */
export function formatAmount(cents: bigint, decimals: Decimals = 2): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = cents < 0n ? "−" : "";
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** As `formatAmount`, for a field that is to be typed in. */
export function editAmount(cents: bigint, decimals: Decimals = 2): string {
  return formatAmount(cents, decimals).replaceAll(",", "");
}

export type Parsed = { amount: bigint; problem?: never } | { amount?: never; problem: string };

/** Reads what somebody typed. Commas may stand between thousands; the point is a point. */
export function parseAmount(text: string, decimals: Decimals = 2): Parsed {
  const typed = text.trim();
  if (typed === "") return { problem: "Enter an amount." };
  if (/^-/.test(typed)) return { problem: "Enter an amount above zero." };
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/.exec(typed);
  if (!match || (match[1] === undefined && !match[2])) {
    if (/^\d+,\d{0,2}$/.test(typed)) return { problem: "Write a point before the cents, as in 12.50." };
    return { problem: decimals === 0 ? "Enter a whole number, such as 3." : "Enter a number, such as 12.50." };
  }
  const [, whole = "0", fraction = ""] = match;
  if (fraction.length > decimals) {
    return { problem: decimals === 0 ? "This token has whole units only." : "There are at most two decimals." };
  }
  const amount = BigInt(whole.replaceAll(",", "") + fraction.padEnd(decimals, "0"));
  if (amount === 0n) return { problem: "Enter an amount above zero." };
  if (amount > limits.outputAmount) return { problem: "That is more than one transaction can move." };
  return { amount };
}
