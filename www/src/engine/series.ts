// A token's balance over time, for the plot.
import type { Series } from "./api";
import type { Ledger } from "./ledger";

/** More points than a plot has pixels tell nothing more. */
const MAX_POINTS = 2_000;

export function series(ledger: Ledger, token: string): Series {
  const oldestFirst = ledger.moving(token).filter((tx) => !tx.is_voided).reverse();
  const every = Math.max(1, Math.ceil(oldestFirst.length / MAX_POINTS));
  const times: number[] = [];
  const balances: number[] = [];
  let balance = 0n;
  oldestFirst.forEach((tx, at) => {
    balance += tx.effect.net[token] ?? 0n;
    const isLast = at === oldestFirst.length - 1;
    if (at % every !== 0 && !isLast) return;
    if (times.at(-1) === tx.timestamp) balances.pop();
    else times.push(tx.timestamp);
    balances.push(Number(balance));
  });
  return { times, balances };
}
