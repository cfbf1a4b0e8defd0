// Which tokens the user knows. Anybody can send a token of any name: it stays aside until it is accepted.
import { computed, effect } from "@preact/signals";
import { HTR } from "headless-wallet/rules";
import { hidesSomething, mixesAlphabets, namesWebAddress, skeleton } from "../alike";
import type { Arrival, Token } from "../engine/api";
import { type Exact, sumOf } from "../exact";
import { formatAmount } from "../money";
import { clean } from "../text";
import { book, note } from "./book";
import { notify, updateNotice } from "./notices";
import { arrivals, tokenOf, tokens } from "./wallet";
import { t } from "../words";

const isHidden = (uid: string): boolean => book.value.hidden.includes(uid);

/** Tokens that the wallet has made or used are known without being asked for. */
const isKnown = ({ uid, origin }: Token): boolean => origin !== "received" || book.value.accepted.includes(uid);

const isAcceptedToken = (token: Token): boolean => token.uid === HTR.uid || (isKnown(token) && !isHidden(token.uid));

export const acceptedTokens = computed(() => tokens.value.filter(isAcceptedToken));
export const newTokens = computed(() => tokens.value.filter((token) => !isAcceptedToken(token) && !isHidden(token.uid)));
export const hiddenTokens = computed(() => tokens.value.filter(({ uid }) => isHidden(uid)));

export const isAccepted = (uid: string): boolean => isAcceptedToken(tokenOf(uid));

export function accept(uid: string): void {
  const { accepted, hidden } = book.value;
  note({ accepted: [...accepted.filter((one) => one !== uid), uid], hidden: hidden.filter((one) => one !== uid) });
}

export function hide(uid: string): void {
  note({ hidden: [...book.value.hidden.filter((one) => one !== uid), uid] });
}

/** The tokens that look the same, by what their names and symbols look like. */
const alike = computed(() => {
  const found = new Map<string, Set<string>>();
  for (const { uid, name, symbol } of tokens.value) {
    for (const look of [`name ${skeleton(name)}`, `symbol ${skeleton(symbol)}`]) {
      found.set(look, (found.get(look) ?? new Set()).add(uid));
    }
  }
  return found;
});

function othersLike({ uid, name, symbol }: Token): Token[] {
  const uids = [`name ${skeleton(name)}`, `symbol ${skeleton(symbol)}`].flatMap((look) => [...(alike.value.get(look) ?? [])]);
  return [...new Set(uids)].filter((other) => other !== uid).map(tokenOf);
}

/** Whether a symbol alone does not tell which token is meant. */
export function needsUid(uid: string): boolean {
  if (uid === HTR.uid) return false;
  const token = tokenOf(uid);
  return !isAcceptedToken(token) || othersLike(token).length > 0;
}

/** What should make one wary of a token. */
export function warningsOf(token: Token): string[] {
  if (token.uid === HTR.uid || token.origin === "created") return [];
  const imitated = othersLike(token).find((other) => isAcceptedToken(other));
  const warnings: string[] = [];
  if (imitated) {
    const says = imitated.origin === "created" ? t.tokens.looksLikeYours : t.tokens.looksLike;
    warnings.push(says(clean(imitated.name), clean(imitated.symbol)));
  }
  const names = [token.name, token.symbol];
  if (names.some(mixesAlphabets)) warnings.push(t.tokens.itsNameMixesLettersOf);
  if (names.some(namesWebAddress)) warnings.push(t.tokens.itsNameHoldsAWebAddress);
  if (names.some(hidesSomething)) warnings.push(t.tokens.itsNameHoldsCharactersThat);
  return warnings;
}

/** What is told of by one notice for as long as it stands: a burst is one piece of news. */
let told: { notice: number; payments: Arrival[] } | undefined;

function tellOf(payments: Arrival[]): void {
  const known = payments.map((changes) => changes.filter(({ token, amount, exact }) => (amount > 0n || (amount === 0n && exact !== undefined && !exact.startsWith("-"))) && isAccepted(token))).filter((some) => some.length > 0);
  if (known.length === 0) return;
  const all = [...(told?.payments ?? []), ...known];
  const sums = new Map<string, Exact>();
  for (const { token, amount, exact } of all.flat()) sums.set(token, sumOf(sums.get(token) ?? { cents: 0n }, { cents: amount, exact }));
  const amounts = [...sums].map(([uid, { cents, exact }]) => {
    const { symbol, nft } = tokenOf(uid);
    return `${formatAmount(cents, nft === undefined ? 2 : 0, exact)} ${clean(symbol)}`;
  });
  const text = all.length > 1 ? t.tokens.receivedIn(amounts.join(", "), all.length) : t.tokens.received(amounts.join(", "));
  if (told && updateNotice(told.notice, text)) told.payments = all;
  else told = { notice: notify(text, "good"), payments: known };
}

effect(() => {
  const payments = arrivals.value;
  // Told of once, whatever else changes later.
  if (payments.length > 0) queueMicrotask(() => tellOf(payments));
});
