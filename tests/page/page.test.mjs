// The page as a person uses it, against a local network: a wallet is made, paid, spends, makes tokens and melts them, is locked,
// opened and restored, and loses its services on the way. Pictures of every screen are kept in target/screenshots.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deriveAddresses, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, chosenOf, on } from "./support/wallet.mjs";

const PASSWORD = "seven quiet otters";
/** A picture small enough for an NFT's data. */
const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle cx='4' cy='4' r='4' fill='teal'/></svg>";

let network;
let server;
let browser;
let page;
let shot;
/** The words of the wallet that the page made. */
let words;
/** Somebody else's address. */
const [stranger] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browser = await startBrowser(server.port);
  ({ page, shot } = browser);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

const button = (name) => page.getByRole("button", { name, exact: true });
const field = (name) => page.getByLabel(name, { exact: true });
const heading = (name) => page.getByRole("heading", { name, exact: true }).waitFor();
const text = (what) => page.getByText(what, { exact: true }).first().waitFor();
const go = (name) => on(page).go(name);
const tab = (name) => page.getByRole("navigation", { name: "What to do with tokens" }).getByRole("link", { name }).click();
const balance = (amount) => page.locator("[data-testid=balance]").getByText(`${amount} HTR`, { exact: true }).waitFor();
const totals = (amount) => page.locator("[data-testid=totals]").getByText(amount).waitFor();
const rows = (count) => page.waitForFunction((n) => document.querySelectorAll("tbody tr").length === n, count);

/** Looks over what a form sends, and sends it. */
async function confirm(verb) {
  await button("Review").click();
  await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click();
}

/** A text without the spaces that don't break. */
const plain = (text) => text.replaceAll(/\s+/g, " ").trim();

/** … that the wallet will hold. */
const balanceAfterwards = async () => (await page.locator("dt:text-is('Balance afterwards') + dd > span").allTextContents()).map(plain);

/** What the dialog of a review says that it is, and what can be done there. */
const reviewed = () => page.locator("dialog :is(h2, .actions button)").allTextContents();

async function lock() {
  await button("Lock the wallet").click();
  await heading("Welcome back");
}

async function unlock(password = PASSWORD) {
  await field("Password").fill(password);
  await button("Unlock").click();
}

/** Each step goes on from where the last one left the page: after a failure there is nothing to go on from. */
let broken = false;
const step = (name, run) =>
  test(name, { timeout: 120_000 }, async (t) => {
    if (broken) return t.skip("an earlier step failed");
    broken = true;
    await run().catch(async (error) => {
      await shot("failure");
      throw error;
    });
    broken = false;
  });

step("a wallet is made, its words are confirmed and leave the page", async () => {
  await page.goto(ORIGIN);
  await heading("Your wallet, in this page only");
  await page.getByText(/^A wallet for the Hathor network\. /).waitFor();
  await shot("welcome", { narrow: true });
  await page.getByRole("button", { name: /^Create a wallet/ }).click();
  await heading("Write down your seed phrase");
  assert.equal(await page.locator(".words li").count(), 0, "nothing is shown unasked");
  await shot("words-hidden");
  await button("Show the seed phrase").click();
  words = await page.locator(".words li").allTextContents();
  assert.equal(words.length, 24);
  await shot("words");

  await button("I have written it down").click();
  await heading("Is it written down?");
  const asked = await page.locator(".confirm-words label").allTextContents();
  assert.equal(asked.length, 4);
  await field(asked[0]).fill("hathor");
  await text(`That is not ${asked[0].toLowerCase()}. Look again.`);
  await shot("words-wrong");
  for (const label of asked) await field(label).fill(words[Number(label.slice(5)) - 1]);
  await button("Continue").click();

  await heading("Keep the seed phrase on this device?");
  const shown = await page.locator("body").innerText();
  const values = await page.locator("input").evaluateAll((inputs) => inputs.map((input) => input.value));
  assert.ok(!words.some((word) => values.includes(word)));
  assert.ok(!shown.includes(words.slice(0, 3).join(" ")));
  await field("Keep it here, encrypted with a password").check();
  await field("Password").fill("short");
  await text("Use at least 10 characters: 5 more needed.");
  await field("Password").fill(PASSWORD);
  await field("Password again").fill(`${PASSWORD}!`);
  await text("The two do not match.");
  await field("Password again").fill(PASSWORD);
  await shot("keep-words");
  await button("Open the wallet").click();
  await balance("0.00");
  await heading("Nothing here yet");
  await shot("overview-empty");
});

step("coins come in", async () => {
  await go("Receive");
  await heading("Receive");
  const address = await page.locator("[data-testid=address]").innerText();
  assert.match(address, /^W\w{33}$/);
  await page.getByRole("img", { name: `QR code of the address ${address}` }).waitFor();
  await button("Copy address").click();
  await text("Address copied.");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await button("Get test coins").click();
  await text("Received 100.00 HTR.");
  await page.waitForFunction((old) => document.querySelector("[data-testid=address]").textContent !== old, address);
  await text("1 transaction");
  await network.control("fund", { address, amount: 2_550 });
  await text("2 transactions");
  await shot("receive", { narrow: true });
  await button("Next address").click();
  await rows(3);
  await go("Overview");
  await balance("125.50");
});

step("a token is created", async () => {
  await go("Tokens");
  await heading("Tokens");
  await tab("New token");
  await button("Review").click();
  await text("Enter a name.");
  await text("Enter a symbol.");
  // The first mistake has the focus.
  await page.waitForFunction(() => document.activeElement.labels?.[0].textContent === "Name");
  await field("Name").fill("Corner Café");
  await field("Symbol").fill("cafe");
  await field("Amount").fill("999,999,999");
  await text("The deposit is 9,999,999.99 HTR, and you have 125.50 HTR.");
  await shot("token-too-much");
  await field("Amount").fill("1,000.00");
  await text("Deposits 10.00 HTR.");
  await button("Review").click();
  await page.getByRole("dialog", { name: "Create this token?" }).waitFor();
  assert.deepEqual(await balanceAfterwards(), ["1,000.00 CAFE", "115.50 HTR"]);
  await shot("token-review");
  await page.keyboard.press("Escape");
  // The focus comes back.
  await page.waitForFunction(() => document.activeElement.textContent === "Review");
  await confirm("Create");
  await heading("Corner Café created");
  await page.getByText(/^\[Corner Café:CAFE:[0-9a-f]{64}:[0-9a-f]{8}\]$/).waitFor();
  assert.match(await page.locator(".done-id").innerText(), /^Token identifier\s+[0-9a-f]{64}$/);
  await shot("token-created");
});

step("an NFT is created, with a preview of its data", async () => {
  await tab("New NFT");
  await field("Name").fill("Teal Moon");
  await field("Symbol").fill("MOON");
  await field("Data").fill("A sentence that is kept for ever.");
  await page.locator(".preview").getByText("A sentence that is kept for ever.").waitFor();
  await field("Data").fill("ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/moon.png");
  await button("Show the picture").waitFor();
  await text("Asks ipfs.io for it. Whoever runs ipfs.io will know that you looked.");
  await shot("nft-remote");
  await field("Data").fill("x".repeat(151));
  await text("At most 150 characters: 1 too many.");
  await field("Data").fill(PICTURE);
  await page.locator(".preview").getByRole("img", { name: "Picture of Teal Moon" }).waitFor();
  await field("How many").fill("3");
  await field("Melt it: 0.01 HTR comes back for each 100 units, nothing for fewer").check();
  await shot("nft", { narrow: true });
  await button("Review").click();
  await page.getByRole("dialog", { name: "Create this NFT?" }).waitFor();
  assert.deepEqual(await balanceAfterwards(), ["3 MOON", "115.48 HTR"]);
  await shot("nft-review", { narrow: true });
  await button("Create").click();
  await heading("Teal Moon created");
  await go("Overview");
  // 125.50 less a deposit of 10.00, a deposit of 0.01, and 0.01 for the data.
  await balance("115.48");
  await page.getByRole("button", { name: /^Teal Moon\s*NFT · created by you\s*3 MOON/ }).click();
  await page.getByRole("dialog", { name: "Teal Moon" }).getByRole("img", { name: "Picture of Teal Moon" }).waitFor();
  await shot("nft-dialog");
  await button("Close").click();
});

step("payments and data are sent in one transaction", async () => {
  await go("Send");
  await heading("Send");
  await button("Review").click();
  await text("Enter an address.");
  await field("To address").fill("HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq");
  await text("This is an address of mainnet, and this wallet is on the local network: what is sent there would be lost.");
  await shot("send-wrong-address");
  await field("To address").fill(` hathor:${stranger}\n`);
  assert.equal(await field("To address").inputValue(), stranger);
  await field("Amount").fill("12,5");
  await text("Write a point before the cents, as in 12.50.");
  await field("Amount").fill("1000");
  await text("That is 884.52 HTR more than you have.");
  // With the token's symbol, as people write it.
  await field("Amount").pressSequentially(" htr");
  assert.equal(await field("Amount").inputValue(), "1000");
  await field("Amount").fill("12.5 HTR");
  assert.equal(await field("Amount").inputValue(), "12.5");
  await on(page).more();
  await button("Another payment").click();
  const second = page.getByRole("group", { name: "Payment 2" });
  await choose(second.getByLabel("Token", { exact: true }), "CAFE · Corner Café 1,000.00");
  await second.getByLabel("To address").fill(stranger);
  await second.getByLabel("Amount", { exact: true }).fill("250");
  await button("Data").click();
  await field("Text").fill("For the coffee. <b>Thanks!</b>");
  await shot("send", { narrow: true });
  await button("Review").click();
  await page.getByRole("dialog", { name: /^Send .*\?$/ }).waitFor();
  await shot("send-review");
  await button("Send").click();
  await heading("Sent");
  assert.match(await page.locator(".done-id").innerText(), /^Transaction identifier\s+[0-9a-f]{64}$/);
  await shot("sent");
  await button("Show the transaction").click();
  const sent = page.getByRole("dialog", { name: "Sent" });
  await sent.getByText("For the coffee. <b>Thanks!</b>").waitFor();
  assert.deepEqual((await sent.locator("dt:text-is('Cost') + dd > span").allTextContents()).map(plain), ["0.01 HTR (data)"]);
  const change = await sent.locator("li", { hasText: "your change" }).locator(".part-amount").allTextContents();
  // Of an output of 15.48: another one of 100.00 was not needed.
  assert.deepEqual(change.map(plain).toSorted(), ["2.97 HTRyour change", "750.00 CAFEyour change"]);
  await shot("transaction");
  await button("Close").click();
  await go("Overview");
  await balance("102.97");
});

step("data alone can be sent", async () => {
  await go("Send");
  await on(page).more();
  await button("Data").click();
  await button("Remove payment").click();
  await field("Text").fill("https://example.org/proof/1");
  await confirm("Send");
  await heading("Sent");
  await go("Overview");
  await balance("102.96");
});

step("tokens are melted, and their deposit comes back", async () => {
  await on(page).manage("Corner Café", "Melt");
  assert.equal(await chosenOf(field("Token")), "CAFE");
  await field("Amount to melt").fill("400");
  await text("Gives back 4.00 HTR.");
  await shot("melt");
  await button("Review").click();
  await page.getByRole("dialog", { name: "Melt this?" }).waitFor();
  assert.deepEqual(await balanceAfterwards(), ["350.00 CAFE", "106.96 HTR"]);
  await shot("melt-review", { narrow: true });
  await page.getByRole("dialog").getByRole("button", { name: "Melt", exact: true }).click();
  await heading("Melted");
  await page.getByText("Melted 400.00 CAFE; 4.00 HTR came back.").waitFor();
  await go("Overview");
  await balance("106.96");
  await page.getByRole("button", { name: /^Corner Café\s*created by you\s*350\.00 CAFE/ }).waitFor();
  await shot("overview", { narrow: true });
});

step("a send that the mining service refuses says so, and one that takes long can be left to itself", async () => {
  await page.getByRole("button", { name: /^Network: / }).click();
  await choose(field("Proof of work"), "Mining service only");
  const before = await page.locator("[data-testid=balance]").elementHandle();
  await button("Save and reconnect").click();
  // What is typed while the wallet is being opened anew is gone with the page.
  await before.waitForElementState("hidden");
  await balance("106.96");
  await network.control("mining", { mode: "failed" });
  await go("Send");
  await field("To address").fill(stranger);
  await field("Amount").fill("1.00");
  await confirm("Send");
  await text("The mining service refused the transaction");
  assert.deepEqual(await reviewed(), ["Not sent", "Edit", "Try again"]);
  await shot("send-refused");
  // A job is known by its transaction: another amount makes another.
  await button("Edit").click();
  await field("Amount").fill("1.50");
  await network.control("mining", { delay_ms: 8_000 });
  await confirm("Send");
  await page.getByRole("progressbar", { name: "Sending" }).waitFor();
  // "Send" had the focus and is gone: the title has it.
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Sending…");
  assert.deepEqual(await reviewed(), ["Sending…", "Continue in the background"]);
  await shot("sending");
  await button("Continue in the background").click();
  await network.control("mining");
  await text("Sent in the background. You find it in the history.");
  await go("Overview");
  await balance("105.46");
});

step("a send of which nobody knows whether it arrived is not offered again", async () => {
  await go("Send");
  await field("To address").fill(stranger);
  await field("Amount").fill("0.50");
  // The node goes away in between: once the proof of work is asked for, and before there is one.
  await network.control("mining", { delay_ms: 5_000 });
  const solving = page.context().waitForEvent("request", (request) => request.url().endsWith("/submit-job"));
  await Promise.all([solving, confirm("Send")]);
  await page.getByRole("progressbar", { name: "Sending" }).waitFor();
  await network.control("node", { mode: "down" });
  await page.getByText("It is not known whether the transaction was sent", { exact: true }).waitFor({ timeout: 60_000 });
  assert.deepEqual(await reviewed(), ["Not known whether it was sent", "Close", "Look at the history"]);
  await shot("send-unknown");
  await network.control("mining");
  await network.control("node");
  await button("Look at the history").click();
  await page.getByText("The connection to the full node is lost").waitFor({ state: "detached", timeout: 60_000 });
  // It was not: nothing is missing.
  await heading("8 transactions");
  await go("Overview");
  await balance("105.46");
});

step("the history tells what happened", async () => {
  await go("History");
  await heading("8 transactions");
  const titles = await page.locator(".activity-title").allTextContents();
  assert.deepEqual(titles.toSorted(), [
    "Created NFT Teal Moon",
    "Created token Corner Café",
    "Melted",
    "Received",
    "Received",
    "Sent",
    "Sent",
    "Wrote data",
  ]);
  const nft = page.locator(".activity", { hasText: "Teal Moon" });
  assert.match(await nft.locator(".activity-about bdi").innerText(), /a picture$/);
  assert.equal(await nft.locator(".badge img").getAttribute("src"), PICTURE);
  await shot("history", { narrow: true });
  await choose(field("Show"), "CAFE · Corner Café 350.00");
  await heading("3 transactions");
  await page.getByRole("img", { name: /^Balance of CAFE since .*: 350 now, 1,000 at most\.$/ }).waitFor();
  await shot("history-token");
});

step("unspent outputs are listed and filtered", async () => {
  await go("UTXOs");
  await heading("UTXOs");
  await totals("105.46 HTR");
  await page.getByText("Filters", { exact: true }).click();
  const count = await page.locator("tbody tr").count();
  assert.ok(count > 1);
  await shot("coins", { narrow: true });
  await field("Show at most").fill("1");
  await rows(1);
  await field("Show at most").fill("0");
  await text("Enter a number from 1 to 255.");
  await field("Show at most").fill("");
  await rows(count);
  const address = await page.locator("tbody tr td:nth-child(2)").first().innerText();
  await field("At address").fill("nonsense");
  await text("This is not an address. Check that all of it was copied, and nothing else.");
  await rows(0);
  await field("At address").fill(address);
  await page.waitForFunction(
    (wanted) => [...document.querySelectorAll("tbody tr td:nth-child(2)")].every((cell) => cell.textContent === wanted),
    address,
  );
  await button("Clear").click();
  await rows(count);
  await field("Amount more than").fill("1000000");
  await text("No output matches. Clear a filter to see more.");
  await shot("coins-none");
  await field("Amount more than").fill("");
  await field("Amount less than").fill("0.02");
  await text("No output matches. Clear a filter to see more.");
  await field("Amount less than").fill("");
  await field("Sum up to").fill("0.01");
  await text("No output matches. Clear a filter to see more.");
  await button("Clear").click();
  await field("Leave out what is locked").check();
  await rows(count);
  await choose(field("Token"), "MOON · Teal Moon 3");
  await totals("3 MOON");
});

step("a node that goes away is told of, and found again", async () => {
  await go("Overview");
  await network.control("node", { mode: "down" });
  await text("The connection to the full node is lost");
  await page.getByText(/^Next try in \d+ seconds?\.$/).waitFor();
  await shot("node-gone", { narrow: true });
  await button("Try now").click();
  await page.getByText(/^Next try in \d+ seconds?\.$/).waitFor();
  await network.control("node");
  // It may have tried by itself just now, and the button is gone with what it is about.
  const found = page.getByText("The connection to the full node is lost").waitFor({ state: "detached" });
  await Promise.any([button("Try now").click(), found]);
  await found;
  await go("Receive");
  await button("Get test coins").click();
  await go("Overview");
  await balance("205.46");
});

step("a change of the network that this version does not know is told of, and at the next start too", async () => {
  await network.control("features", { features: { TOKEN_AMOUNT_V2: "LOCKED_IN", FEE_TOKENS: "ACTIVE" } });
  await network.control("disconnect");
  await text("The network is about to change (TOKEN_AMOUNT_V2)");
  await text("This version of the wallet shows amounts with 18 decimals, and sends whole cents only. Use a newer version.");
  await shot("network-changes", { narrow: true });
  await network.control("features", { features: { NEXT: "ACTIVE" } });
  await network.control("disconnect");
  await text("The network has changed (NEXT)");
  await page.getByText("The network is about to change (TOKEN_AMOUNT_V2)").waitFor({ state: "detached" });
  await lock();
  await page.getByText("The network has changed (NEXT)").waitFor({ state: "detached" });
  await unlock();
  await text("The network has changed (NEXT)");
  await text("This version of the wallet does not know the change: payments may be missing, and what you send may be refused. Use a newer version.");
  await network.control("features");
  await network.control("disconnect");
  await page.getByText("The network has changed (NEXT)").waitFor({ state: "detached" });
});

step("the stored words open the wallet again, with their password alone", async () => {
  await lock();
  await unlock("seven quiet otter");
  await text("That is not the password");
  await shot("unlock-wrong");
  await unlock();
  await balance("205.46");
  await page.reload();
  await heading("Welcome back");
  await shot("unlock");
  // The history is kept beside the words: nine transactions, and the counters. Nothing of it can be read.
  const entries = await kept();
  assert.equal(entries.length, 10);
  for (const { key, bytes } of entries) {
    assert.match(key.join(), /^[0-9a-f]{64},[0-9a-f]{64}$/);
    assert.doesNotMatch(bytes, /[\x20-\x7e]{16}/, "no text is left in it");
  }
  await unlock();
  await balance("205.46");
});

step("while the history is read the page says how far it is, and can be left", async () => {
  await lock();
  await network.control("node", { mode: "slow" });
  await unlock();
  await heading("Opening your wallet");
  await page.getByRole("progressbar", { name: "Reading the history" }).waitFor();
  await text("0 addresses checked, 0 transactions found");
  await shot("opening");
  await button("Cancel").click();
  await heading("Welcome back");
  await network.control("node");
  await unlock();
  await balance("205.46");
});

step("a node that does not answer at the start is told of, with what to do", async () => {
  await lock();
  await network.control("node", { mode: "down" });
  await unlock();
  await heading("The wallet could not be opened");
  // It looks as where an open wallet has lost its node.
  assert.equal(await page.locator(".dot").getAttribute("class"), "dot dot-bad");
  await text("Check that it is running and that its address in the settings is right.");
  // What is for who runs a node is folded away.
  const origins = page.getByText("A node answers a page only if it allows the page's origin; a node of your own allows http://localhost:3000.", { exact: true });
  assert.deepEqual([await origins.count(), await origins.isVisible()], [1, false]);
  await shot("failed");
  await network.control("node");
  await button("Try again").click();
  await balance("205.46");
});

step("the settings point the wallet elsewhere, and show the words to who has the password", async () => {
  await page.getByRole("button", { name: /^Network: / }).click();
  const networks = page.getByRole("dialog", { name: "Network" });
  await networks.waitFor();
  await shot("network");
  await networks.getByLabel(/^Custom node/).check();
  await field("Full node").fill("node.example");
  await button("Save and reconnect").click();
  await text("Enter an address such as https://node.example/v1a/.");
  await field("Full node").fill("http://127.0.0.1:1/v1a/");
  await button("Save and reconnect").click();
  await heading("The wallet could not be opened");
  await text("The full node does not answer");
  await button("Network").click();
  await networks.getByLabel(/^Local network/).check();
  await button("Save and reconnect").click();
  await balance("205.46");

  await page.getByRole("link", { name: "Settings" }).click();
  await heading("Settings");
  const settings = page.getByRole("main");
  await shot("settings");
  await settings.getByLabel("Dark").check({ force: true });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).colorScheme), "dark");
  await button("Show the seed phrase").click();
  await field("Password").fill("not this one");
  await button("Show the seed phrase").click();
  await text("That is not the password");
  await field("Password").fill("");
  await settings.getByRole("alert").waitFor({ state: "detached" }); // it was about that password
  await field("Password").fill(PASSWORD);
  await button("Show the seed phrase").click();
  await page.locator(".words li").first().waitFor();
  assert.deepEqual(await page.locator(".words li").allTextContents(), words);
  await button("Hide it").click();
  assert.equal(await page.locator(".words li").count(), 0);
  await settings.getByLabel("System", { exact: true }).check({ force: true });
});

step("a long history is shown a page at a time", async () => {
  await go("Receive");
  const address = await page.locator("[data-testid=address]").innerText();
  await network.control("fund", { address, amount: 1, count: 300 });
  await go("History");
  await heading("309 transactions");
  const shown = (count) => page.waitForFunction((n) => document.querySelectorAll(".activity").length === n, count);
  await shown(25);
  await text("1 to 25 of 309");
  assert.ok(await button("Newer").isDisabled());
  // Whatever the page shows, its words are of the rows that are there.
  await page.evaluate(() => {
    globalThis.wrong = [];
    const look = () => {
      const [, first, last] = document.querySelector(".pager")?.textContent.match(/^(\d+) to (\d+) of 309/) ?? [];
      const rows = document.querySelectorAll(".activity").length;
      if (first && rows !== last - first + 1) wrong.push(`${first} to ${last}: ${rows}`);
    };
    globalThis.watcher = new MutationObserver(look);
    watcher.observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true });
  });
  await button("Older").click();
  await text("26 to 50 of 309");
  const top = await page.evaluate(() => document.querySelector(".day h3").getBoundingClientRect().top);
  assert.ok(top > 0 && top < 400, `the list is shown from its beginning on, which is at ${top}`);
  await shot("history-long", { narrow: true });
  for (let from = 25; from + 25 < 309; from += 25) await button("Older").click();
  await text("301 to 309 of 309");
  await shown(9);
  assert.ok(await button("Older").isDisabled());
  await button("Newer").click();
  await text("276 to 300 of 309");
  assert.deepEqual(await page.evaluate(() => (watcher.disconnect(), wrong)), []);
  await go("UTXOs");
  await text("There may be more: this is the most that is shown.");
  await rows(255);
  await go("Overview");
  await balance("208.46");
});

step("a wallet is restored from its words, each checked as it is typed", async () => {
  await page.getByRole("link", { name: "Settings" }).click();
  await button("Remove from this device").click();
  await field("Password").fill(PASSWORD);
  await button("Show the seed phrase first").click();
  assert.ok(await button("Remove from this device").isDisabled());
  await field("I have this seed phrase on paper").check();
  await shot("remove");
  await button("Remove from this device").click();
  await text("The wallet is removed from this device. It stays open until you lock it or leave the page.");
  await button("Lock the wallet").click();
  await heading("Your wallet, in this page only");
  while ((await kept()).length > 0) await page.waitForTimeout(20);
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await heading("Restore a wallet");
  await text("0 of 24 words. You can paste them all at once.");
  const place = (number) => page.getByLabel(`Word ${number}`, { exact: true });

  // Typed: a space goes on to the next field, and completes what can only be one word.
  await place(1).press("a");
  const first = (state) => page.locator(`#word-0[aria-invalid=${state}]`).waitFor();
  await first("false"); // it may become a word
  await place(1).fill("absurdl");
  await first("true");
  await place(1).fill("absur");
  await place(1).press(" ");
  await page.waitForFunction(() => document.activeElement.id === "word-1");
  assert.equal(await place(1).inputValue(), "absurd");

  await paste(place(2), [...words.slice(0, 11), "hathor", ...words.slice(12)].join(" "));
  await text("Word 12 is not in the list of words. Check the spelling.");
  await shot("restore-unknown", { narrow: true });
  const swapped = [words[23], ...words.slice(1, 23), words[0]];
  await paste(place(5), swapped.join("\n"));
  // One in 256 orders of words passes for a wallet's by chance.
  await page.getByText(/^(✓ 24 words, and they belong together\.|Every word is in the list, but together they are not valid\..*)$/).waitFor();
  if (!(await page.getByText("✓ 24 words, and they are valid.").isVisible())) {
    assert.ok(await button("Continue").isDisabled());
    await shot("restore-order");
  }
  await paste(place(1), ` ${words.join(", ").toUpperCase()} `);
  await text("✓ 24 words, and they are valid.");
  await shot("restore");
  await button("Continue").click();
  await heading("Keep the seed phrase on this device?");
  await button("Open the wallet").click();
  await balance("208.46");
  await page.reload();
  await heading("Your wallet, in this page only");
  assert.deepEqual(await kept(), [], "who keeps no words keeps no history");
});

step("no secret and no trouble has come out of the page", async () => {
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  const told = browser.said.join("\n");
  for (const secret of [words.join(" "), words.slice(0, 4).join(" "), PASSWORD]) {
    assert.ok(!stored.includes(secret));
    assert.ok(!told.includes(secret));
  }
  // The node that was away on purpose leaves its traces; nothing else may.
  const trouble = browser.said.filter((line) => /^(error|warning|uncaught)/.test(line) && !/Failed to load resource|WebSocket connection to|blocked by CORS policy|ERR_/.test(line));
  assert.deepEqual(trouble, []);
});

/** What is kept beside the words, in the databases of all wallets. */
const kept = () =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name.startsWith("headless-wallet"));
    const read = (name) =>
      new Promise((resolve) => {
        indexedDB.open(name).onsuccess = ({ target: { result: database } }) => {
          if (!database.objectStoreNames.contains("entries")) return database.close(), resolve([]);
          const store = database.transaction("entries").objectStore("entries");
          const [keys, values] = [store.getAllKeys(), store.getAll()];
          values.onsuccess = () => {
            database.close();
            resolve(keys.result.map((key, at) => ({ key, bytes: String.fromCharCode(...values.result[at]) })));
          };
        };
      });
    return (await Promise.all(names.map(read))).flat();
  });

/** As the clipboard does it. */
async function paste(into, phrase) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), phrase);
  await into.focus();
  await page.keyboard.press("Control+V");
}
