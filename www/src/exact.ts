// Sums of amounts that may have parts of a cent, in units of 10^-18.

const UNITS_OF_A_CENT = 10n ** 16n;

/** An amount in whole cents; with parts of a cent `exact` is all of it, in tokens. */
export interface Exact {
  cents: bigint;
  exact?: string | undefined;
}

const unitsOf = ({ cents, exact }: Exact): bigint => {
  if (exact === undefined) return cents * UNITS_OF_A_CENT;
  const [, sign, whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(exact) ?? [];
  return BigInt(sign + whole + fraction.padEnd(18, "0"));
};

/** The sum; what goes out is below zero. */
export function sumOf(...amounts: Exact[]): { cents: bigint; exact: string | undefined } {
  const units = amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n);
  const cents = units / UNITS_OF_A_CENT;
  if (units % UNITS_OF_A_CENT === 0n) return { cents, exact: undefined };
  const digits = (units < 0n ? -units : units).toString().padStart(19, "0");
  return { cents, exact: `${units < 0n ? "-" : ""}${digits.slice(0, -18)}.${digits.slice(-18).replace(/0+$/, "")}` };
}
