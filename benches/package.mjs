// Measures the npm package in Node, on one thread, beside the reference wallet library in the same run. Needs `npm run build`.
// Best of several rounds, so that what else the machine does counts little.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import hathorLib from "@hathor/wallet-lib";

const PKG = fileURLToPath(new URL("../pkg/", import.meta.url));
const WORDS = `${"abandon ".repeat(23)}art`;
const { Account } = await import(`${PKG}node.mjs`);
const { addressUtils, transactionUtils, walletUtils } = hathorLib;

/** Times a second that `work` does one of its `count` pieces, in the best of `rounds`. */
function perSecond(rounds, count, work) {
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    work(count);
    best = Math.min(best, performance.now() - began);
  }
  return (count * 1000) / best;
}

function report(what, ours, theirs, least, factor) {
  const verdict = ours >= least && ours >= factor * theirs ? "meets" : "MISSES";
  console.log(
    `${what}: ${Math.round(ours)}/s, @hathor/wallet-lib ${Math.round(theirs)}/s: ${(ours / theirs).toFixed(1)} times `
      + `(${verdict} the goal: ${least ? `${least}/s and ` : ""}${factor} times)`,
  );
}

const account = Account.fromSeed(WORDS);
const xpub = account.xpub();
const network = "mainnet";
const first = account.addresses({ network, count: 1 })[0];
const theirFirst = addressUtils.deriveAddressFromXPubP2PKH(xpub, 0, network).base58;
if (first !== theirFirst) throw new Error(`${first} is not ${theirFirst}: nothing to compare`);

report(
  "child key to base58 address",
  perSecond(8, 5_000, (count) => account.addresses({ network, count })),
  perSecond(3, 150, (count) => {
    for (let index = 0; index < count; index += 1) addressUtils.deriveAddressFromXPubP2PKH(xpub, index, network);
  }),
  15_000,
  20,
);

const changeKey = walletUtils.getXPrivKeyFromSeed(WORDS, { networkName: network }).deriveNonCompliantChild("m/44'/280'/0'/0");
const digest = Buffer.alloc(32, 7);
report(
  "signature by the key of an address",
  perSecond(8, 1_000, (count) => {
    for (let index = 0; index < count; index += 1) account.signMessage(index, "message");
  }),
  perSecond(3, 150, (count) => {
    for (let index = 0; index < count; index += 1) {
      transactionUtils.getSignature(digest, changeKey.deriveNonCompliantChild(index).privateKey);
    }
  }),
  0,
  5,
);

const program = `const began = performance.now();
  const { deriveAddresses } = await import(${JSON.stringify(`${PKG}node.mjs`)});
  deriveAddresses({ network: "mainnet", seed: ${JSON.stringify(WORDS)}, count: 1 });
  console.log(performance.now() - began);`;
const starts = Array.from({ length: 21 }, () => Number(execFileSync(process.execPath, ["--input-type=module", "-e", program])));
starts.sort((a, b) => a - b);
const median = starts[10];
console.log(
  `import to first address from words, in a fresh process: ${median.toFixed(1)} ms, the median of 21 from ${starts[0].toFixed(1)} to `
    + `${starts[20].toFixed(1)} (${median < 50 ? "meets" : "MISSES"} the goal: 50 ms)`,
);

/** What a file may take gzipped, in kB. */
const GOALS = { "headless_wallet.wasm": 400, "headless_wallet_keys.wasm": 90 };
for (const [name, goal] of Object.entries(GOALS)) {
  const wasm = readFileSync(PKG + name);
  const gzipped = gzipSync(wasm, { level: 9 }).length;
  const verdict = gzipped <= goal * 1000 ? "meets" : "MISSES";
  console.log(`${name}: ${Math.round(wasm.length / 1000)} kB, gzipped ${Math.round(gzipped / 1000)} kB (${verdict} the goal: ${goal} kB)`);
}
// The library keeps timers going for ever.
process.exit();
