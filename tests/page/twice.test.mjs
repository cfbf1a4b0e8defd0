// Who clicks twice on Send sends once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deriveAddresses, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on, openWallet } from "./support/wallet.mjs";

const addressOf = (seed) => deriveAddresses({ network: "privatenet", seed, count: 1 })[0];

test("who clicks twice on Send sends once", { timeout: 60_000 }, async (t) => {
  const network = await startDevnet("--block-interval", "0");
  t.after(() => network.stop());
  const server = await servePage(network);
  t.after(() => server.stop());
  const browser = await startBrowser(server.port);
  t.after(() => browser.stop());
  const { page } = browser;
  const seed = generateMnemonic();
  // Of one coin, a second send would wait for the change of the first.
  await network.control("fund", { address: addressOf(seed), amount: 1_000, count: 2 });
  await openWallet(page, seed);
  const { button, field, go, heading } = on(page);
  const jobs = [];
  page.context().on("request", (request) => request.url().endsWith("/submit-job") && jobs.push(request.url()));
  await go("Send");
  await field("To address").fill(addressOf(generateMnemonic()));
  await field("Amount").fill("1");
  await button("Review").click();
  const dialog = page.getByRole("dialog", { name: /^Send .*\?$/ });
  // A frame later: the button has moved then, and a pointer might miss it.
  await dialog.locator("button:enabled", { hasText: "Send" }).evaluate(async (send) => {
    send.click();
    await new Promise(requestAnimationFrame);
    send.click();
  });
  await heading("Sent");
  assert.equal(jobs.length, 1);
  await go("History");
  await heading("3 transactions");
  await go("Overview");
  await page.locator("[data-testid=balance]").getByText("19.00 HTR", { exact: true }).waitFor();
});
