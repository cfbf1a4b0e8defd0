// A real browser, and a server of static files for it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** Serves a folder at any free port of localhost. */
export async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const body = await readFile(join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname)).catch(() => null);
    response.writeHead(body ? 200 : 404, { "content-type": TYPES[extname(pathname)] ?? "text/html" }).end(body ?? "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://localhost:${server.address().port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export async function openBrowser() {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] });
  return {
    /** The two texts that a page shows in the end, with " | " between them, if it had nothing to complain of. */
    async shown(url) {
      const context = await browser.newContext();
      const problems = [];
      const page = await context.newPage();
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => message.type() === "error" && problems.push(`${message.text()} ${message.location().url}`));
      await page.goto(url);
      const text = await page
        .waitForFunction(() => document.body.innerText.includes(" at ") && document.body.innerText, null, { timeout: 30_000 })
        .then((found) => found.jsonValue())
        .catch((error) => assert.fail(`${error.message}: ${problems.join("; ")}`));
      await context.close();
      assert.deepEqual(problems.filter((problem) => !problem.endsWith("/favicon.ico")), []);
      return text.trim().split(" | ");
    },
    close: () => browser.close(),
  };
}
