import { counter } from "../counter";

const count = counter("en");

export const shell = {
  headlessWallet: "Headless Wallet",
  settingsNetwork: (value: string) => `Settings. Network: ${value}`,
  getTestCoins: "Get test coins",
  theWalletHasLostIts: "The wallet has lost its full node",
  whatYouSeeHereMay: "What you see here may be out of date, and nothing can be sent meanwhile.",
  tryNow: "Try now",
  trying: "Trying…",
  dismiss: "Dismiss",
  asTheSystem: "as the system",
  coloursChangeTo: (now: string, next: string) => `Colours: ${now}. Change to ${next}`,
  skipToThePage: "Skip to the page",
  lockTheWallet: "Lock the wallet",
  pages: "Pages",
  thisWalletIsWatchedOnly: "This wallet is watched only",
  itWasOpenedByIts: "It was opened by its xpub, which can't sign. Restore it from its 24 words to spend, or to make tokens.",
  lockedWhileTheComputerSlept: "Locked while the computer slept.",
  theLocalNetworkDoesNot: "The local network does not answer. Check that it runs, and ask again.",
  itAnsweredWithStatus: (status: number) => `it answered with status ${status}`,
  overview: "Overview",
  theWalletIsCatchingUp: "The wallet is catching up with its node.",
  thisBrowserDoesNotLet: "This browser does not let the page keep anything. Open it outside of private browsing, or go on without.",
  wallet: (number: number) => `Wallet ${number}`,
  nextTryIn: (seconds: number) => `Next try in ${count(seconds, { one: "second", other: "seconds" })}.`,
  lockedAfter: (minutes: number) => `Locked after ${count(minutes, { one: "minute", other: "minutes" })} without use.`,
  gaveNoCoins: (why: string) => `The local network gave no coins: ${why}.`,
  light: "light",
  dark: "dark",
};
