// A local network of our own for a test file: `headless-wallet devnet` on any free ports.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const BINARY =
  process.env.WALLET_BINARY ?? fileURLToPath(new URL("../../../target/debug/headless-wallet", import.meta.url));

/** Starts one; `stop` ends it. */
export async function startDevnet(...args) {
  const child = spawn(BINARY, ["devnet", "--node-port", "0", "--mining-port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => assert.fail(`${BINARY} devnet ended`)),
  ]);
  const [nodeUrl, miningUrl, controlUrl] = line.match(/http:\S+/g);
  return {
    nodeUrl,
    miningUrl,
    /** A request to the control interface. */
    async control(path, body = {}) {
      const headers = { "content-type": "application/json" };
      const response = await fetch(new URL(path, controlUrl), { method: "POST", headers, body: JSON.stringify(body) });
      const answer = await response.json();
      assert.equal(response.status, 200, JSON.stringify(answer));
      return answer;
    },
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
