// The wallet as the page knows it: which screen it is at, how it looks, how it does.
import { computed, effect, signal } from "@preact/signals";
import type { FeatureWarning, Progress, WalletState } from "headless-wallet";
import type { Arrival, Token, View } from "../engine/api";
import type { Exact } from "../exact";
import { call, end, listen } from "../engine/client";
import { type Names, unknownToken } from "../engine/names";
import { book, closeBook, openBook } from "./book";
import { draft } from "./draft";
import { dismissAll } from "./notices";
import { place } from "./place";
import { proposal } from "./proposal";
import { swap } from "./swap";
import { databaseOf, kept, openId } from "./wallets";
import { t } from "../words";

export type Screen = "welcome" | "unlock" | "create" | "restore" | "watch" | "shared" | "starting" | "failed" | "open";

const firstScreen = (): Screen => (kept.value.length > 0 ? "unlock" : "welcome");

export const screen = signal<Screen>(firstScreen());
/** Why the wallet was locked, if nobody has asked for it. */
export const lockedBecause = signal("");
export const view = signal<View | undefined>(undefined);
export const progress = signal<Progress>({ addresses: 0, transactions: 0 });
/** When the wallet began to be started, in Unix seconds. */
export const startedAt = signal(0);
/** Why the wallet could not be started. */
export const failure = signal<unknown>(undefined);
export interface Lost {
  words: string;
  /** When the lost node is tried again, in Unix seconds, while that is waited for. */
  nextTry: number | undefined;
  /** It is not tried again. */
  forGood: boolean;
}

/** What stands in the way of an open wallet. */
export const lostNode = signal<Lost | undefined>(undefined);

/** Changes of the network that this version does not know. */
export const warnings = signal<FeatureWarning[]>([]);

/** Whether the node answers: "down" if it is lost or the wallet could not be opened, "unknown" before that is tried. */
export const connection = computed((): "up" | "down" | "unknown" => {
  if (lostNode.value !== undefined || screen.value === "failed") return "down";
  return screen.value === "open" ? "up" : "unknown";
});

/** The payments that came in last. */
export const arrivals = signal<Arrival[]>([]);

/** Of some, nothing is known but that they are there. */
const named = (token: Token): Token => (token.name === "" ? { ...token, name: t.tokens.unknownToken } : token);

const everyToken = computed(() => (view.value?.tokens ?? []).map(named));

/** What there is by now, or was; not what the ledger does not count. */
export const tokens = computed(() => everyToken.value.filter(({ gone }) => !gone));

/** What the node says of tokens that the wallet has nothing to do with. */
const foreign = signal<Record<string, Names>>({});

export function learnNames(names: Record<string, Names>): void {
  foreign.value = { ...foreign.value, ...names };
}

export const isKnown = (uid: string): boolean => tokens.value.some((token) => token.uid === uid);

/** A token of the wallet, or of its history; of any other, what little is known. */
export function tokenOf(uid: string): Token {
  const known = everyToken.value.find((token) => token.uid === uid);
  const names = foreign.value[uid] ?? unknownToken(uid);
  return known ?? named({ uid, ...names, origin: "received", gone: false, canMint: false, canMelt: false, available: 0n, locked: 0n, exact: { available: undefined, locked: undefined }, frozen: 0n });
}

/** What can be spent of a token, to the last digit. */
export function availableOf(uid: string): Exact {
  const { available, exact } = tokenOf(uid);
  return { cents: available, exact: exact.available };
}

const READY = 3;
const ERROR = 4;

listen((event) => {
  switch (event.type) {
    case "progress":
      progress.value = event.progress;
      break;
    case "view":
      view.value = event.view;
      break;
    case "arrivals":
      arrivals.value = event.arrivals;
      break;
    case "state":
      lostNode.value = lostNodeOf(event.state);
      warnings.value = event.state.warnings ?? [];
  }
});

function lostNodeOf({ statusCode, error, nextTry }: WalletState): Lost | undefined {
  if (statusCode === READY) return undefined;
  return { words: error ?? t.shell.theWalletIsCatchingUp, nextTry, forGood: statusCode === ERROR };
}

/** Several must sign: so many of so many. */
export const multisig = computed(() => view.value?.multisig);

export const isWatchOnly = computed(() => view.value?.watchOnly ?? false);

// Who leaves the page needs all the words again, if they are not kept.
const askFirst = (event: Event): void => event.preventDefault();
effect(() => {
  if (screen.value === "open" && openId.value === undefined) addEventListener("beforeunload", askFirst);
  else removeEventListener("beforeunload", askFirst);
});

/** Starts the wallet of the keys that the worker holds. */
export async function startWallet(): Promise<void> {
  screen.value = "starting";
  progress.value = { addresses: 0, transactions: 0 };
  startedAt.value = Date.now() / 1_000;
  // They were of the wallet as it was before.
  dismissAll();
  lostNode.value = undefined;
  lockedBecause.value = "";
  view.value = undefined;
  try {
    await openBook();
    // Who wants nothing on this device wants no history there either.
    await call("start", place.value, openId.value && databaseOf(openId.value));
    await call("freezeAgain", book.value.frozen);
    screen.value = "open";
  } catch (error) {
    // Closed meanwhile: then the page is somewhere else already.
    if (screen.value !== "starting") return;
    failure.value = error;
    screen.value = "failed";
  }
}

/** Closes the wallet and forgets everything about it, but for what is kept. */
export function closeWallet(): void {
  end();
  dismissAll();
  view.value = undefined;
  arrivals.value = [];
  foreign.value = {};
  swap.value = undefined;
  proposal.value = undefined;
  draft.value = undefined;
  failure.value = undefined;
  lostNode.value = undefined;
  warnings.value = [];
  openId.value = undefined;
  closeBook();
  screen.value = firstScreen();
  location.hash = "";
}
