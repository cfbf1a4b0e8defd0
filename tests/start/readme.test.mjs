// `npm start` as it is, and the npm examples of both READMEs against it. WALLET_BINARY spares it building the server.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { ROOT, freshProject } from "../node/support/package.mjs";
import { OF_PACKAGE, OF_PROJECT, examples } from "../node/support/readme.mjs";

/** As the READMEs have them. */
const USUAL = { nodeUrl: "http://localhost:8083/v1a/", miningUrl: "http://localhost:8035/" };

let started;
/** What stands in the page's place while it is built, and how far it was then. */
let waiting;
/** The page's address, when it is built. */
let ready;
/** Where the local network is, as it was printed. */
let printed;
/** All its lines. */
const said = [];

before(async () => {
  // A process group of its own, as a terminal would give it. The server and the page have any ports: the examples don't name those.
  started = spawn("npm", ["start", "--silent", "--", "--http-port", "0"], {
    cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, PAGE_PORT: "0" },
  });
  createInterface(started.stderr).on("line", (line) => {
    said.push(line);
    // Then it goes on without: nothing would come of waiting.
    if (/^The wallet page can't be /.test(line)) process.kill(-started.pid, "SIGTERM");
  });
  for await (const line of createInterface(started.stdout)) {
    said.push(line);
    const waits = /^The wallet page comes after the server: (\S+) shows/.exec(line)?.[1];
    if (waits) waiting = await look(waits);
    ready ??= /^Wallet page: (\S+) \(built in /.exec(line)?.[1];
    if (ready) break;
  }
  started.stdout.resume();
  const text = said.join("\n");
  const option = (name) => text.match(new RegExp(`^  ${name}: "(http://127\\.0\\.0\\.1:\\d+/\\S*)",$`, "m"))?.[1];
  printed = { nodeUrl: option("nodeUrl"), miningUrl: option("miningUrl") };
  assert.ok(printed.nodeUrl && printed.miningUrl, text);
  // Somebody else may have the usual ports: then it says so, and what it prints is what a reader would paste.
  const usual = Object.keys(USUAL).every((name) => printed[name] === USUAL[name].replace("localhost", "127.0.0.1"));
  assert.equal(text.includes("Port 8083 or 8035 is in use"), !usual, text);
  if (usual) printed = USUAL;
});

const look = async (url) => ({
  url,
  html: await (await fetch(url)).text(),
  building: await (await fetch(new URL("building.json", url))).json(),
});

after(async () => {
  const ended = once(started, "exit");
  process.kill(-started.pid, "SIGTERM");
  await ended;
});

test("the examples of both READMEs run", { timeout: 120_000 }, async () => {
  const project = freshProject("started", {
    "package.mjs": examples(OF_PACKAGE, "In Node", printed)[0],
    "project.mjs": examples(OF_PROJECT, "The npm package", printed)[0],
  });
  for (const file of ["package.mjs", "project.mjs"]) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: project, timeout: 30_000 });
    assert.match(stdout, /^HTR, in cents: [1-9][0-9]*n\n/, file);
    assert.equal(stderr, "", file);
  }
});

test("nothing that `npm start` says looks like an error", () => {
  assert.deepEqual(said.filter((line) => /\berror\b/i.test(line)), []);
});

test("until the page is built, its place shows how far that is", async () => {
  assert.equal(ready, waiting.url);
  assert.match(waiting.html, /<h1 id="title">The wallet is being built<\/h1>/);
  assert.match(waiting.building.text, / …$/);
  assert.equal(await (await fetch(new URL("building.json", ready))).json(), null);
  assert.match(await (await fetch(ready)).text(), /<div id="app">/);
});
