// The page of the wallet server to read and try its interface (/docs/ui), as a person uses it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { after, before, test } from "node:test";
import { startServer } from "../node/server.mjs";
import { startBrowser } from "./support/browser.mjs";

let server;
let browser;
let page;

before(async () => {
  [server, browser] = await Promise.all([startServer("--api-key", "sesame"), startBrowser(0)]);
  page = browser.page;
});

after(async () => {
  await browser?.stop();
  await server?.stop();
});

/** Opens an operation's form and gives the tools to use it. */
async function operation(id) {
  const form = page.locator(`details#${id}`);
  await form.locator(":scope > summary").click();
  return {
    fill: (name, value) => form.locator(`input[name="${name}"]`).fill(value),
    body: (value) => form.locator("textarea").fill(JSON.stringify(value)),
    /** What is answered: the status, and the JSON. */
    async send() {
      await form.getByRole("button", { name: "Send" }).click();
      const answer = form.locator("pre");
      await page.waitForFunction((shown) => shown.textContent.length > 1, await answer.elementHandle());
      const [head, ...json] = (await answer.textContent()).split("\n\n");
      return [Number(head.split(" ")[0]), JSON.parse(json.join("\n\n"))];
    },
  };
}

test("every operation can be read about and tried, once the key is entered", async () => {
  await page.goto(`${server.url}/docs/ui`);
  await page.getByText("Missing X-API-KEY header. Enter it below.").waitFor();
  await page.locator("#key").fill("sesame");
  await page.locator("#key").blur();
  await page.getByRole("heading", { name: "Sending" }).waitFor();

  const api = await (await fetch(`${server.url}/docs`, { headers: { "x-api-key": "sesame" } })).json();
  const count = Object.values(api.paths).flatMap((methods) => Object.keys(methods)).length;
  assert.equal(await page.locator("details.operation").count(), count);
  assert.equal(await page.locator("nav a").count(), count);

  assert.ok(!(await page.locator("main").allTextContents()).join().includes("`"), "code is shown as code");
  assert.equal(await page.locator("#stop > summary code").count(), 1);
  assert.ok((await page.locator("#events > summary code").allTextContents()).includes("Last-Event-ID"));

  const start = await operation("start");
  await start.body({ "wallet-id": "mine", seedKey: "genesis" });
  assert.deepEqual(await start.send(), [200, { success: true }]);

  // The wallet that was started is the one that is asked for.
  assert.equal(await page.locator("#wallet").inputValue(), "mine");
  const balance = await operation("balance");
  await balance.fill("token", "00");
  await page.waitForFunction(
    async () => (await (await fetch("/wallet/status", { headers: { "x-wallet-id": "mine", "x-api-key": "sesame" } })).json()).statusCode === 3,
  );
  assert.deepEqual(await balance.send(), [200, { available: 100_000_000_000, locked: 0 }]);

  // What moves money is a dry run until somebody says otherwise.
  const create = await operation("create-token");
  const form = page.locator("details#create-token");
  assert.equal(await form.locator("summary .money").textContent(), "moves money");
  assert.equal(await page.locator("details#balance .money").count(), 0);
  await create.body({ name: "Coffee", symbol: "CFE", amount: 1000 });
  const [status, { success, dry_run, cost }] = await create.send();
  assert.deepEqual({ status, success, dry_run, cost }, {
    status: 200, success: true, dry_run: true, cost: { deposit: 10, fee: 0, data: 0, total: 10 },
  });
  await form.getByLabel("Dry run").uncheck();
  assert.ok(await form.getByRole("button", { name: "Send" }).evaluate((button) => button.classList.contains("real")));
  // What must be there stands first, and no field's name is torn on a phone.
  const fields = () => form.locator("table").first().locator("td:first-child code");
  assert.deepEqual((await fields().allTextContents()).slice(0, 3).sort(), ["amount", "name", "symbol"]);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await fields().evaluateAll((names) => names.filter((name) => name.getClientRects().length > 1).map((name) => name.textContent)), []);
  await page.setViewportSize({ width: 1280, height: 820 });
  await browser.shot("docs", { narrow: true });
  assert.deepEqual(browser.said.filter((line) => !line.includes("401")), []);
});

test("a request is copied as others write it", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const form = page.locator("details#balance");
  const copied = async (name) => {
    await form.getByRole("button", { name: `Copy as ${name}` }).click();
    await form.getByText("Copied, with your key in it.").waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const url = `${server.url}/wallet/balance?token=00`;
  const curl = await copied("curl");
  assert.equal(curl, `curl -X GET '${url}' \\\n  -H 'X-Wallet-Id: mine' \\\n  -H 'X-API-KEY: sesame'`);
  const { stdout } = await promisify(execFile)("bash", ["-c", curl.replace("curl", "curl -s")]);
  const answer = { available: 100_000_000_000, locked: 0 };
  assert.deepEqual(JSON.parse(stdout), answer);
  const python = await promisify(execFile)("python3", ["-c", await copied("Python")]);
  assert.equal(python.stdout, "{'available': 100000000000, 'locked': 0}\n");
  const script = await copied("JavaScript");
  const node = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  assert.equal(node.stdout, "{ available: 100000000000, locked: 0 }\n");
});

test("operations are found, and what was entered is there again", async () => {
  const shown = () => page.locator("nav a:visible").allTextContents();
  await page.locator("#search").fill("mint tokens");
  assert.deepEqual((await shown()).sort(), ["postmint-tokens", "postpropose-mint-tokens"]);
  assert.equal(await page.locator("#found").textContent(), "2 found");
  await page.goto(`${server.url}/docs/ui#address`);
  await page.reload();
  await page.locator("details#address[open]").waitFor();
  assert.equal(await page.locator("#wallet").inputValue(), "mine");
  assert.equal(await page.locator("#key").inputValue(), "sesame");
  const first = (await shown()).slice(0, 3).map((text) => text.replace(/^(get|post)/, ""));
  assert.deepEqual(first, ["start", "status", "stop"]);
  const examples = page.locator("details#address .answers");
  await examples.locator("summary").first().click();
  await examples.locator("details").first().locator("summary").click();
  assert.match(await examples.locator(".sample").first().textContent(), /"address": /);
});
