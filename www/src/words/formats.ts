// Numbers and times, as the language in use writes them.
import { computed } from "@preact/signals";
import { words } from ".";

type Style = Intl.DateTimeFormatOptions;
const STYLES = {
  time: { dateStyle: "medium", timeStyle: "short" },
  timeAndZone: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
  timeOfDay: { timeStyle: "short" },
  day: { dateStyle: "full" },
  tickDate: { day: "numeric", month: "short", year: "numeric" },
  tickTime: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  tickSecond: { timeStyle: "medium" },
} satisfies Record<string, Style>;

/** Times go by the country as well: a browser that speaks the same language knows it. */
function regional(locale: string): string {
  const same = globalThis.navigator?.languages?.find((tag) => tag.split("-")[0] === locale.split("-")[0]);
  return same ?? locale;
}

const dates = computed(() => {
  const locale = regional(words.value.locale);
  const format = (style: Style) => new Intl.DateTimeFormat(locale, style);
  return Object.fromEntries(Object.entries(STYLES).map(([name, style]) => [name, format(style)])) as Record<keyof typeof STYLES, Intl.DateTimeFormat>;
});

/** A time in Unix seconds. */
export const writeTime = (seconds: number, style: keyof typeof STYLES): string => dates.value[style].format(seconds * 1_000);

/** In which times are written and read here: "America/Sao_Paulo". */
export const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `digits` are those behind the point; as many as there are, if left out. */
export const writeNumber = (number: number, digits?: number): string =>
  number.toLocaleString(words.value.locale, digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** What stands between thousands, and before the decimals. */
export const separators = computed(() => {
  const parts = new Intl.NumberFormat(words.value.locale).formatToParts(12_345.6);
  const of = (type: string, otherwise: string): string => parts.find((part) => part.type === type)?.value ?? otherwise;
  return { group: of("group", ","), decimal: of("decimal", ".") };
});
