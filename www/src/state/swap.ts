// The swap under way: a proposal, and what has been signed of it. It is there until it is carried out, given up, or the wallet is closed.
import { signal } from "@preact/signals";
import type { ProposeSwapRequest } from "headless-wallet";
import { limits } from "headless-wallet/rules";
import { call, EngineError } from "../engine/client";
import { t } from "../words";

export interface Swap {
  proposal: string;
  /** Everybody's. */
  signatures: string[];
  /** The wallet's among them. */
  own: string | undefined;
}

export const swap = signal<Swap | undefined>(undefined);

/** All that others need, as one text. */
export const textOf = ({ proposal, signatures }: Swap): string => [proposal, ...signatures].join("\n");

/** Where the texts begin that may stand in one. */
const BEGINNINGS = /(?=PartialTx(?:InputData)?\|)/;

const refuse = (message: string, code = "SWAP_TEXT"): Error => new EngineError({ code, message, field: undefined });

/** A proposal, and signatures of each of its inputs. */
const MAX_PARTS = 1 + limits.inputs;

/** Mails and messengers break long lines. */
function split(text: string): { proposals: string[]; signatures: string[] } {
  const parts = text.replaceAll(/\s+/g, "").split(BEGINNINGS).filter((part) => part !== "");
  const signatures = parts.filter((part) => part.startsWith("PartialTxInputData|"));
  const proposals = parts.filter((part) => part.startsWith("PartialTx|"));
  if (parts.length > MAX_PARTS) throw refuse(t.swap.theseAreTextsASwap(parts.length, MAX_PARTS));
  if (parts.length === 0 || signatures.length + proposals.length < parts.length) {
    throw refuse(t.swap.aProposalBeginsWithPartialTx);
  }
  return { proposals: [...new Set(proposals)], signatures };
}

/** Takes what somebody has passed on: a proposal, signatures, or both. */
export async function takeText(text: string): Promise<void> {
  const { proposals, signatures } = split(text);
  const now = swap.value;
  if (proposals.length > 1) throw refuse(t.swap.theseAreSeveralProposalsRead);
  const proposal = proposals[0] ?? now?.proposal;
  if (proposal === undefined) throw refuse(t.swap.theseAreSignaturesAloneRead);
  if (proposal !== now?.proposal) await checkReplaces(now, proposal);
  const known = proposal === now?.proposal ? now : { proposal, signatures: [], own: undefined };
  const added = signatures.filter((signature) => !known.signatures.includes(signature));
  for (const signature of added) await checkBelongs(proposal, signature);
  swap.value = { ...known, signatures: [...known.signatures, ...added] };
}

/** One that does without what this wallet gives is another swap, and what it gives in this one would stay set aside. */
async function checkReplaces(now: Swap | undefined, proposal: string): Promise<void> {
  const { own } = await call("readSwap", proposal).catch((error: unknown) => {
    throw isMalformed(error) ? refuse(error.message, "SWAP_UNREADABLE") : error;
  });
  const before = now ? (await call("readSwap", now.proposal)).own : [];
  if (!before.every((output) => own.includes(output))) throw refuse(t.swap.thisIsAnotherSwapGive);
}

const isMalformed = (error: unknown): error is EngineError => error instanceof EngineError && error.code === "INVALID_INPUT";

/** That others are missing is no fault of this one's. */
async function checkBelongs(proposal: string, signature: string): Promise<void> {
  await call("checkSwap", proposal, [signature]).catch((error: unknown) => {
    if (!isUnfinished(error)) throw error;
  });
}

/** Whether a proposal is not carried out only because something is still missing. */
export const isUnfinished = (error: unknown): boolean => error instanceof EngineError && error.code === "INVALID_SWAP";

/** Whether a proposal is not signed because the wallet does not know it so. */
export const isChanged = (error: unknown): boolean => error instanceof EngineError && error.code === "SWAP_CHANGED";

/** Adds what this wallet gives and gets to the swap under way, or begins one. */
export async function propose(part: Pick<ProposeSwapRequest, "send" | "receive">): Promise<void> {
  const proposal = await call("proposeSwap", { ...part, partialTx: swap.value?.proposal });
  swap.value = { proposal, signatures: [], own: undefined };
}

export async function sign({ proposal }: Swap, asIs: boolean): Promise<void> {
  const own = await call("signSwap", proposal, asIs);
  const now = swap.value;
  // Signed is what was looked at: if another proposal has come meanwhile, that one is not.
  if (now?.proposal === proposal) swap.value = { ...now, own, signatures: [...now.signatures.filter((other) => other !== own), own] };
}

/** Frees what the wallet gives in it. */
export async function giveUp({ proposal }: Swap): Promise<void> {
  await call("unlockSwap", proposal);
  swap.value = undefined;
}
