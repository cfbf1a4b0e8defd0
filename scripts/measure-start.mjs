// How long a stranger waits: from a clone of what is committed, with nothing but Rust and Node, to the first answer of the server and to the
// wallet page. Says both, and ends what it started.
//
//   node scripts/measure-start.mjs                 what must be downloaded is downloaded anew, too
//   node scripts/measure-start.mjs --keep-downloads   of cargo and npm, what this machine has is taken
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "measure-start-"));
const clone = join(place, "headless-wallet");
const env = { ...process.env, PAGE_PORT: "0" };
delete env.CARGO_TARGET_DIR;
delete env.WALLET_BINARY;
if (!process.argv.includes("--keep-downloads")) {
  env.CARGO_HOME = join(place, "cargo");
  env.npm_config_cache = join(place, "npm");
  // Where this machine gets crates from, and its cargo, are no part of what is measured.
  mkdirSync(env.CARGO_HOME);
  for (const name of ["config.toml", "config"]) {
    const config = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), name);
    if (existsSync(config)) cpSync(config, join(env.CARGO_HOME, name));
  }
}

const began = Date.now();
const since = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
execFileSync("git", ["clone", "--quiet", root, clone]);
const started = spawn("npm", ["start", "--silent", "--", "--http-port", "0", "--devnet-node-port", "0", "--devnet-mining-port", "0"], {
  cwd: clone, env, detached: true, stdio: ["ignore", "pipe", "pipe"],
});
/** Ends it, with all that it runs. */
const stop = () => process.kill(-started.pid, "SIGTERM");
createInterface({ input: started.stderr }).on("line", (line) => {
  console.error(line);
  if (/^The wallet page can't be /.test(line)) stop();
});

/** Starts the funded wallet and asks for its balance. */
async function firstAnswer(url) {
  const ask = async (path, options) => (await fetch(new URL(path, url), options)).json();
  const headers = { "X-Wallet-Id": "genesis", "Content-Type": "application/json" };
  await ask("start", { method: "POST", headers, body: '{"wallet-id":"genesis","seedKey":"genesis"}' });
  for (;;) {
    const balance = await ask("wallet/balance", { headers });
    if (balance.available !== undefined) return balance.available;
    await wait(50);
  }
}

try {
  let page;
  for await (const line of createInterface({ input: started.stdout })) {
    console.log(`${since().padStart(8)}  ${line}`);
    const url = /^headless-wallet serves \S+ at (\S+)/.exec(line)?.[1];
    if (url) console.log(`== first answer after ${await firstAnswer(url).then(since)} (${cpus().length} cores)`);
    page = /^Wallet page: (\S+) \(built/.exec(line)?.[1];
    if (page) break;
  }
  if (page && (await fetch(page)).ok) console.log(`== wallet page after ${since()}`);
  else process.exitCode = 1;
} finally {
  if (started.exitCode === null && started.signalCode === null) {
    const ended = once(started, "exit");
    stop();
    await ended;
  }
  rmSync(place, { recursive: true, force: true });
}
