// The clients that are made of the OpenAPI document, against the server that it describes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { makeClients } from "../../clients/make.mjs";
import { startServer } from "../node/server.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
let server;
let target;

before(async () => {
  server = await startServer();
  const document = await (await fetch(`${server.url}/docs`)).json();
  ({ target } = makeClients(document));
});

after(() => server?.stop());

test("the client for TypeScript is typed, and works", async () => {
  const project = join(target, "project");
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(join(target, "typescript"), join(modules, "headless-wallet-client"), { recursive: true });
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
    symlinkSync(join(root, "clients/node_modules", name), join(modules, name));
  }
  const source = await readFile(new URL("use.ts", import.meta.url), "utf8");
  writeFileSync(join(project, "use.ts"), source);
  writeFileSync(join(project, "package.json"), '{"type":"module"}\n');
  const compiler = join(root, "clients/node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--types", "node"];
  const { stdout: wrong } = await run(process.execPath, [compiler, ...flags, "use.ts"], { cwd: project }).catch((error) => error);
  assert.equal(wrong, "");
  const { code } = await transform(source, { loader: "ts", format: "esm", target: "node20" });
  writeFileSync(join(project, "use.mjs"), code);
  const { stdout } = await run(process.execPath, ["use.mjs"], { cwd: project, env: { ...process.env, WALLET_SERVER: server.url } });
  assert.equal(stdout, "used\n");
});

test("the client for Python works", async () => {
  const python = join(root, ".venv/bin/python");
  const program = fileURLToPath(new URL("use.py", import.meta.url));
  const env = { ...process.env, WALLET_SERVER: server.url, PYTHONPATH: join(target, "python") };
  const { stdout } = await run(python, [program], { env });
  assert.equal(stdout, "used\n");
});
