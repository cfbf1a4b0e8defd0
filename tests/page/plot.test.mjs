// The plot of a balance: what it shows of a long history, and the labels of its axes, which are whole and
// each another.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { generateMnemonic, Wallet } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on, openWallet } from "./support/wallet.mjs";

const [HOUR, DAY] = [3_600, 86_400];
let network;
let server;
let browser;
let page;
/** A token of which there is much, and another. */
let much;
let coffee;
/** When there was first some of that. */
let made;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  const seed = generateMnemonic();
  await makeTokens(seed);
  browser = await startBrowser(server.port);
  ({ page } = browser);
  // Its days pass at once, and the wallet stays open.
  await page.addInitScript(() => localStorage.setItem("headless-wallet:lock-after", "0"));
  await page.addInitScript(noteLabels);
  await openWallet(page, seed);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

async function makeTokens(seed) {
  const { nodeUrl, miningUrl, control } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const paid = wallet.once("balance");
  await control("fund", { address: await wallet.address(), amount: 10_000 });
  await paid;
  // A token that is paid for by fees needs no deposit, so there can be much of it.
  ({ hash: much } = await wallet.createToken({ name: "Much", symbol: "MUCH", amount: 2n ** 62n, version: 2 }));
  ({ hash: coffee, timestamp: made } = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 10_000 }));
  await wallet.stop();
}

/** In the page: notes where each text of a canvas's last drawing begins and ends, and of which axis it is. */
function noteLabels() {
  globalThis.drawn = [];
  const { prototype } = CanvasRenderingContext2D;
  const { clearRect, fillText } = prototype;
  prototype.clearRect = function (...box) {
    globalThis.drawn = [];
    return clearRect.apply(this, box);
  };
  prototype.fillText = function (text, x, y, ...rest) {
    const part = { right: 1, center: 0.5 }[this.textAlign] ?? 0;
    const { width } = this.measureText(text);
    const left = x - width * part;
    globalThis.drawn.push({ text, left, right: left + width, room: this.canvas.width, isTime: this.textAlign === "center" });
    return fillText.call(this, text, x, y, ...rest);
  };
}

/** Shows the plot as it is so many seconds after the coffee was made; gives its labels. */
async function plotAfter(seconds) {
  await page.clock.setFixedTime((made + seconds) * 1_000);
  await page.evaluate(() => (location.hash = "#/tools/coins"));
  await on(page).heading("UTXOs");
  return drawnBy(() => page.evaluate((uid) => (location.hash = `#/history/${uid}`), coffee));
}

/** The labels that a plot has after what draws it anew: it is as wide as there is room for it. */
async function drawnBy(change) {
  await page.evaluate(() => (globalThis.drawn = []));
  await change();
  const labels = await page.waitForFunction(() => {
    const canvas = document.querySelector(".plot canvas");
    const fits = canvas && canvas.clientWidth === canvas.closest("[role=img]").clientWidth;
    return fits && globalThis.drawn.some(({ isTime, room }) => isTime && room === canvas.width) && globalThis.drawn;
  });
  return labels.jsonValue();
}

const range = (name) => page.getByRole("radiogroup", { name: "Time shown" }).getByText(name, { exact: true });
const written = (seconds) => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(seconds * 1_000);

test("a part of a history begins with what there was before, and goes on to now", async (t) => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  const vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  t.after(() => vite.close());
  const { spanOf } = await vite.ssrLoadModule("/src/parts/span.ts");
  const series = { times: [1_000, 2_000, 3_000], balances: [5, 9, 4] };
  // All of it, from nothing on.
  assert.deepEqual(spanOf(series, Infinity, 6_000), { times: [800, 1_000, 2_000, 3_000, 6_000], balances: [0, 5, 9, 4, 4] });
  assert.deepEqual(spanOf(series, 5_001, 6_000), { times: [800, 1_000, 2_000, 3_000, 6_000], balances: [0, 5, 9, 4, 4] });
  // What happened when the part begins was before it.
  assert.deepEqual(spanOf(series, 5_000, 6_000), { times: [1_000, 2_000, 3_000, 6_000], balances: [5, 9, 4, 4] });
  assert.deepEqual(spanOf(series, 3_500, 6_000), { times: [2_500, 3_000, 6_000], balances: [9, 4, 4] });
  assert.deepEqual(spanOf(series, 100, 6_000), { times: [5_900, 6_000], balances: [4, 4] });
  assert.deepEqual(spanOf({ times: [], balances: [] }, Infinity, 6_000), { times: [5_999, 6_001], balances: [0, 0] });
  // A transaction may be dated a little ahead.
  assert.deepEqual(spanOf({ times: [6_100], balances: [7] }, Infinity, 6_000), { times: [6_099, 6_100, 6_101], balances: [0, 7, 7] });
});

test("the labels of great amounts are not cut", { timeout: 60_000 }, async () => {
  await page.evaluate((uid) => (location.hash = `#/history/${uid}`), much);
  await page.getByRole("img", { name: /^Balance of MUCH since / }).waitFor();
  const drawn = await page.waitForFunction(() => globalThis.drawn.some(({ text }) => text.length > 20) && globalThis.drawn);
  assert.deepEqual((await drawn.jsonValue()).filter(({ left }) => left < 0), []);
  assert.equal(await range("Day").count(), 0, "of less than a day there are no parts to choose");
});

test("a phone shows the whole name of what is plotted", { timeout: 60_000 }, async () => {
  const { field, go, heading } = on(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await go("History");
  await heading("History");
  const choice = field("Show");
  await choose(choice, "CFE · Coffee 100.00");
  const { room, needed } = await choice.locator(".select-text").evaluate((shown) => ({ room: shown.clientWidth, needed: shown.scrollWidth }));
  assert.ok(room >= needed, `${room} of ${needed} pixels`);
  await page.setViewportSize({ width: 1280, height: 820 });
});

test("of a longer history the last day, week or month can be shown", { timeout: 90_000 }, async () => {
  const told = page.locator(".plot-told");
  /** What the plot tells at its points, from the last one on backwards. */
  const tellings = async (name) => {
    await drawnBy(() => range(name).click());
    const chart = page.getByRole("img", { name: /^Balance of CFE since / });
    await chart.focus();
    // To the end, whatever was pointed at.
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("ArrowRight");
    const found = [await told.innerText()];
    for (;;) {
      await page.keyboard.press("ArrowLeft");
      const next = await told.innerText();
      if (next === found.at(-1)) return found;
      found.push(next);
    }
  };
  const all = (seconds) => `${written(seconds)}: 100.00 CFE`;
  const parts = { Day: DAY, Week: 7 * DAY, Month: 30 * DAY };
  for (const days of [2, 10, 40]) {
    const now = made + days * DAY;
    await plotAfter(days * DAY);
    const whole = [all(now), all(made), `${written(made - 0.04 * days * DAY)}: 0.00 CFE`];
    for (const [name, seconds] of Object.entries(parts)) {
      assert.deepEqual(await tellings(name), seconds < days * DAY ? [all(now), all(now - seconds)] : whole, `${name} of ${days} days`);
    }
    assert.deepEqual(await tellings("All"), whole);
  }
  await browser.shot("plot-all", { narrow: true });
  // Its frame, of about 5 pixels, touches neither what stands above nor what stands below.
  const [above, chart, below] = await Promise.all([".segments", "[role=img]", ".plot-told"].map((one) => page.locator(`.plot ${one}`).boundingBox()));
  assert.ok(chart.y - above.y - above.height > 5, "above");
  assert.ok(below.y - chart.y - chart.height > 5, "below");
});

test("no two times of an axis are the same, and none is cut", { timeout: 120_000 }, async () => {
  const wrong = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 820 });
    for (const seconds of [20, 200, HOUR, 8 * HOUR, 30 * HOUR, 2.5 * DAY, 4 * DAY, 12 * DAY, 50 * DAY, 200 * DAY, 900 * DAY]) {
      const plots = { All: await plotAfter(seconds) };
      if (seconds > DAY) plots.Day = await drawnBy(() => range("Day").click());
      for (const [name, labels] of Object.entries(plots)) {
        const times = labels.filter(({ isTime }) => isTime);
        const texts = times.map(({ text }) => text);
        const overlaps = times.some(({ left }, at) => at > 0 && left <= times[at - 1].right);
        const cut = times.some(({ left, right, room }) => left < 0 || right > room);
        if (new Set(texts).size < texts.length || overlaps || cut) wrong.push({ width, seconds, name, times });
      }
    }
  }
  assert.deepEqual(wrong, []);
  await page.setViewportSize({ width: 1280, height: 820 });
});
