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

export function notify(text: string, tone: Notice["tone"] = "info"): void {
  const id = ++lastId;
  notices.value = [...notices.value.slice(-2), { id, text, tone }];
  // Bad news wait until they are read.
  if (tone !== "bad") setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismissAll(): void {
  notices.value = [];
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
