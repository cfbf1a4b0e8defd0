// A token's balance over time.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Series } from "../engine/api";
import { isDark } from "../state/theme";
import { time } from "../text";
import { t, words } from "../words";
import { writeNumber } from "../words/formats";
import { spanOf } from "./span";
import { DAY, stepsOf, writeTick } from "./ticks";

interface Props {
  series: Series;
  symbol: string;
  decimals: 0 | 2;
  height?: number;
}

const ranges = (): [title: string, seconds: number][] => [
  [t.history.day, DAY],
  [t.history.week, 7 * DAY],
  [t.history.month, 30 * DAY],
  [t.common.all, Infinity],
];

export function Plot({ series: whole, symbol, decimals, height = 200 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const told = useRef<HTMLParagraphElement>(null);
  const plotted = useRef<uPlot | undefined>(undefined);
  /** The time that is pointed at: a plot that is drawn anew goes on there. */
  const pointed = useRef<number | undefined>(undefined);
  const [range, setRange] = useState(Infinity);
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
    const { times, balances } = spanOf(whole, range, Math.floor(Date.now() / 1_000));
    const scale = decimals === 0 ? 1 : 100;
    const plot = new uPlot(
      {
        width: host.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 8 } },
        // Half of what stands below an outer mark needs room beside it; on the left the other axis has some.
        padding: [12, (plot) => halfOf(plot, font), 0, (plot) => Math.max(0, halfOf(plot, font) - LEAST_ROOM)],
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
          {
            ...axis,
            grid: { show: false },
            size: 32,
            space: (plot) => 2 * halfOf(plot, font) + GAP,
            incrs: (_, __, from, to) => stepsOf(to - from),
            values: (plot, ticks) => ticks.map((at) => writeTick(at, shownBy(plot).span)),
          },
          { ...axis, grid: { stroke: grid!, width: 1 }, size: (plot, labels) => roomFor(plot, labels ?? [], font), space: 44, values: (_, ticks) => ticks.map((tick) => writeNumber(tick)) },
        ],
        series: [
          {},
          { stroke: line!, fill: plain ? "transparent" : fill!, width: 2, points: { show: false }, paths: uPlot.paths.stepped!({ align: 1 }) },
        ],
      },
      [times, balances.map((cents) => cents / scale)],
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
  }, [whole, range, dark, height, decimals, symbol, locale]);
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

/** What an axis of amounts takes at least. */
const LEAST_ROOM = 36;
/** Between two marks. */
const GAP = 16;

const longestOf = ({ ctx }: uPlot, labels: string[], font: string): number => {
  ctx.font = font;
  return Math.max(0, ...labels.map((label) => ctx.measureText(label).width));
};

/** As wide as the longest label of an axis and the gap beside it, so that none is cut. */
const roomFor = (plot: uPlot, labels: string[], font: string): number => Math.max(LEAST_ROOM, Math.ceil(longestOf(plot, labels, font)) + 12);

/** From when to when it is, in seconds; nothing before it has data. */
function shownBy({ scales: { x } }: uPlot): { from: number; to: number; span: number } {
  const [from, to] = [x?.min ?? 0, x?.max ?? 0];
  return { from, to, span: to - from };
}

/** Half of what a time takes below its mark, with room for a month of a longer name. */
function halfOf(plot: uPlot, font: string): number {
  const { from, to, span } = shownBy(plot);
  return Math.ceil(longestOf(plot, [from, to].map((at) => writeTick(at, span)), font) / 2) + 6;
}

/** The colour that a property stands for by now: a canvas knows no `light-dark()`. */
function resolve(host: HTMLElement, style: CSSStyleDeclaration, name: string): string {
  host.style.color = `var(${name})`;
  const colour = style.color;
  host.style.color = "";
  return colour;
}

export function summary({ times, balances }: Series, symbol: string, decimals: 0 | 2): string {
  const last = balances.at(-1);
  const first = times[0];
  if (last === undefined || first === undefined) return t.history.noHasComeOrGone(symbol);
  const write = (cents: number): string => writeNumber(decimals === 0 ? cents : cents / 100);
  const most = balances.reduce((a, b) => Math.max(a, b), 0);
  return t.history.balanceOfSinceNowAt(symbol, time(first), write(last), write(most));
}
