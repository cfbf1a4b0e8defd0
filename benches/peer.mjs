// Loads a wallet as the reference wallet library does, and prints a line of JSON for each way and round: what `benches/sync.rs`
// is measured beside. `BENCH_NODE`, `BENCH_NETWORK` and `BENCH_WORDS` say where and whose.
import { once } from "node:events";
import hathorLib from "@hathor/wallet-lib";

const { Connection, HathorWallet, HistorySyncMode } = hathorLib;
const { BENCH_NODE: url, BENCH_NETWORK: network = "privatenet", BENCH_WORDS: seed } = process.env;
const ROUNDS = 3;
const WAYS = {
  "streaming by key": HistorySyncMode.XPUB_STREAM_WS,
  "streaming by list": HistorySyncMode.MANUAL_STREAM_WS,
  "by pages": HistorySyncMode.POLLING_HTTP_API,
};
const quiet = Object.fromEntries(["debug", "info", "warn", "error", "log"].map((level) => [level, () => {}]));
// The library says some things to the console all the same, where only the figures belong.
Object.assign(console, { ...quiet, log: console.log });

async function load(mode) {
  const connection = new Connection({ network, servers: [url], logger: quiet });
  const wallet = new HathorWallet({ seed, connection, password: "secret", pinCode: "123456", logger: quiet });
  wallet.setHistorySyncMode(mode);
  const began = { wall: performance.now(), processor: process.cpuUsage() };
  await wallet.start();
  while (!wallet.isReady()) await once(wallet, "state");
  const { user, system } = process.cpuUsage(began.processor);
  const figures = { wall: performance.now() - began.wall, processor: (user + system) / 1_000 };
  const transactions = Object.keys(await wallet.getFullHistory()).length;
  await wallet.stop();
  return { ...figures, transactions, memory: process.memoryUsage.rss() };
}

for (const [how, mode] of Object.entries(WAYS)) {
  for (let round = 0; round < ROUNDS; round += 1) {
    process.stdout.write(`${JSON.stringify({ how, ...(await load(mode)) })}\n`);
  }
}
// Its queues never end.
process.exit(0);
