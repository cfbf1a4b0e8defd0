// Short notices at the edge of the page, which screen readers are told of.
import { signal } from "@preact/signals";

export interface Notice {
  id: number;
  text: string;
  tone: "good" | "info" | "bad";
}

const SHOWN_MS = 6_000;
let lastId = 0;

export const notices = signal<Notice[]>([]);

const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Gives its id. */
export function notify(text: string, tone: Notice["tone"] = "info"): number {
  const id = ++lastId;
  notices.value = [...notices.value.slice(-2), { id, text, tone }];
  // Bad news wait until they are read.
  if (tone !== "bad") dismissLater(id);
  return id;
}

/** Says something else in the place of a notice, if that is still there. */
export function updateNotice(id: number, text: string): boolean {
  if (!notices.value.some((notice) => notice.id === id)) return false;
  notices.value = notices.value.map((notice) => (notice.id === id ? { ...notice, text } : notice));
  dismissLater(id);
  return true;
}

function dismissLater(id: number): void {
  clearTimeout(timers.get(id));
  timers.set(id, setTimeout(() => dismiss(id), SHOWN_MS));
}

export function dismissAll(): void {
  notices.value = [];
}

export function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
