// How a balance went, at a glance; the history has the chart.
import type { Series } from "../engine/api";
import { linkTo } from "../state/route";
import { summary } from "./Plot";
import { spanOf } from "./span";
import { DAY } from "./ticks";

/** Of less there is nothing to be seen. */
const LEAST = 2 * DAY;
const [WIDTH, HEIGHT] = [300, 40];

export function Sparkline({ series, uid, symbol }: { series: Series; uid: string; symbol: string }) {
  const now = Math.floor(Date.now() / 1_000);
  if (now - (series.times[0] ?? now) < LEAST) return null;
  const { times, balances } = spanOf(series, Infinity, now);
  const from = times[0] ?? 0;
  const span = (times.at(-1) ?? now) - from;
  const most = balances.reduce((a, b) => Math.max(a, b), 1);
  const x = (time: number): string => (((time - from) / span) * WIDTH).toFixed(1);
  const y = (balance: number): string => (HEIGHT * (1 - balance / most)).toFixed(1);
  const steps = times.map((time, at) => `H${x(time)}V${y(balances[at] ?? 0)}`).join("");
  return (
    <a class="sparkline" href={linkTo("history", uid)} aria-label={summary(series, symbol, 2)}>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 ${y(balances[0] ?? 0)}${steps}`} />
      </svg>
    </a>
  );
}
