// What the homes have in common: where their tools are, and small programs that show that the package is at home.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "../../node/support/package.mjs";
import { OF_PACKAGE, examples } from "../../node/support/readme.mjs";

export const HOMES = fileURLToPath(new URL("..", import.meta.url));

/** A file of a tool, which is installed in tests/homes or, where the project needs it anyway, there. */
export const tool = (path) => [HOMES, ROOT].map((folder) => join(folder, "node_modules", path)).find((file) => existsSync(file));

/** Public words, and the first address that they have on mainnet. */
export const WORDS = `${"abandon ".repeat(23)}art`;
export const ADDRESS = "HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq";
/** An expression that is ADDRESS, where the package has been imported as `wallets`. */
export const DERIVE = `wallets.deriveAddresses({ network: "mainnet", seed: ${JSON.stringify(WORDS)}, count: 1 })[0]`;

/** What the owner of a new local network has, in cents, and its first address. */
const GENESIS = "100000000000n cents at WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";

/** A function that starts a wallet, and gives GENESIS; the package has been imported as `wallets`. */
export function starter({ nodeUrl, miningUrl }) {
  const [example] = examples(OF_PACKAGE, "In Node", { nodeUrl, miningUrl });
  const [options] = example.match(/(?<=Wallet\.start\()\{[^]*?\n\}(?=\);)/);
  return `async function start() {
    const wallet = await wallets.Wallet.start(${options});
    const { available } = await wallet.balance();
    const address = await wallet.address({ index: 0 });
    await wallet.stop();
    return available + "n cents at " + address;
  }`;
}

/** What a program prints that derives the address and starts a wallet. */
export const AT_HOME = [ADDRESS, GENESIS];
/** Such a program, after the statement that imports the package as `wallets`. */
export const program = (devnet) => `${starter(devnet)}
console.log(${DERIVE});
start().then(console.log);`;

/** Runs a command that must succeed and say nothing on stderr; gives the lines that it prints. */
export async function run(command, args, { cwd, env = {}, silent = true }) {
  const options = { cwd, env: { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1", ...env }, timeout: 120_000, maxBuffer: 1 << 26 };
  const { stdout, stderr } = await promisify(execFile)(command, args, options).catch((error) => {
    throw new Error(`${command} ${args.join(" ")} failed: ${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  if (silent) assert.equal(stderr, "");
  return stdout.trim().split("\n");
}

export const node = (args, options) => run(process.execPath, args, options);
