// The clients that are made of the OpenAPI document, against the server that it describes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { makeClients } from "../../clients/make.mjs";
import { startServer } from "../node/server.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
let server;
let target;

// Each program has a ledger of its own: the history orders transactions of one second by id, and what a program before had sent may be first.
beforeEach(async () => {
  server = await startServer();
  if (target) return;
  const document = await (await fetch(`${server.url}/docs`)).json();
  ({ target } = makeClients(document));
});

afterEach(() => server?.stop());

/** The program that stands in the documentation for that language, of this server. */
async function documented(language) {
  const page = await readFile(join(root, "docs/clients.md"), "utf8");
  const [, program] = page.match(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms"));
  return program.replace("http://127.0.0.1:8000", server.url);
}

/** What such a program has to print: of a send, of a refusal, and of two transactions, of which the send is the latest. */
function assertWalked(printed) {
  const [sent, refused, latest, before, ...more] = printed.trimEnd().split("\n");
  assert.match(sent, /^sent: [0-9a-f]{64}$/);
  assert.equal(refused, "not sent: Invalid address: WPhehTyNHTPz954CskfuSgLEfuKXbXeK3. Invalid checksum. Expected: a1c44882 != Received: 61d83e5a.");
  assert.equal(latest, sent.slice("sent: ".length));
  assert.match(before, /^[0-9a-f]{64}$/);
  assert.deepEqual(more, []);
}

test("the client for TypeScript is typed, and works", async () => {
  const project = join(target, "project");
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(join(target, "typescript"), join(modules, "headless-wallet-client"), { recursive: true });
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
    symlinkSync(join(root, "clients/node_modules", name), join(modules, name));
  }
  writeFileSync(join(project, "package.json"), '{"type":"module"}\n');
  const compiler = join(root, "clients/node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--types", "node"];
  const sources = { use: await readFile(new URL("use.ts", import.meta.url), "utf8"), documented: await documented("ts") };
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(project, `${name}.ts`), source);
  const files = Object.keys(sources).map((name) => `${name}.ts`);
  const { stdout: wrong } = await run(process.execPath, [compiler, ...flags, ...files], { cwd: project }).catch((error) => error);
  assert.equal(wrong, "");
  const printed = {};
  for (const [name, source] of Object.entries(sources)) {
    const { code } = await transform(source, { loader: "ts", format: "esm", target: "node20" });
    writeFileSync(join(project, `${name}.mjs`), code);
    const env = { ...process.env, WALLET_SERVER: server.url };
    printed[name] = (await run(process.execPath, [`${name}.mjs`], { cwd: project, env })).stdout;
  }
  assert.equal(printed.use, "used\n");
  assertWalked(printed.documented);
});

test("the client for Python works", async () => {
  const python = join(root, ".venv/bin/python");
  const program = fileURLToPath(new URL("use.py", import.meta.url));
  const env = { ...process.env, WALLET_SERVER: server.url, PYTHONPATH: join(target, "python") };
  const { stdout } = await run(python, [program], { env });
  assert.equal(stdout, "used\n");
  assertWalked((await run(python, ["-c", await documented("python")], { env })).stdout);
});
