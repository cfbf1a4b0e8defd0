// A local network of a test file's own, and wallets on it: they end with the file.
import { after, before } from "node:test";
import { startDevnet } from "./devnet.mjs";
import { PKG } from "./package.mjs";

const { Wallet, generateMnemonic } = await import(`${PKG}/node.mjs`);

export let devnet;
/** All that were started: whatever starts one by itself adds it. */
export const wallets = [];

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
});

after(async () => {
  await Promise.all(wallets.map((wallet) => wallet.stop()));
  await devnet.stop();
});

/** A wallet of new words, unless the options say otherwise. */
export async function start(options = {}) {
  const { nodeUrl, miningUrl } = devnet;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: generateMnemonic(), ...options });
  wallets.push(wallet);
  return wallet;
}
