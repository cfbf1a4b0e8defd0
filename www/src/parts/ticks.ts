// The marks of an axis of times: how far they are apart, and what stands at them: no two say the same.
import { writeTime } from "../words/formats";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How far marks may be apart: times are known to the second. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 7, 14, 30, 60, 90, 180, 365, 730, 1_825].map((days) => days * DAY),
];

/** How times are written on an axis of less than so many seconds, and the least between two marks. */
const WAYS = [
  { below: 10 * MINUTE, style: "tickSecond", least: 1 },
  { below: DAY, style: "timeOfDay", least: MINUTE },
  { below: 3 * DAY, style: "tickTime", least: MINUTE },
  { below: Infinity, style: "tickDate", least: DAY },
] as const;

const wayOf = (span: number) => WAYS.find(({ below }) => span < below)!;

/** How far the marks of an axis of so many seconds may be apart. */
export const stepsOf = (span: number): number[] => STEPS.filter((step) => step >= wayOf(span).least);

/** A time as an axis of so many seconds has it. */
export const writeTick = (at: number, span: number): string => writeTime(at, wayOf(span).style);
