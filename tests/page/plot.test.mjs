// The plot of a balance: its labels are whole, however great the amounts are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { generateMnemonic, Wallet } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";

test("the labels of great amounts are not cut", { timeout: 120_000 }, async (t) => {
  const network = await startDevnet("--block-interval", "0");
  t.after(() => network.stop());
  const seed = generateMnemonic();
  const token = await makeMuch(network, seed);
  const server = await servePage(network);
  t.after(() => server.stop());
  const browser = await startBrowser(server.port);
  t.after(() => browser.stop());
  const { page } = browser;
  await page.addInitScript(noteLabels);
  await page.goto(ORIGIN);
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), seed);
  await page.getByLabel("Word 1", { exact: true }).focus();
  await page.keyboard.press("Control+V");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("button", { name: "Open the wallet", exact: true }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.evaluate((uid) => (location.hash = `#/history/${uid}`), token);
  await page.getByRole("img", { name: /^Balance of MUCH since / }).waitFor();
  const drawn = await page.waitForFunction(() => {
    const great = globalThis.drawn.filter(({ text }) => text.length > 20);
    return great.length > 0 && great;
  });
  const cut = (await drawn.jsonValue()).filter(({ left }) => left < 0);
  assert.deepEqual(cut, []);
});

/** In the page: notes where each text begins that a canvas draws. */
function noteLabels() {
  globalThis.drawn = [];
  const { prototype } = CanvasRenderingContext2D;
  const { fillText } = prototype;
  prototype.fillText = function (text, x, y, ...rest) {
    const part = { right: 1, center: 0.5 }[this.textAlign] ?? 0;
    globalThis.drawn.push({ text, left: x - this.measureText(text).width * part });
    return fillText.call(this, text, x, y, ...rest);
  };
}

/** A token that is paid for by fees needs no deposit, so there can be much of it. */
async function makeMuch({ nodeUrl, miningUrl, control }, seed) {
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const paid = wallet.once("balance");
  await control("fund", { address: await wallet.address(), amount: 10_000 });
  await paid;
  const { hash } = await wallet.createToken({ name: "Much", symbol: "MUCH", amount: 2n ** 62n, version: 2 });
  await wallet.stop();
  return hash;
}
