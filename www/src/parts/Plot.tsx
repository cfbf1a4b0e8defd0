// A token's balance over time.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Series } from "../engine/api";
import { isDark } from "../state/theme";
import { time } from "../text";

interface Props {
  series: Series;
  symbol: string;
  decimals: 0 | 2;
  height?: number;
}

/** Of a balance that never moved there is no line to draw: it goes on to now. */
function untilNow({ times, balances }: Series, decimals: 0 | 2): [number[], number[]] {
  const scale = decimals === 0 ? 1 : 100;
  const now = Math.floor(Date.now() / 1_000);
  const first = times[0] ?? now;
  const span = Math.max(1, (now - first) * 0.04);
  return [
    [first - span, ...times, Math.max(now, (times.at(-1) ?? now) + 1)],
    [0, ...balances.map((cents) => cents / scale), (balances.at(-1) ?? 0) / scale],
  ];
}

export function Plot({ series, symbol, decimals, height = 200 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const dark = isDark.value;
  useEffect(() => {
    const host = box.current;
    if (!host) return;
    const style = getComputedStyle(host);
    const [line, fill, text, grid] = ["--plot-line", "--plot-fill", "--plot-text", "--plot-grid"].map((name) => resolve(host, style, name));
    const font = `12px ${style.fontFamily}`;
    const axis = { stroke: text!, font, ticks: { show: false } };
    const plot = new uPlot(
      {
        width: host.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 8 } },
        padding: [12, 26, 0, 0],
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [
          { ...axis, grid: { show: false }, space: 90, size: 32, values: (_, ticks, __, ___, step) => ticks.map((at) => writeTick(at, step)) },
          { ...axis, grid: { stroke: grid!, width: 1 }, size: (plot, labels) => roomFor(plot, labels ?? [], font), space: 44, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString("en")) },
        ],
        series: [
          {},
          { stroke: line!, fill: fill!, width: 2, points: { show: false }, paths: uPlot.paths.stepped!({ align: 1 }) },
        ],
      },
      untilNow(series, decimals),
      host,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height }));
    resized.observe(host);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [series, dark, height, decimals]);
  return <div ref={box} class="plot" role="img" aria-label={summary(series, symbol, decimals)} />;
}

/** As wide as the longest label of an axis and the gap beside it, so that none is cut. */
function roomFor({ ctx }: uPlot, labels: string[], font: string): number {
  ctx.font = font;
  const longest = Math.max(0, ...labels.map((label) => ctx.measureText(label).width));
  return Math.max(64, Math.ceil(longest) + 12);
}

const DAY = 86_400;
const [DATES, MINUTES, SECONDS] = [
  { day: "numeric", month: "short", year: "2-digit" } as const,
  { hour: "numeric", minute: "2-digit" } as const,
  { timeStyle: "medium" } as const,
].map((style) => new Intl.DateTimeFormat(undefined, style));

/** A time of the axis, whose marks are `step` seconds apart. */
function writeTick(at: number, step: number): string {
  const format = step >= DAY / 2 ? DATES : step >= 60 ? MINUTES : SECONDS;
  return format!.format(at * 1_000);
}

/** The colour that a property stands for by now: a canvas knows no `light-dark()`. */
function resolve(host: HTMLElement, style: CSSStyleDeclaration, name: string): string {
  host.style.color = `var(${name})`;
  const colour = style.color;
  host.style.color = "";
  return colour;
}

function summary({ times, balances }: Series, symbol: string, decimals: 0 | 2): string {
  const last = balances.at(-1);
  const first = times[0];
  if (last === undefined || first === undefined) return `No ${symbol} has come or gone yet.`;
  const write = (cents: number): string => (decimals === 0 ? cents : cents / 100).toLocaleString("en");
  const most = balances.reduce((a, b) => Math.max(a, b), 0);
  return `Balance of ${symbol} since ${time(first)}: ${write(last)} now, ${write(most)} at most.`;
}
