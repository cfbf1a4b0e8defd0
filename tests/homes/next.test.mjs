// Next.js 15 and 16 as they are: a client component, which is rendered on the server as well, and a route of the server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { startDevnet } from "../node/support/devnet.mjs";
import { freshProject } from "../node/support/package.mjs";
import { openBrowser } from "./support/browser.mjs";
import { AT_HOME, DERIVE, HOMES, node, run, starter } from "./support/homes.mjs";

const ENV = { NEXT_TELEMETRY_DISABLED: "1" };
const FILES = (devnet) => ({
  // It lies in another project: Next would take that for the root.
  "next.config.mjs": "const root = import.meta.dirname; export default { outputFileTracingRoot: root, turbopack: { root } };",
  "app/layout.js": "export default function Layout({ children }) { return <html><body>{children}</body></html>; }",
  "app/page.js": 'import { Client } from "./client";\nexport default function Page() { return <Client />; }',
  "app/client.js": `"use client";
    import { useEffect, useState } from "react";
    import * as wallets from "headless-wallet";
    ${starter(devnet)}
    export function Client() {
      const [text, setText] = useState("");
      useEffect(() => { wallets.init().then(async () => setText(${DERIVE} + " | " + await start())); }, []);
      return <p>{text}</p>;
    }`,
  "app/rendered/page.js": `"use client";
    import * as wallets from "headless-wallet";
    export default function Page() { return <p>{wallets.validateMnemonic("")  ? "valid" : "refused"}</p>; }`,
  "app/main/route.js": `import * as wallets from "headless-wallet";
    export const dynamic = "force-dynamic";
    ${starter(devnet)}
    export async function GET() { return Response.json([${DERIVE}, await start()]); }`,
  "app/base64/route.js": `import * as wallets from "headless-wallet/base64";
    export const dynamic = "force-dynamic";
    ${starter(devnet)}
    export async function GET() { return Response.json([${DERIVE}, await start()]); }`,
});

for (const version of ["15", "16"]) {
  describe(`Next.js ${version}`, () => {
    let devnet;
    let browser;
    let server;
    let url;

    before(async () => {
      devnet = await startDevnet("--block-interval", "0");
      browser = await openBrowser();
      const project = freshProject(`homes-next${version}`, FILES(devnet));
      // Hard links: there are some 300 MB of it.
      await run("cp", ["--recursive", "--link", "--no-clobber", join(HOMES, `next${version}`, "node_modules"), project], { cwd: project });
      const next = join(project, "node_modules/next/dist/bin/next");
      await node([next, "build"], { cwd: project, env: ENV, silent: false });
      server = spawn(process.execPath, [next, "start", "--port", "0"], { cwd: project, env: { ...process.env, ...ENV }, stdio: ["ignore", "pipe", "inherit"] });
      for await (const line of createInterface(server.stdout)) {
        [url] = line.match(/http:\/\/localhost:\d+/) ?? [url];
        if (url && line.includes("Ready")) break;
      }
    });

    after(async () => {
      await browser?.close();
      if (server) {
        server.kill();
        await once(server, "exit");
      }
      await devnet?.stop();
    });

    test("a client component", async () => assert.deepEqual(await browser.shown(url), AT_HOME));

    test("a client component that the server renders", async () => {
      assert.match(await (await fetch(`${url}/rendered`)).text(), /<p>refused<\/p>/);
    });

    for (const route of ["main", "base64"]) {
      test(`a route of the server, ${route}`, async () => {
        const response = await fetch(`${url}/${route}`);
        assert.deepEqual(await response.json(), AT_HOME);
      });
    }
  });
}
