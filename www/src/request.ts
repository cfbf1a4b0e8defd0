// Requests for a payment: as a link, `hathor:ADDRESS?amount=12.50&token=UID&label=Coffee&expires=2026-12-01T00:00:00Z`, and as the JSON that
// Hathor's wallet for phones shows and scans.
import { HTR } from "headless-wallet/rules";
import type { Token } from "./engine/api";
import { asTyped, plainAmount } from "./money";
import { clean } from "./text";
import { t } from "./words";

export interface PaymentRequest {
  address: string;
  /** As programs write it, or in cents; empty if the payer is to choose. */
  amount: string | bigint;
  /** Its uid. */
  token: string;
  label: string;
  /** Unix seconds. */
  expires: number | undefined;
}

const decimalsOf = ({ nft }: Token): 0 | 2 => (nft === undefined ? 2 : 0);

const plainOf = ({ amount }: PaymentRequest, token: Token): string =>
  typeof amount === "bigint" ? plainAmount(amount, decimalsOf(token)) : amount;

/** The amount as it is typed. */
export const typedAmount = (request: PaymentRequest, token: Token): string => asTyped(plainOf(request, token));

export function writeLink(request: PaymentRequest, token: Token): string {
  const { address, label, expires } = request;
  const amount = plainOf(request, token);
  const query = new URLSearchParams({
    ...(amount && { amount }),
    ...(token.uid !== HTR.uid && { token: token.uid }),
    ...(label && { label }),
    ...(expires !== undefined && { expires: new Date(expires * 1_000).toISOString() }),
  }).toString();
  return `hathor:${address}${query && `?${query}`}`;
}

/** Only of whole requests: that wallet takes no token without an amount. */
export function writeJson(address: string, cents: bigint, { uid, name, symbol }: Token): string {
  // Numbers of any size: JSON of JavaScript would write a text.
  const token = JSON.stringify({ uid, name, symbol });
  return `{"address":"hathor:${address}","amount":${cents},"token":${token}}`;
}

const ADDRESS = /^(?:hathor:)?([1-9A-HJ-NP-Za-km-z]{25,40})$/i;
const UID = /^(?:00|[0-9a-f]{64})$/i;

/** Nothing of what is none, such as an address alone. Fails where it asks for what this page does not know. */
export function readRequest(text: string): PaymentRequest | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return readJson(trimmed);
  const [scheme = "", query] = trimmed.split("?", 2);
  const address = ADDRESS.exec(scheme)?.[1];
  if (query === undefined || address === undefined) return undefined;
  const asked = new URLSearchParams(query);
  for (const name of asked.keys()) if (name.startsWith("req-")) throw new Error(t.receive.thisRequestNeedsWhatThis(clean(name)));
  const token = asked.get("token") ?? HTR.uid;
  if (!UID.test(token)) throw new Error(t.receive.thisRequestDoesNotName);
  const expires = asked.get("expires");
  const time = expires === null ? undefined : Date.parse(expires) / 1_000;
  if (Number.isNaN(time)) throw new Error(t.receive.thisRequestDoesNotSay);
  return { address, amount: asked.get("amount") ?? "", token: token.toLowerCase(), label: labelOf(asked.get("label")), expires: time };
}

const labelOf = (label: string | null): string => (label ? clean(label).slice(0, 100) : "");

function readJson(text: string): PaymentRequest | undefined {
  // An amount above 2^53 would be rounded on the way: it is read as it stands there.
  const cents = /"amount"\s*:\s*"?(\d{1,19})"?\s*[,}]/.exec(text)?.[1];
  let read: { address?: unknown; amount?: unknown; token?: { uid?: unknown }; label?: unknown };
  try {
    read = JSON.parse(text) as typeof read;
  } catch {
    return undefined;
  }
  const address = typeof read.address === "string" ? ADDRESS.exec(read.address)?.[1] : undefined;
  if (address === undefined) return undefined;
  const token = read.token?.uid ?? HTR.uid;
  if (typeof token !== "string" || !UID.test(token)) throw new Error(t.receive.thisRequestDoesNotName);
  if (read.amount !== undefined && cents === undefined) throw new Error(t.receive.theAmountOfThisRequest);
  return {
    address,
    amount: cents === undefined ? "" : BigInt(cents),
    token: token.toLowerCase(),
    label: labelOf(typeof read.label === "string" ? read.label : null),
    expires: undefined,
  };
}
