// The programs of examples/, as they stand there, on a local network of their own.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { build } from "vite";
import { serve } from "../homes/support/browser.mjs";
import { ROOT, freshProject } from "../node/support/package.mjs";
import { binary, startServer } from "../node/server.mjs";

const EXAMPLES = join(ROOT, "examples");
const WORDS =
  "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level";
/** Somebody else's. */
const OTHER = "WTjhJXzQJETVx7BVXdyZmvk396DRRsubdw";

let server;
let environment;
let project;

before(async () => {
  server = await startServer();
  environment = { ...process.env, NODE_URL: server.nodeUrl, MINING_URL: server.miningUrl, WALLET_SERVER: server.url };
  project = freshProject("examples", { "words.txt": WORDS });
  cpSync(EXAMPLES, project, { recursive: true, filter: (path) => !path.endsWith("package.json") });
});

after(() => server?.stop());

const run = (command, args) => promisify(execFile)(command, args, { cwd: project, env: environment, timeout: 120_000 });

async function ask(wallet, path, body) {
  const headers = { "content-type": "application/json", "x-wallet-id": wallet };
  const response = await fetch(server.url + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  return response.json();
}

/** Starts the wallet that owns everything under another name. */
async function started(id) {
  assert.deepEqual(await ask("", "/start", { "wallet-id": id, seed: WORDS }), { success: true });
  while ((await ask(id, "/wallet/status")).statusCode !== 3) await new Promise(setImmediate);
}

test("README.md names every example, and package.json the package of this version", () => {
  const readme = readFileSync(join(EXAMPLES, "README.md"), "utf8");
  for (const name of readdirSync(EXAMPLES).filter((name) => name !== "README.md")) assert.ok(readme.includes(`(${name}`), name);
  const { version } = JSON.parse(readFileSync(join(ROOT, "pkg/package.json"), "utf8"));
  for (const name of ["node", "page", "worker"]) {
    const { dependencies } = JSON.parse(readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
    assert.deepEqual(dependencies, { "headless-wallet": `file:../headless-wallet-${version}.tgz` });
  }
});

test("pay.rs pays", async () => {
  const { stdout } = await run(join(dirname(binary), "examples/pay"), ["words.txt", OTHER, "150"]);
  assert.match(
    stdout,
    new RegExp(`^The wallet has \\d+ cents\\.\n150 cents to ${OTHER} cost 0 cents besides\\.\nSent: [0-9a-f]{64}\n$`),
  );
});

test("node/shop.mjs tells what is paid to each order, and that a block confirms it", async () => {
  const shop = `import { Account, generateMnemonic } from "headless-wallet"; console.log(Account.fromSeed(generateMnemonic()).xpub())`;
  const { stdout: xpub } = await run(process.execPath, ["--input-type=module", "--eval", shop]);
  const child = spawn(process.execPath, ["node/shop.mjs", xpub.trim(), "2"], { cwd: project, env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await started("customer");
  const said = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    const [, order, address] = line.match(/^Order (\d): pay to (W\w{33})$/) ?? [];
    if (!order) continue;
    const paid = await ask("customer", "/wallet/simple-send-tx", { address, value: 100 * Number(order) });
    assert.equal(paid.success, true, JSON.stringify(paid));
  }
  assert.deepEqual(await ended, [0, null]);
  for (const [order, amount] of [[1, "1.00"], [2, "2.00"]]) {
    assert.equal(said.filter((line) => line.startsWith(`Order ${order}: ${amount} HTR came with `)).length, 1, said.join("\n"));
    assert.ok(said.includes(`Order ${order}: paid`), said.join("\n"));
  }
});

test("python/payout.py pays each line once, however often it is run", async () => {
  await started("payouts");
  writeFileSync(join(project, "payouts.csv"), `a,${OTHER},5\nb,${OTHER},7\n`);
  const runs = [];
  for (let n = 0; n < 2; n += 1) runs.push((await run("python3", ["python/payout.py", "payouts.csv"])).stdout);
  assert.match(runs[0], /^a: [0-9a-f]{64}\nb: [0-9a-f]{64}\n$/);
  assert.equal(runs[1], runs[0]);
  writeFileSync(join(project, "payouts.csv"), "c,nonsense,5\n");
  const refused = await run("python3", ["python/payout.py", "payouts.csv"]).catch((error) => error);
  assert.equal(refused.code, 1);
  assert.equal(refused.stderr, "c: Invalid address: nonsense. Address has 6 bytes and should have 25.\n");
  for (const [lines, wrong] of [
    [`d,${OTHER},5\ne,${OTHER}\n`, "must be reference,address,cents"],
    [`d,${OTHER},5\ne,${OTHER},1.50\n`, "'1.50' is no whole number of cents above 0"],
    [`d,${OTHER},5\nd,${OTHER},7\n`, "the reference 'd' comes twice"],
  ]) {
    writeFileSync(join(project, "payouts.csv"), lines);
    const checked = await run("python3", ["python/payout.py", "payouts.csv"]).catch((error) => error);
    assert.deepEqual([checked.code, checked.stdout, checked.stderr], [1, "", `payouts.csv, line 2: ${wrong}. Nothing was paid.\n`]);
  }
  const missing = await run("python3", ["python/payout.py", "none.csv"]).catch((error) => error);
  const why = "none.csv can not be read: [Errno 2] No such file or directory: 'none.csv'. Nothing was paid.\n";
  assert.deepEqual([missing.code, missing.stdout, missing.stderr], [1, "", why]);
});

for (const name of ["page", "worker"]) {
  test(`${name}/ shows a balance as it changes`, async () => {
    await build({ root: join(project, name), configFile: false, logLevel: "error", worker: { format: "es" } });
    await inBrowser(join(project, name, "dist"), async (page, url) => {
      await page.goto(`${url}?${new URLSearchParams({ node: server.nodeUrl, mining: server.miningUrl })}`);
      const shown = (selector) => page.textContent(selector);
      await page.waitForFunction(() => document.querySelector("#balance").textContent.endsWith(" HTR"));
      assert.match(await shown("#address"), /^W\w{33}$/);
      const before = await shown("#balance");
      await started(name);
      const paid = await ask(name, "/wallet/simple-send-tx", { address: OTHER, value: 1_000 });
      assert.equal(paid.success, true, JSON.stringify(paid));
      await page.waitForFunction((before) => document.querySelector("#balance").textContent !== before, before);
    });
  });
}

test("docs/guides/page.md: a wallet is made, paid and opened again by its password", async () => {
  const folder = join(project, "guide");
  mkdirSync(folder);
  const guide = readFileSync(join(ROOT, "docs/guides/page.md"), "utf8");
  for (const [file, language] of [["index.html", "html"], ["main.js", "js"]]) {
    const [, text] = guide.match(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m"));
    const here = text.replace("http://localhost:8083/v1a/", server.nodeUrl).replace("http://localhost:8035/", server.miningUrl);
    writeFileSync(join(folder, file), here);
  }
  await build({ root: folder, configFile: false, logLevel: "error" });
  await inBrowser(join(folder, "dist"), async (page, url) => {
    const open = async (password) => {
      await page.goto(url);
      await page.fill("#password", password);
      await page.click("button");
    };
    await open("a password");
    await page.waitForFunction(() => document.querySelector("#address").textContent.startsWith("W"));
    assert.equal(await page.textContent("#balance"), "0.00 HTR");
    await started("benefactor");
    const address = await page.textContent("#address");
    const paid = await ask("benefactor", "/wallet/simple-send-tx", { address, value: 1_250 });
    assert.equal(paid.success, true, JSON.stringify(paid));
    await page.waitForFunction(() => document.querySelector("#balance").textContent === "12.50 HTR");
    await open("another one");
    await page.waitForFunction(() => document.querySelector("#error").textContent === "That is not the password.");
    await open("a password");
    await page.waitForFunction(() => document.querySelector("#balance").textContent === "12.50 HTR");
  });
});

/** What a folder's page does in a browser. */
async function inBrowser(folder, see) {
  const files = await serve(folder);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
  try {
    await see(await browser.newPage(), files.url);
  } finally {
    await browser.close();
    files.stop();
  }
}
