// `npm run clients`: makes clients for TypeScript and Python in target/clients, of the OpenAPI document of a server.
//
//   npm run clients                            of the server that `npm start` has built
//   npm run clients -- http://127.0.0.1:8000   of one that runs
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..");

/**
 * The document as clients want it: one way to say yes or no, a wallet that is named once for all requests, and of the kinds of an answer
 * first the one that has more than the others, as Python's client takes the first that fits.
 */
export function forClients(document) {
  const rank = ({ $ref }) => ($ref === "#/components/schemas/DryRun" ? 0 : 1);
  const made = JSON.parse(JSON.stringify(document), (key, value) => (key === "anyOf" ? value.sort((one, other) => rank(one) - rank(other)) : value));
  made.components.schemas.Flag = { type: "boolean", description: made.components.schemas.Flag.description };
  made.components.parameters["X-Wallet-Id"].required = false;
  return made;
}

/** Makes both, and gives the folder. */
export function makeClients(document, target = join(root, "target", "clients")) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const file = join(target, "openapi.json");
  writeFileSync(file, JSON.stringify(forClients(document)));
  const run = (program, ...args) => execFileSync(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  cpSync(join(here, "typescript"), join(target, "typescript"), { recursive: true });
  const types = join(here, "node_modules", "openapi-typescript", "bin", "cli.js");
  run(process.execPath, types, file, "--output", join(target, "typescript", "schema.d.ts"));
  const said = run(join(root, ".venv", "bin", "python"), "-m", "openapi_python_client", "generate", "--path", file,
    "--config", join(here, "python.yml"), "--output-path", join(target, "python"), "--fail-on-warning");
  // Python's generator writes one that knows nothing of this server.
  for (const client of ["typescript", "python"]) cpSync(join(here, "README.md"), join(target, client, "README.md"));
  return { target, said };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.WALLET_BINARY ??= join(root, "target", "start", "headless-wallet");
  const { startServer } = await import("../tests/node/server.mjs");
  const server = process.argv[2] ? { url: process.argv[2], stop: () => {} } : await startServer();
  try {
    const { target } = makeClients(await (await fetch(new URL("/docs", server.url))).json());
    console.log(`Clients: ${join(target, "typescript")} and ${join(target, "python")}`);
  } finally {
    await server.stop();
  }
}
