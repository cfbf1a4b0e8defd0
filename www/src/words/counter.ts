// Numbers of things, as a language says them.
export interface Forms {
  /** What is said of none, whole: where a number would read wrong. */
  zero?: string;
  one: string;
  other: string;
}

/** Writes how many there are, and of what. */
export function counter(locale: string): (n: number, forms: Forms) => string {
  const [rules, numbers] = [new Intl.PluralRules(locale), new Intl.NumberFormat(locale)];
  return (n, { zero, one, other }) => (n === 0 && zero) || `${numbers.format(n)} ${rules.select(n) === "one" ? one : other}`;
}
