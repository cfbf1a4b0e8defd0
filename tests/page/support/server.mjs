// The server of the built page, a process of its own.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../../../www/serve.mjs", import.meta.url));

/** Serves it at any free port, and tells it where the local network is. */
export async function servePage({ nodeUrl, miningUrl }) {
  const child = spawn(process.execPath, [SERVER], {
    env: { ...process.env, PAGE_PORT: "0", PAGE_NODE_URL: nodeUrl, PAGE_MINING_URL: miningUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => assert.fail("the server of the page ended")),
  ]);
  return {
    port: Number(new URL(line.match(/http:\S+/)[0]).port),
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
