// A payment that is locked for a time: chosen in the user's own time zone, shown before it is sent, and on
// the ledger to the second.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { generateMnemonic, Wallet } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { lockedFor, on, openWallet, plain } from "./support/wallet.mjs";

let network;
let server;
let browser;
let page;
let friend;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  const seed = generateMnemonic();
  const start = (words) => Wallet.start({ network: "privatenet", nodeUrl: network.nodeUrl, miningUrl: network.miningUrl, seed: words });
  const wallet = await start(seed);
  const paid = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 10_000 });
  await paid;
  await wallet.stop();
  friend = await start(generateMnemonic());
  browser = await startBrowser(server.port, { timezoneId: "America/Sao_Paulo" });
  ({ page } = browser);
  await openWallet(page, seed);
});

after(async () => {
  await friend?.stop();
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

test("a payment is locked until a time of the user's own zone", { timeout: 90_000 }, async () => {
  const { button, field, go, heading, text } = on(page);
  const problem = "Enter a date and a time in the future, before 2106.";
  await go("Send");
  assert.ok(await field("Locked until").isHidden(), "nobody has to look at it");
  await field("To address").fill(await friend.address());
  await field("Amount").fill("12.5");
  await page.getByText("More options").click();
  await text("Optional. Until then nobody can spend it, and nobody can unlock it. Your time zone: America/Sao_Paulo.");
  await browser.shot("send-locked", { narrow: true });

  // A date of which a part is missing, one that is over, one that the ledger can't write: none goes unlocked.
  const dialog = page.getByRole("dialog", { name: /^Send .*\?$/ });
  const isRefused = async () => {
    await button("Review").click();
    await text(problem);
    assert.equal(await dialog.count(), 0);
  };
  await field("Locked until").focus();
  await page.keyboard.type("24");
  await isRefused();
  for (const when of ["2020-01-01T00:00", "2106-02-07T06:28"]) {
    await field("Locked until").fill(when);
    await isRefused();
  }
  await field("Locked until").fill("2100-05-24T10:30");
  await page.getByText(problem).waitFor({ state: "detached" });

  // It is still there after a look at something else.
  await go("Overview");
  await go("Send");
  assert.equal(await field("Locked until").inputValue(), "2100-05-24T10:30");
  await button("Another payment").click();
  const second = page.getByRole("group", { name: "Payment 2" });
  const dayIn = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await second.getByLabel("To address").fill(await friend.address());
  await second.getByLabel("Amount", { exact: true }).fill("3");
  // Not so of a lock that ends within a year.
  for (const [days, isLong] of [[360, false], [370, true]]) {
    await second.getByLabel("Locked until").fill(`${dayIn(days)}T10:30`);
    await button("Review").click();
    await dialog.waitFor();
    const tags = await dialog.locator(".review-lock .tag").allTextContents();
    assert.deepEqual(tags, [lockedFor("2100-05-24T10:30-03:00"), ...(isLong ? ["for more than 1 year"] : [])]);
    await button("Edit").click();
  }
  await second.getByLabel("Locked until").fill("");
  await button("Review").click();
  await dialog.waitFor();
  // What one checks is as bright as the amount.
  const colours = await dialog.locator(".review li").first().locator(".amount, .mono, .review-lock").evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
  assert.equal(colours.length, 3);
  assert.equal(new Set(colours).size, 1);
  // Once its cost is known.
  await dialog.locator(".button.primary:enabled").waitFor();
  const shown = await dialog.locator(".review li").allInnerTexts();
  const address = await friend.address();
  const to = `to ${address} This is your first payment to this address. Compare all of it with what you were given.`;
  assert.deepEqual(shown.map(plain), [`12.50 HTR ${to} locked until 24 May 2100, 10:30 GMT-3 ${lockedFor("2100-05-24T10:30-03:00")}`, `3.00 HTR ${to}`]);
  await browser.shot("send-locked-review", { narrow: true });
  const received = friend.once("balance");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await heading("Sent");
  await received;
  const [{ outputs }] = await friend.history();
  const locks = outputs.filter(({ decoded }) => decoded.address === address).map(({ value, decoded }) => [value, decoded.timelock]);
  // 13:30 in UTC.
  assert.deepEqual(locks.toSorted(), [[1_250n, Date.UTC(2100, 4, 24, 13, 30) / 1_000], [300n, null]]);
  const { available, locked } = await friend.balance();
  assert.deepEqual({ available, locked }, { available: 300n, locked: 1_250n });
});
