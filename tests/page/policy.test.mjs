// What the page may do: its policy comes in the header and in the page itself, and the browser holds it to
// that.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on } from "./support/wallet.mjs";

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self' http: https: ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types default",
].join("; ");

let server;
let browser;
let page;

before(async () => {
  // No wallet is opened: there need be no network.
  server = await servePage({ nodeUrl: "http://127.0.0.1:1/v1a/", miningUrl: "http://127.0.0.1:1/" });
  browser = await startBrowser(server.port);
  ({ page } = browser);
  await page.goto(ORIGIN);
  await on(page).heading("Your wallet, in this page only");
});

after(async () => {
  await browser?.stop();
  await server?.stop();
});

test("the policy comes with every file, and stands in the page", async () => {
  const assets = readdirSync(fileURLToPath(new URL("../../www/dist/assets", import.meta.url)));
  // A worker has no policy but that of its own file.
  assert.ok(assets.some((name) => /worker.*\.js$/.test(name)), assets.join());
  for (const path of ["", "index.html", "offline.js", "place.json", "nothing", ...assets.map((name) => `assets/${name}`)]) {
    const { headers } = await fetch(`http://127.0.0.1:${server.port}/${path}`);
    const sent = ["content-security-policy", "cross-origin-opener-policy", "referrer-policy", "x-content-type-options"].map((name) => headers.get(name));
    assert.deepEqual(sent, [`${POLICY}; frame-ancestors 'none'`, "same-origin", "no-referrer", "nosniff"], path);
  }
  assert.equal(await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content"), POLICY);
});

test("no text becomes markup or a script, and nothing of other places is run", async () => {
  const refused = await page.evaluate(async () => {
    // What a test has the browser evaluate may evaluate more; what comes of itself may not.
    await new Promise((later) => setTimeout(later));
    const tries = {
      markup: () => (document.createElement("div").innerHTML = "<b>bold</b>"),
      code: () => eval("1"),
      script: () => (document.createElement("script").text = "1"),
      source: () => (document.createElement("script").src = "https://elsewhere.example/a.js"),
      worker: () => new Worker("https://elsewhere.example/a.js"),
      policy: () => globalThis.trustedTypes.createPolicy("other", {}),
    };
    const outcome = (run) => {
      try {
        run();
        return "done";
      } catch (error) {
        return error.name;
      }
    };
    return Object.fromEntries(Object.entries(tries).map(([name, run]) => [name, outcome(run)]));
  });
  assert.deepEqual(refused, { markup: "TypeError", code: "EvalError", script: "TypeError", source: "TypeError", worker: "TypeError", policy: "TypeError" });
  const blocked = await page.evaluate(
    () =>
      new Promise((done) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => done(effectiveDirective), { once: true });
        document.body.append(Object.assign(document.createElement("iframe"), { src: "https://elsewhere.example/" }));
      }),
  );
  assert.equal(blocked, "frame-src");
});
