// Locks the wallet when nobody uses it: after a time, after the computer's sleep, and in all tabs at once.
import { signal } from "@preact/signals";
import { sending } from "./act";
import { readText, writeText } from "./storage";
import { closeWallet, lockedBecause, screen } from "./wallet";
import { t } from "../words";

/** In minutes; 0 is never. */
export const LOCK_TIMES = [1, 5, 10, 30, 60, 0];
const DEFAULT = 10;
const KEY = "lock-after";
const [SECOND, MINUTE] = [1_000, 60_000];
const LOOK_EVERY = 5 * SECOND;
/** Browsers look only once a minute in tabs that are not seen: what takes much longer was sleep. */
const ASLEEP = 3 * MINUTE;

const keptTime = Number(readText(KEY) ?? DEFAULT);
export const lockAfter = signal(LOCK_TIMES.includes(keptTime) ? keptTime : DEFAULT);

export function setLockAfter(minutes: number): void {
  lockAfter.value = minutes;
  writeText(KEY, String(minutes));
}

type News = { type: "lock"; why: string } | { type: "used" };
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("headless-wallet") : undefined;
const tell = (news: News): void => tabs?.postMessage(news);

let lastUse = Date.now();
let lastLook = Date.now();
let lastTold = 0;

function used(): void {
  lastUse = Date.now();
  if (lastUse - lastTold < LOOK_EVERY) return;
  lastTold = lastUse;
  tell({ type: "used" });
}

function lock(why: string): void {
  const state = screen.value;
  if (state !== "open" && state !== "starting" && state !== "failed") return;
  closeWallet();
  lockedBecause.value = why;
}

/** Locks the wallets of all tabs. */
export function lockAll(why = ""): void {
  lock(why);
  tell({ type: "lock", why });
}

function look(): void {
  const now = Date.now();
  const slept = now - lastLook > ASLEEP;
  lastLook = now;
  if (lockAfter.value === 0 || sending.value > 0) return;
  if (slept) lockAll(t.shell.lockedWhileTheComputerSlept);
  else if (now - lastUse >= lockAfter.value * MINUTE) lockAll(t.shell.lockedAfter(lockAfter.value));
}

/** Begins to look after it. */
export function watchUse(): void {
  for (const event of ["pointerdown", "pointermove", "keydown", "wheel"]) addEventListener(event, used, { capture: true, passive: true });
  for (const event of ["focus", "pageshow"]) addEventListener(event, look);
  document.addEventListener("visibilitychange", look);
  // A tab that the browser had put aside has not slept.
  document.addEventListener("resume", () => {
    lastLook = Date.now();
  });
  setInterval(look, LOOK_EVERY);
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.endsWith(`:${KEY}`) && LOCK_TIMES.includes(Number(newValue))) lockAfter.value = Number(newValue);
  });
  tabs?.addEventListener("message", ({ data }: MessageEvent<News>) => {
    if (data.type === "lock") lock(data.why);
    else lastUse = Date.now();
  });
}
