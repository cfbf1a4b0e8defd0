// Several wallets that are kept on one device: each opens with its password, is locked when nobody uses it, and is removed only by who
// has seen its words.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Account, Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on, optionsOf } from "./support/wallet.mjs";

const PASSWORDS = ["seven quiet otters", "nine loud ravens", "four slow herons"];
const WORDS = [generateMnemonic(), generateMnemonic()];

let network;
let server;
let browser;
let page;
let parts;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  for (const [at, seed] of WORDS.entries()) {
    const { nodeUrl, miningUrl } = network;
    const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
    const paid = wallet.once("balance");
    await network.control("fund", { address: await wallet.address(), amount: 1_000 * (at + 1) });
    await paid;
    if (at === 0) await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 100 });
    await wallet.stop();
  }
  browser = await startBrowser(server.port);
  ({ page } = browser);
  await page.clock.install();
  parts = on(page);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

const balance = (amount, of = page) => of.locator("[data-testid=balance]").getByText(`${amount} HTR`, { exact: true }).waitFor();
const wallets = () => optionsOf(parts.field("Wallet"));

async function restore(words, password) {
  const { button, field, heading } = parts;
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await heading("Restore a wallet");
  await page.getByLabel("Word 1", { exact: true }).fill(words);
  await button("Continue").click();
  await field("Keep it here, encrypted with a password").check();
  await field("Password").fill(password);
  await field("Password again").fill(password);
  await button("Open the wallet").click();
}

async function unlock(password, of = page) {
  const { button, field } = on(of);
  await field("Password").fill(password);
  await button("Unlock").click();
}

async function settings() {
  await page.getByRole("link", { name: "Settings" }).click();
  await parts.heading("Settings");
}

test("wallets stand beside each other, and what is noted of each is kept", { timeout: 90_000 }, async () => {
  const { button, field, heading, text } = parts;
  await page.goto(ORIGIN);
  await restore(WORDS[0], PASSWORDS[0]);
  await balance("9.99");
  await page.getByRole("button", { name: /^Coffee/ }).click();
  await button("Hide").click();
  await button("Close").click();
  await text("Hidden (1)");
  await settings();
  await field("Name").fill("Savings");
  await browser.shot("settings-wallet", { narrow: true });
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.includes(":book-")));
  await button("Lock the wallet").click();
  await heading("Welcome back");
  assert.equal(await field("Wallet").count(), 0, "there is nothing to choose among");
  await button("Use another wallet").click();
  await page.getByRole("button", { name: /^Open a wallet stored on this device\s*Savings/ }).waitFor();
  await browser.shot("welcome-kept", { narrow: true });
  await restore(WORDS[1], PASSWORDS[1]);
  await balance("20.00");
  await button("Lock the wallet").click();
  assert.deepEqual(await wallets(), ["Savings", "Wallet 2"]);
  await browser.shot("unlock-two", { narrow: true });
  await choose(field("Wallet"), "Savings");
  await unlock(PASSWORDS[1]);
  await text("That is not the password");
  await unlock(PASSWORDS[0]);
  await balance("9.99");
  await text("Hidden (1)");
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  assert.ok(!stored.includes("hidden"), "notes are encrypted");
});

test("a forgotten password is left behind by the words, and one that is known is changed", { timeout: 90_000 }, async () => {
  const { button, field, heading, text } = parts;
  await settings();
  await button("Change the password").click();
  // What opens takes the focus of the button in whose place it comes, and is in sight.
  await page.waitForFunction(() => document.activeElement.labels?.[0].textContent === "Current password");
  assert.ok(await field("New password again").evaluate((last) => last.getBoundingClientRect().bottom < innerHeight));
  await field("Current password").fill(PASSWORDS[1]);
  await field("New password").fill(PASSWORDS[2]);
  await field("New password again").fill(PASSWORDS[2]);
  await button("Change the password").click();
  await text("That is not the password");
  await browser.shot("password", { narrow: true });
  await field("Current password").fill(PASSWORDS[0]);
  await button("Change the password").click();
  await text("The password is changed.");
  await button("Lock the wallet").click();
  await unlock(PASSWORDS[0]);
  await text("That is not the password");
  await unlock(PASSWORDS[2]);
  await balance("9.99");
  await button("Lock the wallet").click();
  await heading("Welcome back");
  await button("Use another wallet").click();
  await restore(WORDS[0], PASSWORDS[0]);
  await balance("9.99");
  await text("Hidden (1)");
  await button("Lock the wallet").click();
  assert.deepEqual(await wallets(), ["Savings", "Wallet 2"], "it took the place of what was kept of it");
  await unlock(PASSWORDS[0]);
  await balance("9.99");
});

test("a wallet that nobody uses is locked, in all tabs at once", { timeout: 120_000 }, async () => {
  const { button, field, heading, text } = parts;
  const other = await page.context().newPage();
  await other.goto(ORIGIN);
  await unlock(PASSWORDS[0], other);
  await balance("9.99", other);
  await button("Lock the wallet").click();
  await other.getByRole("heading", { name: "Welcome back" }).waitFor();

  await unlock(PASSWORDS[0]);
  await balance("9.99");
  await unlock(PASSWORDS[0], other);
  await balance("9.99", other);
  await page.bringToFront();
  // Used in one tab is used in all of them.
  await page.mouse.move(100, 100);
  await page.clock.runFor(9 * 60_000);
  await heading("Balance");
  await page.mouse.move(200, 200);
  await page.clock.runFor(9 * 60_000);
  await heading("Balance");
  await page.clock.runFor(60_000);
  await text("Locked after 10 minutes without use.");
  await other.getByText("Locked after 10 minutes without use.").waitFor();
  await browser.shot("locked");
  await other.close();

  await unlock(PASSWORDS[0]);
  await balance("9.99");
  await settings();
  await choose(field("Lock after"), "60 minutes");
  // The clock has gone on, and nothing has looked at it meanwhile.
  await page.clock.fastForward(20 * 60_000);
  await text("Locked while the computer slept.");
});

test("a wallet is watched by its xpub, and can't spend", { timeout: 60_000 }, async () => {
  const { button, field, go, heading, text } = parts;
  await unlock(PASSWORDS[0]);
  await balance("9.99");
  await settings();
  await button("Show the xpub").click();
  const xpub = Account.fromSeed(WORDS[0]).xpub();
  await page.getByText(xpub, { exact: true }).waitFor();
  await button("Hide it").click();
  await button("Lock the wallet").click();
  await button("Use another wallet").click();
  await page.getByText("Other ways to open a wallet").click();
  await page.getByRole("button", { name: /^Watch a wallet/ }).click();
  await field("xpub").fill("xpub661");
  await button("Continue").click();
  await text("This is not an xpub. Check that all of it was copied, and nothing else.");
  await browser.shot("watch", { narrow: true });
  await field("xpub").fill(xpub);
  await button("Continue").click();
  await field("Keep it here, encrypted with a password").check();
  await field("Password").fill(PASSWORDS[1]);
  await field("Password again").fill(PASSWORDS[1]);
  await button("Open the wallet").click();
  await balance("9.99");
  await text("watch-only");
  assert.equal(await page.getByRole("main").getByRole("link", { name: "Send", exact: true }).count(), 0);
  const [title, badge] = await Promise.all(["h1", ".tag"].map((one) => page.locator(`.hero ${one}`).boundingBox()));
  assert.ok(badge.x > title.x + title.width && badge.y < title.y + title.height, "the badge stands beside the word");
  await browser.shot("watch-only", { narrow: true });
  await go("Send");
  await text("This wallet is watch-only");
  await button("Lock the wallet").click();
  assert.deepEqual(await wallets(), ["Savings", "Wallet 2", "Wallet 3 (watch-only)"]);
});

test("what is frozen is not spent, and stays so until it is freed", { timeout: 90_000 }, async () => {
  const { button, field, go, heading, text } = parts;
  await choose(field("Wallet"), "Wallet 2");
  await unlock(PASSWORDS[1]);
  await balance("20.00");
  await go("Receive");
  const address = await page.locator("[data-testid=address]").innerText();
  await network.control("fund", { address, amount: 500 });
  await go("Overview");
  await balance("25.00");
  await go("UTXOs");
  const row = (amount) => page.locator("tbody tr", { hasText: amount });
  await row("20.00").getByRole("button", { name: /^Freeze output/ }).click();
  await row("20.00").getByText("frozen", { exact: true }).waitFor();
  const totals = async () => (await page.getByTestId("totals").innerText()).replace(/\s+/g, " ");
  assert.equal(await totals(), "5.00 HTR can be spent, 20.00 HTR frozen");
  const buttons = await page.locator(".utxo-state .button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  assert.equal(new Set(buttons.map(({ left, right }) => `${left} ${right}`)).size, 1, "the buttons stand in one column");
  await browser.shot("frozen", { narrow: true });
  await go("Send");
  await text("5.00 HTR can be spent.");
  await field("Amount").fill("6");
  await text("That is 1.00 HTR more than you have.");
  await button("Lock the wallet").click();
  await heading("Welcome back");
  await unlock(PASSWORDS[1]);
  await balance("5.00");
  await page.getByText("20.00 HTR more is frozen").waitFor();
  await go("UTXOs");
  await row("20.00").getByText("frozen", { exact: true }).waitFor();
  assert.equal(await totals(), "5.00 HTR can be spent, 20.00 HTR frozen");
  await row("20.00").getByRole("button", { name: /^Unfreeze output/ }).click();
  await row("20.00").getByText("Freeze", { exact: true }).waitFor();
  assert.equal(await totals(), "25.00 HTR");
  await go("Overview");
  await balance("25.00");
  await button("Lock the wallet").click();
  await heading("Welcome back");
});

test("what an earlier version of the page has kept is taken over", { timeout: 60_000 }, async () => {
  const { heading } = parts;
  await page.evaluate(() => {
    const [{ sealed }] = JSON.parse(localStorage.getItem("headless-wallet:wallets"));
    localStorage.clear();
    localStorage.setItem("headless-wallet:vault", sealed);
  });
  await page.reload();
  await heading("Welcome back");
  await unlock(PASSWORDS[0]);
  await balance("9.99");
  assert.deepEqual(await page.evaluate(() => [localStorage.getItem("headless-wallet:vault"), JSON.parse(localStorage.getItem("headless-wallet:wallets")).length]), [null, 1]);
});
