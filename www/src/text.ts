import { t } from "./words";
import { writeTime } from "./words/formats";
// Words of others, and times, as the page writes them.

/** What would turn the line around, or stands in it unseen. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu;
/** Of that, what has a meaning where it stands: joiners in emoji and in Persian and Indic words, looks of emoji, flags of regions. */
const MEANT = new RegExp(
  [
    "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\p{L}\\p{M}])(?<![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\u200c\\u200d]",
    "[\\ufe0e\\ufe0f]",
    "(?<=\\u{1f3f4}[\\u{e0030}-\\u{e007a}]*)[\\u{e0030}-\\u{e007a}\\u{e007f}]",
  ].join("|"),
  "uy",
);

/** Names come from strangers: what would turn the line around or hide in it is taken out. */
export function clean(name: string): string {
  const kept = name.replace(UNSEEN, (unseen, at: number) => {
    MEANT.lastIndex = at;
    return MEANT.test(name) ? unseen : "";
  });
  return kept.trim() || t.fields.noName;
}

/** In characters, as the ledger's limits count them: an emoji is one or a few, whatever its bytes. */
export const lengthOf = (text: string): number => [...text].length;

export function tooLong(text: string, max: number): string | undefined {
  const length = lengthOf(text);
  return length > max ? t.fields.atMostCharactersTooMany(max, length - max) : undefined;
}

export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-6)}`;

/** A time in Unix seconds, in the user's own way of writing times. */
export const time = (seconds: number): string => writeTime(seconds, "time");

/** … with the zone that it is of. */
export const timeAndZone = (seconds: number): string => writeTime(seconds, "timeAndZone");

export const timeOfDay = (seconds: number): string => writeTime(seconds, "timeOfDay");

export function day(seconds: number): string {
  const nameOf = (at: Date | number): string => writeTime(Number(at) / 1_000, "day");
  const name = nameOf(seconds * 1_000);
  const now = new Date();
  if (name === nameOf(now)) return t.fields.today;
  return name === nameOf(now.setDate(now.getDate() - 1)) ? t.fields.yesterday : name;
}
