// Tokens of strangers: anybody can make one that looks like somebody else's, and send it to whom they like.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on, optionsOf, openWallet, plain } from "./support/wallet.mjs";

const PASSWORD = "seven quiet otters";

let network;
let server;
let browser;
let page;
let words;
let stranger;
/** The uids of the wallet's own tokens, in the order in which they were made, and of those that the stranger has sent. */
const own = [];
const sent = [];
/** When they came: those of one second are told apart by nothing but their ids. */
const came = [];
const short = (uid) => `${uid.slice(0, 8)}…${uid.slice(-6)}`;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  words = generateMnemonic();
  const wallet = await funded(words);
  for (const [name, symbol, amount] of [["Coffee", "CFE", 95_000], ["Zebra", "ZEB", 100], ["Apple", "APL", 200]]) {
    own.push((await wallet.createToken({ name, symbol, amount })).hash);
  }
  stranger = await funded(generateMnemonic());
  const address = await wallet.address();
  // The same name, one with a Cyrillic letter, and an advertisement.
  for (const [name, symbol] of [["Coffee", "CFE"], ["Cоffee", "CFF"]]) {
    const { hash } = await stranger.createToken({ name, symbol, amount: 10_000 });
    const { timestamp } = await stranger.sendTx({ outputs: [{ address, value: 2_500, token: hash }] });
    sent.push(hash);
    came.push({ uid: hash, timestamp });
  }
  const { hash, timestamp } = await stranger.createNft({ name: "Claim at evil.example now!", symbol: "FREE", amount: 1, data: "https://evil.example/claim", address });
  sent.push(hash);
  came.push({ uid: hash, timestamp });
  await wallet.stop();
  browser = await startBrowser(server.port);
  ({ page } = browser);
  await openWallet(page, words);
});

after(async () => {
  await stranger?.stop();
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

async function funded(seed) {
  const { nodeUrl, miningUrl } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const balance = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 10_000 });
  await balance;
  return wallet;
}

const lines = () => page.locator(".tokens").first().locator(".token-name bdi").allTextContents();

test("what strangers send stands aside until it is accepted", { timeout: 120_000 }, async () => {
  const { go, button, field, heading, text } = on(page);
  await text("Not yet accepted (3)");
  // In the order in which they came, and again after each start.
  assert.deepEqual(await lines(), ["Hathor", "Coffee", "Zebra", "Apple"]);
  await browser.shot("tokens-own", { narrow: true });
  await text("Not yet accepted (3)");
  await page.getByText("Not yet accepted (3)").click();
  const aside = page.locator(".tokens-aside");
  const shown = await aside.locator(".token-name .mono").allTextContents();
  assert.deepEqual(shown.toSorted(), sent.map(short).toSorted());
  const times = shown.map((text) => came.find(({ uid }) => short(uid) === text).timestamp);
  assert.deepEqual(times, times.toSorted((a, b) => a - b));
  const line = (uid) => aside.locator("li", { hasText: short(uid) });
  assert.deepEqual(await line(sent[0]).locator(".warnings p").allTextContents(), [
    "This token is not your Coffee (CFE). It only has the same name or a similar one.",
  ]);
  assert.deepEqual(await line(sent[1]).locator(".warnings p").allTextContents(), [
    "This token is not your Coffee (CFE). It only has the same name or a similar one.",
    "Its name mixes letters of several alphabets that look alike.",
  ]);
  await browser.shot("tokens-new", { narrow: true });
  assert.ok(!(await page.locator("main").innerText()).includes("evil.example/claim"), "nobody advertises in the history");

  await go("Send");
  assert.deepEqual(await optionsOf(field("Token")), ["HTR · Hathor 90.47", `CFE · Coffee ${short(own[0])} 950.00`, "ZEB · Zebra 1.00", "APL · Apple 2.00"]);
  await go("Overview");
  await page.getByText("Not yet accepted (3)").click();
  await button(`Accept CFE ${short(sent[0])}`).click();
  await text("Not yet accepted (2)");
  await button(`Hide FREE ${short(sent[2])}`).click();
  await text("Not yet accepted (1)");
  await text("Hidden (1)");
  assert.deepEqual(await lines(), ["Hathor", "Coffee", "Zebra", "Apple", "Coffee"]);

  await go("Send");
  await choose(field("Token"), `CFE · Coffee ${short(sent[0])} 25.00`);
  await field("To address").fill(await stranger.address());
  await field("Amount").fill("1");
  await button("Review").click();
  const dialog = page.getByRole("dialog", { name: /^Send .*\?$/ });
  await dialog.waitFor();
  assert.equal(plain(await dialog.locator(".review .token-id").innerText()), `Coffee ${short(sent[0])} suspicious name`);
  await dialog.getByText("This token is not your Coffee (CFE). It only has the same name or a similar one.", { exact: true }).waitFor();
  await browser.shot("tokens-send-review", { narrow: true });
  // On a phone the warning is in line with what it warns of, and no identifier is torn.
  await page.setViewportSize({ width: 390, height: 844 });
  const [list, warning] = await Promise.all([".review", ".dialog-body > .warnings"].map((one) => dialog.locator(one).boundingBox()));
  assert.deepEqual([warning.x, warning.width], [list.x, list.width]);
  assert.ok(warning.y - list.y - list.height > 10);
  const ids = dialog.locator(".uid");
  assert.deepEqual(await ids.evaluateAll((all) => all.map((id) => [id.textContent, id.getClientRects().length])), [[short(sent[0]), 1]]);
  await page.setViewportSize({ width: 1280, height: 820 });
  await button("Edit").click();
  await choose(field("Token"), "ZEB · Zebra 1.00");
  await button("Review").click();
  await dialog.waitFor();
  assert.equal(plain(await dialog.locator(".review .token-id").innerText()), `Zebra ${short(own[1])} created by you`);
  await button("Edit").click();
  await go("Overview");
  await page.getByRole("button", { name: /^Coffee\s*created by you/ }).click();
  await browser.shot("token-dialog");
  await button("Close").click();
  await heading("Balance");
});

test("what is accepted is told of when it comes, and nothing else", { timeout: 60_000 }, async () => {
  const { go, text } = on(page);
  await go("Receive");
  const address = await page.locator("[data-testid=address]").innerText();
  const notices = () => page.locator(".notice span").allTextContents();
  await stranger.sendTx({ outputs: [{ address, value: 100, token: sent[1] }] });
  await page.locator("tbody tr", { hasText: "1 transaction" }).first().waitFor();
  await stranger.sendTx({ outputs: [{ address, value: 150 }, { address, value: 300, token: sent[0] }] });
  await text("Received 3.00 CFE, 1.50 HTR.");
  await network.control("fund", { address, amount: 250 });
  await text("Received 3.00 CFE, 4.00 HTR in 2 payments.");
  assert.equal((await notices()).length, 1);
});

test("tokens stand in the same order when the wallet is unlocked with what is kept of it, and in another tab", { timeout: 90_000 }, async () => {
  const { button, field, heading } = on(page);
  /** What stands in a tab, its own tokens and those of strangers. */
  const order = async (tab) => {
    await tab.getByText("Not yet accepted (3)").click();
    const ids = await tab.locator(".tokens-aside .token-name .mono").allTextContents();
    return [await tab.locator(".tokens").first().locator(".token-name bdi").allTextContents(), ids];
  };
  const unlock = async (tab) => {
    await tab.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await tab.getByRole("button", { name: "Unlock", exact: true }).click();
    await tab.getByText("Not yet accepted (3)").waitFor();
  };
  await button("Lock the wallet").click();
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await page.getByLabel("Word 1", { exact: true }).fill(words);
  await button("Continue").click();
  await field("Keep it here, encrypted with a password").check();
  await field("Password").fill(PASSWORD);
  await field("Password again").fill(PASSWORD);
  await button("Open the wallet").click();
  await page.getByText("Not yet accepted (3)").waitFor();
  const [own, aside] = await order(page);
  assert.deepEqual(own, ["Hathor", "Coffee", "Zebra", "Apple"]);
  assert.deepEqual(aside.toSorted(), sent.map(short).toSorted());
  await button("Lock the wallet").click();
  await heading("Welcome back");
  await unlock(page);
  assert.deepEqual(await order(page), [own, aside]);
  const other = await page.context().newPage();
  await other.goto(ORIGIN);
  await unlock(other);
  assert.deepEqual(await order(other), [own, aside]);
  await other.close();
});
