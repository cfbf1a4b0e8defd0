// What errors mean and what can be done about them, by their codes. Where no remedy stands, it is in the
// error's own words.
export interface Advised {
  title: string;
  todo?: string;
  /** What those who run a node have to know as well: it stands with the wallet's own words. */
  more?: string;
}

const seeWords = "The details say why.";

export const advice = {
  seeWords,
  otherwise: "That did not work",
  byCode: {
    NODE_UNREACHABLE: {
      title: "The full node does not answer",
      todo: "Check that it is running and that its address in the settings is right.",
      more: "A node answers a page only if it allows the page's origin; a node of your own allows http://localhost:3000.",
    },
    NODE_TIMEOUT: {
      title: "The full node takes too long",
      todo: "It may be busy or starting up. Wait a moment, and try again.",
    },
    NODE_RATE_LIMITED: {
      title: "The full node has too many requests",
      todo: "Wait a minute, and try again.",
    },
    NODE_BAD_ANSWER: {
      title: "The full node's answer can't be understood",
      todo: "Check its address in the settings: it ends in /v1a/. If it is right, the node has a problem; try another.",
    },
    NODE_REFUSED: {
      title: "The full node refused",
      todo: seeWords,
    },
    WRONG_NETWORK: {
      title: "The full node belongs to another network",
      todo: "In the settings, choose the network that the node belongs to.",
    },
    SYNC_FAILED: {
      title: "The history could not be loaded",
      todo: "Check the full node in the settings, and try again.",
    },
    MINING_UNREACHABLE: {
      title: "The mining service does not answer",
      todo: "Nothing was sent. Check that it is running and that its address in the settings is right.",
      more: "A mining service answers a page only if it allows the page's origin.",
    },
    MINING_NO_ANSWER: {
      title: "The mining service takes too long",
      todo: "Nothing was sent. Wait a moment, and send again.",
    },
    MINING_BAD_ANSWER: {
      title: "The mining service's answer can't be understood",
      todo: "Nothing was sent. Check its address in the settings.",
    },
    MINING_RATE_LIMITED: {
      title: "The mining service has too many requests",
      todo: "Nothing was sent. Wait a minute, and send again.",
    },
    MINING_TIMEOUT: {
      title: "The proof of work was not solved in time",
      todo: "Nothing was sent. The service is busy: try again later.",
    },
    MINING_REFUSED: {
      title: "The mining service refused the transaction",
      todo: `Nothing was sent. ${seeWords}`,
    },
    NO_MINERS: {
      title: "The mining service has no miners",
      todo: "Nothing was sent. Send again later, or choose another service in the settings.",
    },
    INSUFFICIENT_FUNDS: {
      title: "There is not enough to spend",
      todo: "Send less, or wait until locked or pending amounts are free.",
    },
    INPUT_LOCKED: {
      title: "What you want to spend is locked or in use",
      todo: "Wait until it is free, and send again.",
    },
    NO_AUTHORITY: {
      title: "This wallet does not have that right",
      todo: "Only a wallet that has the token's right to mint or to melt can do this.",
    },
    ADDRESS_NOT_MINE: {
      title: "The address does not belong to this wallet",
      todo: "Change and rights can only go to addresses of this wallet.",
    },
    TRANSACTION_TOO_LARGE: {
      title: "The transaction would be too large",
      todo: "Send less at a time, or to fewer addresses.",
    },
    INVALID_SWAP: {
      title: "This swap can't be used",
      todo: "Ask for it again: it must be complete, and what it says of its inputs must be what the full node says.",
    },
    INVALID_SIGNATURES: {
      title: "These signatures can't be used",
      todo: "They are wrong, or belong to another proposal. Ask for the signatures of this one.",
    },
    SWAP_CHANGED: {
      title: "This is not what your wallet added",
      todo: "Others may have changed it, or it was made before the wallet was opened. Compare what you give and get with what you agreed on.",
    },
    SWAP_TEXT: { title: "This can't be used" },
    SWAP_UNREADABLE: {
      title: "This proposal can't be read",
      todo: "Check that all of it was copied, and nothing else.",
    },
    REJECTED: {
      title: "The full node did not take the transaction",
      todo: `Nothing was spent. ${seeWords}`,
    },
    OUTCOME_UNKNOWN: {
      title: "It is not known whether the transaction was sent",
      todo: "Do not send it again yet: look at the history first. If it does not appear there within a few minutes while the wallet is connected, it was not sent.",
    },
    CUT_OFF: {
      title: "The wallet was closed while it sent",
      todo: "Look at the history to see whether the transaction is there.",
    },
    CLOSED: {
      title: "The wallet was closed while it sent",
      todo: "Look at the history to see whether the transaction is there.",
    },
    NOT_READY: {
      title: "The wallet is catching up with its node",
      todo: "Wait until the notice at the top is gone, and try again.",
    },
    STOPPED: {
      title: "The wallet is not open",
      todo: "Open it again.",
    },
    WRONG_PASSWORD: {
      title: "That is not the password",
      todo: "Try again. If you forgot it, restore the wallet from its seed phrase.",
    },
    VAULT_UNREADABLE: {
      title: "The stored seed phrase can't be read",
      todo: "Restore the wallet from its seed phrase.",
    },
  } satisfies Record<string, Advised>,
};
