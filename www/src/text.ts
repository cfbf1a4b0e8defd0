// Words of others, and times, as the page writes them.

/** Names come from strangers: what would turn the line around or hide in it is taken out. */
export function clean(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim() || "(no name)";
}

/** In characters, as the ledger's limits count them: an emoji is one or a few, whatever its bytes. */
export const lengthOf = (text: string): number => [...text].length;

export function tooLong(text: string, max: number): string | undefined {
  const length = lengthOf(text);
  return length > max ? `At most ${max} characters: ${length - max} too many.` : undefined;
}

export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-6)}`;

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A time in Unix seconds, in the user's own way of writing times. */
export const time = (seconds: number): string => TIME.format(seconds * 1_000);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
