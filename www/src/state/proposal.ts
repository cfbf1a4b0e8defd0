// The transaction of a multisig wallet that is under way: a proposal, and what has been signed of it. It is there until it is sent, given
// up, or the wallet is closed.
import { signal } from "@preact/signals";
import { call, EngineError } from "../engine/client";
import { t } from "../words";

export interface Proposal {
  /** In hexadecimal. */
  txHex: string;
  /** One text of each participant who has signed. */
  signatures: string[];
  /** The user's among them. */
  own: string | undefined;
  /** It was made here, and what it spends is set aside. */
  made: boolean;
}

export const proposal = signal<Proposal | undefined>(undefined);

/** All that others need, as one text. */
export const textOf = ({ txHex, signatures }: Proposal): string => [txHex, ...signatures].join("\n");

/** One of each participant. */
const MOST_SIGNATURES = 7;

const refuse = (message: string): Error => new EngineError({ code: "SWAP_TEXT", message, field: undefined });

/** A participant's public key, in hexadecimal. */
const KEY_DIGITS = 66;

const signerOf = (signature: string): string => signature.slice(0, KEY_DIGITS);

/** The end of what a participant has signed, which begins at `from`: after the key, `|place:signature` for each input, in DER. */
function endOfSignatures(text: string, from: number): number {
  const part = /\|\d+:30([0-9a-f]{2})/y;
  let end = from + KEY_DIGITS;
  for (;;) {
    part.lastIndex = end;
    const found = part.exec(text);
    if (!found) return end;
    // The second byte says how many follow.
    end = part.lastIndex + 2 * Number.parseInt(found[1] ?? "", 16);
  }
}

/** Nothing if it is neither. Mails and messengers break long lines, so what stands where is told by its length. */
function split(text: string): { txHex: string; signatures: string[] } | undefined {
  const digits = text.replaceAll(/\s+/g, "");
  const bar = digits.indexOf("|");
  const begin = bar < 0 ? digits.length : bar - KEY_DIGITS;
  if (begin < 0) return undefined;
  const txHex = digits.slice(0, begin);
  const signatures: string[] = [];
  for (let at = begin; at < digits.length; ) {
    const end = endOfSignatures(digits, at);
    if (end === at + KEY_DIGITS || end > digits.length) return undefined;
    signatures.push(digits.slice(at, end));
    at = end;
  }
  const isWhole = /^[0-9a-f]*$/.test(txHex) && signatures.every((one) => /^0[23][0-9a-f]{64}(\|\d+:[0-9a-f]+)+$/.test(one));
  return isWhole && digits !== "" ? { txHex, signatures } : undefined;
}

/** Takes what somebody has passed on: a proposal, signatures, or both. */
export async function takeText(text: string): Promise<void> {
  if (text.trimStart().startsWith("{")) return takeFile(text);
  const { txHex, signatures } = split(text) ?? {};
  if (txHex === undefined || signatures === undefined || signatures.length > MOST_SIGNATURES) throw refuse(t.multisig.thisIsNone);
  const now = proposal.value;
  if (txHex === "" && !now) throw refuse(t.multisig.signaturesAlone);
  if (txHex !== "" && now && txHex !== now.txHex) throw refuse(t.multisig.anotherIsOpen);
  // Fails if it is none.
  if (txHex !== "") await call("readProposal", txHex);
  const known = now ?? { txHex, signatures: [], own: undefined, made: false };
  proposal.value = { ...known, signatures: added(known.signatures, signatures) };
}

/** Takes a signing file, with the signatures that it has. */
async function takeFile(text: string): Promise<void> {
  const now = proposal.value;
  const read = await call("readSigningFile", text, now?.txHex).catch((error: unknown) => {
    throw refuse(t.multisig.thisIsNoFile(error instanceof Error ? error.message : String(error)));
  });
  if (!read) throw refuse(t.multisig.anotherIsOpen);
  const { txHex, signatures } = read;
  const known = now ?? { txHex, signatures: [], own: undefined, made: false };
  proposal.value = { ...known, signatures: added(known.signatures, signatures) };
}

/** A participant signs once: what comes later stands in the place of what came before. */
function added(known: string[], others: string[]): string[] {
  const bySigner = new Map([...known, ...others].map((signature) => [signerOf(signature), signature]));
  return [...bySigner.values()];
}

export interface Payment {
  address: string;
  value: bigint;
  token: string;
  /** Unix seconds before which it can't be spent. */
  timelock: number | undefined;
}

export async function propose(outputs: Payment[]): Promise<void> {
  proposal.value = { txHex: await makeProposal(outputs), signatures: [], own: undefined, made: true };
}

const makeProposal = (outputs: Payment[]): Promise<string> => call("propose", { outputs });

/** Signs what was looked at. */
export async function sign({ txHex }: Proposal): Promise<void> {
  const own = await call("signProposal", txHex);
  const now = proposal.value;
  if (now?.txHex === txHex) proposal.value = { ...now, own, signatures: added(now.signatures, [own]) };
}

/** Frees what it spends, if that was set aside here. */
export async function giveUp({ txHex, made }: Proposal): Promise<void> {
  if (made) await call("dropProposal", txHex);
  proposal.value = undefined;
}
