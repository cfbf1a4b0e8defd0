// Starts the wallet server on a local network of its own, from the binary under test.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const binary =
  process.env.WALLET_BINARY ?? fileURLToPath(new URL('../../target/debug/headless-wallet', import.meta.url));

const ANY_PORTS = ['--http-port', '0', '--devnet-node-port', '0', '--devnet-mining-port', '0'];

/**
 * Runs `headless-wallet serve --devnet` on free ports and waits until it says where it is.
 * Returns the wallet server's address (`http://127.0.0.1:…`), those of the local network, and `stop`, which resolves with the exit code.
 */
export async function startServer(...flags) {
  const server = spawn(binary, ['serve', '--devnet', ...ANY_PORTS, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HEADLESS_CONSOLE_LEVEL: 'warn' },
  });
  const ended = once(server, 'exit');
  let url;
  const network = {};
  for await (const line of createInterface({ input: server.stdout })) {
    url ??= line.match(/ at (http:\/\/127\.0\.0\.1:\d+)\//)?.[1];
    const [, name, place] = line.match(/^ {2}(nodeUrl|miningUrl): "(.*)",$/) ?? [];
    if (name) network[name] = place;
    if (network.miningUrl) break;
  }
  if (!url) throw new Error(`the server ended before it listened: exit code ${(await ended)[0]}`);
  server.stdout.resume();
  return {
    url,
    ...network,
    async stop() {
      server.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}
