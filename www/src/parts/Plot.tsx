// A token's balance over time.
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Series } from "../engine/api";
import { isDark } from "../state/theme";
import { time } from "../text";
import { t, words } from "../words";
import { writeNumber, writeTime } from "../words/formats";

interface Props {
  series: Series;
  symbol: string;
  decimals: 0 | 2;
  height?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ranges = (): [title: string, seconds: number][] => [
  [t.history.day, DAY],
  [t.history.week, 7 * DAY],
  [t.history.month, 30 * DAY],
  [t.common.all, Infinity],
];
/** How far the marks of the axis may be apart: times are known to the second. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 7, 14, 30, 60, 90, 180, 365, 730, 1_825].map((days) => days * DAY),
];

/** What lies within a time up to now; it begins with what there was before. */
function within({ times, balances }: Series, seconds: number): Series {
  const from = Date.now() / 1_000 - seconds;
  const first = times.findIndex((time) => time >= from);
  if (first === 0 || !Number.isFinite(seconds)) return { times, balances };
  const at = first < 0 ? times.length : first;
  return { times: [from, ...times.slice(at)], balances: [balances[at - 1] ?? 0, ...balances.slice(at)] };
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

export function Plot({ series: whole, symbol, decimals, height = 200 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const told = useRef<HTMLParagraphElement>(null);
  const plotted = useRef<uPlot | undefined>(undefined);
  /** The time that is pointed at: a plot that is drawn anew goes on there. */
  const pointed = useRef<number | undefined>(undefined);
  const [range, setRange] = useState(Infinity);
  const series = useMemo(() => within(whole, range), [whole, range]);
  const isLong = Date.now() / 1_000 - (whole.times[0] ?? Infinity) > DAY;

  /** Goes to another change by the keyboard. */
  const step = (event: KeyboardEvent): void => {
    const plot = plotted.current;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!plot || by === undefined) return;
    event.preventDefault();
    const times = plot.data[0];
    const last = times.length - 1;
    const at = Math.min(Math.max((plot.cursor.idx ?? last) + by, 0), last);
    pointAt(plot, times[at]!);
  };
  const name = useId();
  const dark = isDark.value;
  const { locale } = words.value;
  useEffect(() => {
    const host = box.current;
    if (!host) return;
    const style = getComputedStyle(host);
    const [line, fill, text, grid] = ["--plot-line", "--plot-fill", "--plot-text", "--plot-grid"].map((name) => resolve(host, style, name));
    const font = `12px ${style.fontFamily}`;
    // Where the system chooses the colours, what is filled would hide the line.
    const plain = matchMedia("(forced-colors: active)").matches;
    const axis = { stroke: text!, font, ticks: { show: false } };
    const before = pointed.current;
    const plot = new uPlot(
      {
        width: host.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 8 } },
        padding: [12, 34, 0, 0],
        hooks: {
          ready: [(plot) => before !== undefined && pointAt(plot, before)],
          setCursor: [
            (plot) => {
              pointed.current = plot.cursor.idx == null ? undefined : plot.data[0][plot.cursor.idx];
              tell(plot, told.current, symbol, decimals);
            },
          ],
        },
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [
          { ...axis, grid: { show: false }, incrs: STEPS, space: 90, size: 32, values: (_, ticks, __, ___, step) => ticks.map((at) => writeTick(at, step)) },
          { ...axis, grid: { stroke: grid!, width: 1 }, size: (plot, labels) => roomFor(plot, labels ?? [], font), space: 44, values: (_, ticks) => ticks.map((tick) => writeNumber(tick)) },
        ],
        series: [
          {},
          { stroke: line!, fill: plain ? "transparent" : fill!, width: 2, points: { show: false }, paths: uPlot.paths.stepped!({ align: 1 }) },
        ],
      },
      untilNow(series, decimals),
      host,
    );
    plotted.current = plot;
    const resized = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height }));
    resized.observe(host);
    return () => {
      resized.disconnect();
      if (told.current) told.current.textContent = "";
      plot.destroy();
    };
  }, [series, dark, height, decimals, symbol, locale]);
  return (
    <div class="plot">
      {isLong && (
        <div class="segments" role="radiogroup" aria-label={t.history.timeShown}>
          {ranges().map(([title, seconds]) => (
            <label key={title}>
              <input type="radio" name={name} checked={range === seconds} onChange={() => setRange(seconds)} />
              <span>{title}</span>
            </label>
          ))}
        </div>
      )}
      <div ref={box} role="img" tabIndex={0} aria-label={summary(whole, symbol, decimals)} onKeyDown={step} />
      <p ref={told} class="plot-told" aria-live="polite" />
    </div>
  );
}

/** Where a chart of the overview comes, so that nothing below it moves. */
export const PlotRoom = () => (
  <div class="plot plot-room">
    <p class="plot-told" />
  </div>
);

function pointAt(plot: uPlot, time: number): void {
  plot.setCursor({ left: plot.valToPos(time, "x"), top: 0 });
}

/** Says how much there was at the time that is pointed at. */
function tell(plot: uPlot, to: HTMLElement | null, symbol: string, decimals: 0 | 2): void {
  if (!to) return;
  const at = plot.cursor.idx;
  const [when, much] = at == null ? [] : [plot.data[0][at], plot.data[1]?.[at]];
  to.textContent = when === undefined || much == null ? "" : `${time(when)}: ${writeNumber(much, decimals)} ${symbol}`;
}

/** As wide as the longest label of an axis and the gap beside it, so that none is cut. */
function roomFor({ ctx }: uPlot, labels: string[], font: string): number {
  ctx.font = font;
  const longest = Math.max(0, ...labels.map((label) => ctx.measureText(label).width));
  return Math.max(36, Math.ceil(longest) + 12);
}

/** A time of the axis, whose marks are `step` seconds apart. */
function writeTick(at: number, step: number): string {
  return writeTime(at, step >= DAY / 2 ? "tickDate" : step >= 60 ? "timeOfDay" : "tickSecond");
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
  if (last === undefined || first === undefined) return t.history.noHasComeOrGone(symbol);
  const write = (cents: number): string => writeNumber(decimals === 0 ? cents : cents / 100);
  const most = balances.reduce((a, b) => Math.max(a, b), 0);
  return t.history.balanceOfSinceNowAt(symbol, time(first), write(last), write(most));
}
