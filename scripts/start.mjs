// `npm start`: the wallet server and its local network as soon as they are built, and then the wallet page. What is said after `npm start --`
// goes to the server, for example: npm start -- --http-port 9000
//
// A server that is built already can be named in WALLET_BINARY, and the page's port in PAGE_PORT.
import { setPriority } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { servePage } from "../www/page-server.mjs";
import { Progress, duration } from "./progress.mjs";
import { Jobs } from "./jobs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { CARGO_TARGET_DIR = join(root, "target"), PAGE_PORT = 3000 } = process.env;
const state = { building: { text: "Getting what the server is built from …" } };
const jobs = new Jobs(root);

/** Builds the server, and gives its path. */
async function buildServer() {
  if (process.env.WALLET_BINARY) return process.env.WALLET_BINARY;
  const began = Date.now();
  const progress = new Progress("Building the server", (building) => (state.building = building));
  await jobs.run("scripts/setup", ["build"], progress);
  await jobs.run("cargo", ["build", "--locked", "--profile", "start", "--features", "native", "--bin", "headless-wallet"], progress);
  progress.end(`The server is built (${duration(Date.now() - began)}).`);
  return join(CARGO_TARGET_DIR, "start", "headless-wallet");
}

/** Runs the server, shows what it says, and learns from it where it and its local network are. It is there when this is done. */
function serve(binary) {
  const server = jobs.start(binary, ["serve", "--devnet", ...process.argv.slice(2)], ["inherit", "pipe", "inherit"]);
  server.on("exit", (code) => jobs.end(code ?? 1));
  return new Promise((there) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      console.log(line);
      const url = /^headless-wallet serves \S+ at (\S+)/.exec(line)?.[1];
      if (url) state.server = url;
      const network = /^Local network: full node (\S+) · mining service (\S+)/.exec(line);
      if (network) state.place = { network: "privatenet", nodeUrl: network[1], miningUrl: network[2] };
      if (line === "Ctrl-C ends it.") there();
    });
  });
}

/** Builds the page, behind whatever else this machine does. Nothing of it before the server is there, who would wait longer. */
async function buildPage() {
  const began = Date.now();
  const show = (building) => (state.building = { ...building, server: state.server });
  const step = (text) => new Progress(text, show, () => {});
  await jobs.run("scripts/setup", ["npm", "wasm", "wasm-pack"], step("Getting what the page is built with"), setPriority);
  await jobs.run("npm", ["run", "--silent", "build"], step("Building the wallet for browsers"), setPriority);
  await jobs.run("npm", ["run", "--silent", "build:page"], step("Putting the page together"), setPriority);
  return duration(Date.now() - began);
}

let page;
try {
  page = await servePage(state, Number(PAGE_PORT));
} catch (error) {
  console.error(error.message);
}
try {
  if (page) console.log(`The wallet page comes after the server: ${page} shows how far it is.`);
  await serve(await buildServer());
  if (page) {
    console.log(`Wallet page: being built; ${page} turns into it. The first time takes some minutes.`);
    await buildPage().then(
      (took) => {
        state.building = undefined;
        console.log(`Wallet page: ${page} (built in ${took})`);
      },
      (error) => {
        state.building = { text: `The page can't be built: ${error.message}`, server: state.server, failed: true };
        console.error(`${error.message}\nThe wallet page can't be built: what is said above tells why. The server goes on without it. Once that is mended, end it with Ctrl-C and start it again.`);
      },
    );
  }
} catch (error) {
  console.error(error.message);
  jobs.end(1);
}
