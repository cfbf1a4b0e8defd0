import { counter } from "../counter";

const count = counter("en");

export const shell = {
  headlessWallet: "Headless Wallet",
  settingsNetwork: (value: string) => `Settings. Network: ${value}`,
  getTestCoins: "Get test coins",
  theWalletHasLostIts: "The connection to the full node is lost",
  whatYouSeeHereMay: "What you see here may be out of date, and nothing can be sent until it is back.",
  tryNow: "Try now",
  trying: "Trying…",
  dismiss: "Dismiss",
  asTheSystem: "same as the system",
  coloursChangeTo: (now: string, next: string) => `Colours: ${now}. Change to ${next}`,
  skipToThePage: "Skip to the content",
  lockTheWallet: "Lock the wallet",
  pages: "Pages",
  thisWalletIsWatchedOnly: "This wallet is watch-only",
  itWasOpenedByIts: "It was opened with its xpub, which can't sign. To spend or to create tokens, restore it from its 24 words.",
  lockedWhileTheComputerSlept: "Locked while the computer slept.",
  theLocalNetworkDoesNot: "The local network does not answer. Check that it is running, and try again.",
  itAnsweredWithStatus: (status: number) => `it answered with status ${status}`,
  overview: "Overview",
  theWalletIsCatchingUp: "The wallet is catching up with its node.",
  thisBrowserDoesNotLet: "This browser does not let the page store anything. Open it outside private browsing, or go on without storing.",
  wallet: (number: number) => `Wallet ${number}`,
  nextTryIn: (seconds: number) => `Next try in ${count(seconds, { one: "second", other: "seconds" })}.`,
  lockedAfter: (minutes: number) => `Locked after ${count(minutes, { one: "minute", other: "minutes" })} without use.`,
  gaveNoCoins: (why: string) => `The local network gave no coins: ${why}.`,
  light: "light",
  dark: "dark",
};
