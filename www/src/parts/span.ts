// What a plot shows of a balance: all of it, or the last of it.
import type { Series } from "../engine/api";

/** Before the first change there is room for a line from nothing to it: so much of the time that is shown. */
const LEAD = 0.04;

/**
 * What lies within `seconds` up to `now`. It begins with what there was before, and goes on to now: of a
 * balance that never moved there would be no line to draw.
 */
export function spanOf({ times, balances }: Series, seconds: number, now: number): Series {
  const from = now - seconds;
  const found = times.findIndex((time) => time > from);
  const at = found < 0 ? times.length : found;
  const first = times[0] ?? now;
  return {
    times: [at > 0 ? from : first - Math.max(1, (now - first) * LEAD), ...times.slice(at), Math.max(now, (times.at(-1) ?? now) + 1)],
    balances: [balances[at - 1] ?? 0, ...balances.slice(at), balances.at(-1) ?? 0],
  };
}
