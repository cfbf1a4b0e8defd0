// What to tell the user about an error: what it is, and what can be done about it. The wallet's own words are kept as they
// are, in smaller print.
import { EngineError } from "./engine/client";

export interface Advice {
  title: string;
  todo: string;
  /** The wallet's own words, if they say more. */
  words: string | undefined;
}

/** Ends what is told where the words themselves are the reason. */
export const SEE_WORDS = "Its own words say why.";

/** Where nothing is to be done but what the words say, they are all that is told. */
const ADVICE: Record<string, [title: string, todo?: string]> = {
  NODE_UNREACHABLE: [
    "The full node does not answer",
    "Check that it runs and that its address in the settings is right. A node answers a page only if it allows the page's origin; a node of your own allows http://localhost:3000.",
  ],
  NODE_TIMEOUT: ["The full node takes too long", "It may be busy or starting up. Wait a moment, and try again."],
  NODE_RATE_LIMITED: ["The full node asks for patience", "It had too many requests. Wait a minute, and try again."],
  NODE_BAD_ANSWER: [
    "The full node's answer can't be used",
    "Check its address in the settings: it ends in /v1a/. If it is right, the node has a problem; try another.",
  ],
  NODE_REFUSED: ["The full node refused", SEE_WORDS],
  WRONG_NETWORK: ["The full node is of another network", "Choose the network in the settings that the node belongs to."],
  SYNC_FAILED: ["The history could not be loaded", "Check the full node in the settings, and try again."],
  MINING_UNREACHABLE: [
    "The mining service does not answer",
    "Nothing was sent. Check that it runs and that its address in the settings is right; it, too, must allow this page's origin.",
  ],
  MINING_NO_ANSWER: ["The mining service takes too long", "Nothing was sent. Wait a moment, and send again."],
  MINING_BAD_ANSWER: ["The mining service's answer can't be used", "Nothing was sent. Check its address in the settings."],
  MINING_RATE_LIMITED: ["The mining service asks for patience", "Nothing was sent. Wait a minute, and send again."],
  MINING_TIMEOUT: ["The proof of work was not solved in time", "Nothing was sent. The service is busy: send again in a while."],
  MINING_REFUSED: ["The mining service refused the transaction", `Nothing was sent. ${SEE_WORDS}`],
  NO_MINERS: ["The mining service has no miners", "Nothing was sent. Send again later, or choose another service in the settings."],
  INSUFFICIENT_FUNDS: ["There is not enough to spend", "Send less, or wait until locked or pending amounts are free."],
  INPUT_LOCKED: ["What you want to spend is locked or in use", "Wait until it is free, and send again."],
  NO_AUTHORITY: ["This wallet may not melt this token", "Only the wallet that has the token's melt authority can."],
  ADDRESS_NOT_MINE: ["The address is not of this wallet", "Change and authorities can go to addresses of this wallet only."],
  TRANSACTION_TOO_LARGE: ["The transaction would be too large", "Send less at a time, or to fewer receivers."],
  INVALID_SWAP: ["This swap can't be used", "Ask for it anew: it must be complete, and say of its inputs what the full node says."],
  INVALID_SIGNATURES: ["These signatures can't be used", "They are wrong, or of another proposal. Ask for those of this one."],
  SWAP_CHANGED: [
    "This is not what the wallet put in",
    "Others may have changed it, or it was made before the wallet was opened. Compare what you give and get with what you agreed on.",
  ],
  SWAP_TEXT: ["This can't be taken"],
  SWAP_UNREADABLE: ["This proposal can't be read", "Check that all of it was copied, and nothing else."],
  REJECTED: ["The full node did not take the transaction", `Nothing was spent. ${SEE_WORDS}`],
  OUTCOME_UNKNOWN: [
    "It is not known whether the transaction was sent",
    "Do not send it again yet: look at the history first. If it does not appear within a few minutes, it was not sent.",
  ],
  CUT_OFF: ["The wallet was closed while it sent", "Look at the history to see whether the transaction is there."],
  CLOSED: ["The wallet was closed while it sent", "Look at the history to see whether the transaction is there."],
  NOT_READY: ["The wallet is catching up with its node", "Wait until the notice at the top is gone, and try again."],
  STOPPED: ["The wallet is not open", "Open it again."],
  WRONG_PASSWORD: ["That is not the password", "Try again. If you forgot it, restore the wallet from its 24 words."],
  VAULT_UNREADABLE: ["The stored words can't be read", "Restore the wallet from its 24 words."],
};

/** Ends of a send after which sending again might pay twice. */
const OPEN_ENDS = ["OUTCOME_UNKNOWN", "CUT_OFF", "CLOSED", "WORKER"];

export const mayHaveSent = (error: unknown): boolean => error instanceof EngineError && OPEN_ENDS.includes(error.code);

export function adviceOn(error: unknown): Advice {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof EngineError ? ADVICE[error.code] : undefined;
  if (!known) return { title: "That did not work", todo: message, words: undefined };
  const [title, todo] = known;
  return todo === undefined ? { title, todo: message, words: undefined } : { title, todo, words: message };
}
