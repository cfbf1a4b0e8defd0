// What makes the page good to use: the chart says what is pointed at, what is begun stays, and it comes quickly.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { deriveAddresses, verifyMessage, Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on, openWallet } from "./support/wallet.mjs";

const [friend] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
let network;
let server;
let browser;
let page;
let parts;
let words;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  words = generateMnemonic();
  const { nodeUrl, miningUrl } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: words });
  const paid = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 12_345 });
  await paid;
  await wallet.stop();
  browser = await startBrowser(server.port);
  ({ page } = browser);
  parts = on(page);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

/** A file as the server of the page gives it. */
const get = (path, encoding) =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port: server.port, path, headers: { "accept-encoding": encoding } }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => resolve({ headers: answer.headers, bytes: Buffer.concat(chunks) }));
    })
      .on("error", reject)
      .end();
  });

test("the page comes compressed", async () => {
  const file = readFileSync(fileURLToPath(new URL("../../www/dist/index.html", import.meta.url)));
  const plain = await get("/", "identity");
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.deepEqual(plain.bytes, file);
  for (const [accepted, way, open] of [["gzip, deflate, br", "br", brotliDecompressSync], ["gzip", "gzip", gunzipSync]]) {
    const { headers, bytes } = await get("/", accepted);
    assert.equal(headers["content-encoding"], way);
    assert.equal(headers.vary, "Accept-Encoding");
    assert.deepEqual(open(bytes), file);
  }
});

test("what draws the first screen comes before any script", async () => {
  const html = (await get("/", "identity")).bytes.toString();
  const asked = [...html.matchAll(/<(?:link rel="(stylesheet|modulepreload)"|(script) [^>]*src=)[^>]*>/g)].map(([tag, link, script]) => [link ?? script, /fetchpriority="low"/.test(tag)]);
  assert.deepEqual(asked.filter(([kind, low]) => kind === "stylesheet" && !low).length, 1);
  assert.deepEqual(asked[0], ["stylesheet", false]);
  assert.ok(asked.length > 1 && asked.slice(1).every(([kind, low]) => kind !== "stylesheet" && low), JSON.stringify(asked));
});

test("the wallet's core is on its way before it is asked for", { timeout: 60_000 }, async () => {
  const core = page.context().waitForEvent("request", (asked) => asked.url().endsWith(".wasm"));
  await page.goto(ORIGIN);
  await parts.heading("Your wallet, in this page only");
  await core;
});

test("words are pasted with their numbers", { timeout: 60_000 }, async () => {
  const { text } = parts;
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  const numbered = words.split(" ").map((word, at) => `${at + 1}. ${word}`).join("\n");
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), numbered);
  await page.getByLabel("Word 1", { exact: true }).focus();
  await page.keyboard.press("Control+V");
  await text("✓ 24 words, and they are valid.");
  await browser.shot("restore-numbered", { narrow: true });
});

test("the chart says how much there was at what is pointed at, by pointer and by keyboard", { timeout: 60_000 }, async () => {
  await openWallet(page, words);
  await parts.go("History");
  const chart = page.getByRole("img", { name: /^Balance of HTR since / });
  // The pointer rests where a button was, perhaps above the chart: what it points at is not where the keys begin.
  await page.mouse.move(0, 0);
  await chart.focus();
  const told = page.locator(".plot-told");
  /** Presses a key until the chart tells of it: one that is being drawn hears no key yet. */
  const pressUntil = async (key, text) => {
    for (const seen = told.getByText(text); !(await seen.isVisible()); ) await page.keyboard.press(key);
  };
  await pressUntil("ArrowRight", /^\d+ \w+ \d{4}, \d\d:\d\d: 123\.45 HTR$/);
  await pressUntil("ArrowLeft", /: 0\.00 HTR$/);
  const { x, y, width } = await chart.boundingBox();
  // A plot that is drawn anew meanwhile looks at the next movement.
  const pointed = told.getByText(/: 123\.45 HTR$/);
  for (let step = 0; !(await pointed.isVisible()); step += 1) await page.mouse.move(x + width - 60 - (step % 5), y + 60);
  await browser.shot("chart", { narrow: true });
});

test("a payment that was begun is still there after a look at something else", { timeout: 60_000 }, async () => {
  const { button, field, go, heading, more } = parts;
  await go("Send");
  await field("To address").fill(friend);
  await field("Amount").fill("1.5");
  await more();
  await button("Another payment").click();
  await button("Review").click();
  const problems = () => page.locator("main .problem").allTextContents();
  assert.deepEqual(await problems(), ["Enter an address.", "Enter an amount."]);
  // A row that is new is not wrong yet.
  await button("Another payment").click();
  await page.getByRole("group", { name: "Payment 3" }).waitFor();
  assert.deepEqual(await problems(), ["Enter an address.", "Enter an amount."]);
  await go("History");
  await heading("1 transaction");
  await go("Send");
  const first = page.getByRole("group", { name: "Payment 1" });
  assert.equal(await first.getByLabel("To address").inputValue(), friend);
  assert.equal(await first.getByLabel("Amount", { exact: true }).inputValue(), "1.5");
  await page.getByRole("button", { name: "Remove payment 3" }).click();
  await page.getByRole("button", { name: "Remove payment 2" }).click();
  await button("Review").click();
  const dialog = page.getByRole("dialog", { name: /^Send .*\?$/ });
  await dialog.waitFor();
  // The safe choice has the focus.
  assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Edit");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await heading("Sent");
  await page.getByText(friend, { exact: true }).waitFor();
  await go("Overview");
  await go("Send");
  assert.equal(await field("To address").inputValue(), "", "what is sent is begun no more");
});

test("an address that was never paid is pointed out, and a receipt gives way to the form", { timeout: 60_000 }, async () => {
  const { button, field, go, heading } = parts;
  const [stranger] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
  const dialog = page.getByRole("dialog", { name: "Send 0.01 HTR?" });
  const warnings = dialog.getByText("This is your first payment to this address. Compare all of it with what you were given.", { exact: true });
  /** Looks a payment over, once all is known of it. */
  const review = async (address) => {
    await field("To address").fill(address);
    await field("Amount").fill("0.01");
    await button("Review").click();
    await dialog.locator("button:enabled", { hasText: /^Send$/ }).waitFor();
  };
  await go("Send");
  await review(friend);
  assert.equal(await warnings.count(), 0, "it was paid above");
  await button("Edit").click();
  await review(stranger);
  assert.equal(await warnings.count(), 1);
  // In groups of four, of which both ends stand out, and without a space in what is copied.
  const groups = dialog.locator(".address-text > span");
  assert.deepEqual(await groups.allTextContents(), stranger.match(/.{1,4}/g));
  assert.deepEqual(await dialog.locator(".address-end").allTextContents(), [stranger.slice(0, 4), stranger.slice(28, 32), stranger.slice(32)]);
  assert.equal(await dialog.locator(".address-text").innerText(), stranger);
  await dialog.getByText("Network fee", { exact: true }).waitFor();
  await browser.shot("review-first", { narrow: true });
  await button("Send").click();
  await heading("Sent");
  await go("Send");
  assert.equal(await field("To address").inputValue(), "");
  await review(stranger);
  assert.equal(await warnings.count(), 0);
  await button("Edit").click();
  await field("To address").fill("");
  await field("Amount").fill("");
});

test("payments and texts are numbered where there are several of them", { timeout: 60_000 }, async () => {
  const { button, go, more } = parts;
  await go("Send");
  const headings = () => page.locator("main fieldset h2").allInnerTexts();
  const removals = () => page.locator("main fieldset .card-head button").evaluateAll((all) => all.map((one) => one.ariaLabel));
  const rows = (count) => page.waitForFunction((wanted) => document.querySelectorAll("main fieldset").length === wanted, count);
  assert.deepEqual([await headings(), await removals()], [[], []]);
  await more();
  await button("Data").click();
  await rows(2);
  assert.deepEqual([await headings(), await removals()], [["Payment", "Data"], ["Remove payment", "Remove data"]]);
  await button("Another payment").click();
  await button("Data").click();
  await rows(4);
  assert.deepEqual(await headings(), ["Payment 1", "Data 1", "Payment 2", "Data 2"]);
  assert.deepEqual(await removals(), ["Remove payment 1", "Remove data 1", "Remove payment 2", "Remove data 2"]);
  await button("Remove payment 2").click();
  await button("Remove payment").click();
  await button("Remove data 1").click();
  await rows(1);
  assert.deepEqual([await headings(), await removals()], [[], []]);
  await page.getByRole("group", { name: "Data" }).waitFor();
  await button("Another payment").click();
  await button("Remove data").click();
  await rows(1);
});

test("addresses run out, and the page says why", { timeout: 60_000 }, async () => {
  const { button, go, text } = parts;
  await go("Receive");
  const current = () => page.locator("[data-testid=address]").innerText();
  for (let tries = 0; tries < 30; tries += 1) {
    const before = await current();
    await button("Next address").click();
    await page.waitForFunction(
      (old) => document.querySelector("[data-testid=address]").textContent.trim() !== old || document.querySelector(".notice") !== null,
      before,
    );
    if ((await current()) === before) break;
  }
  await text("There are already 20 unused addresses. Use one of them, below: another one might not be found when the wallet is restored.");
  await page.getByRole("button", { name: /^QR code and label of address 0$/ }).click();
  const dialog = page.getByRole("dialog", { name: "Address" });
  await dialog.getByLabel("Label").fill("Savings");
  await browser.shot("address", { narrow: true });
  await button("Close").click();
  await page.locator(".addresses .activity-label", { hasText: "Savings" }).waitFor();
  await browser.shot("addresses", { narrow: true });
});

test("a faucet that is away says so in plain words", { timeout: 60_000 }, async () => {
  const { button, text } = parts;
  await page.route("**/devnet/fund", (route) => route.abort());
  await button("Get test coins").click();
  await text("The local network does not answer. Check that it is running, and try again.");
});

test("nothing is cut off at any width, with a classic scrollbar or without", { timeout: 90_000 }, async () => {
  const pages = ["overview", "receive", "send", "swap", "tokens", "tokens/create", "tokens/nft", "tokens/mint", "history", "tools", "tools/book", "tools/messages", "tools/contract", "tools/coins", "settings"];
  const cut = [];
  // A window of 1,280 pixels at 200 % is 640 wide.
  for (const width of [305, 320, 390, 640, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of pages) {
      await page.evaluate((hash) => (location.hash = hash), `#/${name}`);
      await page.waitForFunction((hash) => document.querySelector(":is(.nav, .bar) a[aria-current]")?.hash.startsWith(hash), `#/${name.split("/")[0]}`);
      // The nodes of what is beside a page, and not in a part of it that scrolls.
      const beside = await page.evaluate(() => {
        const scrolls = (part) => part.closest(".scroll, .visually-hidden, .skip, .plot, .segments, .notices") !== null;
        return [...document.querySelectorAll("body *")].filter((part) => {
          const { left, right, width } = part.getBoundingClientRect();
          return width > 0 && !scrolls(part) && (right > innerWidth + 1 || left < -1);
        }).map((part) => part.outerHTML.slice(0, 80));
      });
      if (beside.length > 0) cut.push(`${width} ${name}: ${beside[0]}`);
    }
  }
  assert.deepEqual(cut, []);
});

test("a message is signed, and verified", { timeout: 60_000 }, async () => {
  const { button, field, go, text } = parts;
  await page.setViewportSize({ width: 1180, height: 820 });
  await go("Messages");
  const sign = page.getByRole("form", { name: "Sign a message" });
  const verify = page.getByRole("form", { name: "Verify a message" });
  await sign.getByLabel("Message").fill("It is mine. ✓");
  const address = await field("Your address").inputValue();
  await button("Sign").click();
  const signature = (await page.locator("[data-testid=signature]").innerText()).trim();
  assert.match(signature, /^[A-Za-z0-9+/]{87}=$/);
  assert.equal(verifyMessage({ message: "It is mine. ✓", address, signature }), true);
  await field("Their address").fill(address);
  await verify.getByLabel("Message").fill("It is mine. ✓");
  await field("Signature").fill(signature);
  await button("Verify").click();
  await text("✓ The owner of this address signed exactly this message.");
  await browser.shot("messages", { narrow: true });
  await verify.getByLabel("Message").fill("It is mine.");
  await button("Verify").click();
  await text("This is not a signature of this message by this address.");
  await field("Your address").fill(friend);
  await button("Sign").click();
  await text("The address does not belong to this wallet");
});

test("who leaves a wallet that is not kept is asked first", { timeout: 60_000 }, async () => {
  const asked = page.waitForEvent("dialog");
  const reload = page.reload();
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
  await reload;
  await parts.heading("Your wallet, in this page only");
});
