// How the page looks and holds together: what is told at every width, what stands out, and what covers nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { generateMnemonic, Wallet } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on, openWallet } from "./support/wallet.mjs";

const [, VERSION] = readFileSync(new URL("../../Cargo.toml", import.meta.url), "utf8").match(/^version = "(.+)"$/m);

let network;
let server;
let browser;
let page;
let parts;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browser = await startBrowser(server.port);
  ({ page } = browser);
  // No wallet here is kept: whoever leaves one is asked whether to.
  page.on("dialog", (dialog) => void dialog.accept());
  parts = on(page);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

/** A wallet that has so many payments of a cent less each, and `token` of a token that it has made. */
async function walletOf(payments, token) {
  const seed = generateMnemonic();
  const { nodeUrl, miningUrl } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const address = await wallet.address();
  for (let n = 0; n < payments; n += 1) await network.control("fund", { address, amount: 1_000 - n });
  while ((await wallet.history()).length < payments) await wallet.once("balance");
  if (token) await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: token });
  await wallet.stop();
  return seed;
}

/** Of two boxes, whether they have a part in common. */
const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("the network is named at every width, and real money looks different", { timeout: 60_000 }, async () => {
  const { button } = parts;
  const chip = page.locator(".network .place");
  const looks = () => page.locator(".network").evaluate((shown) => getComputedStyle(shown).backgroundColor);
  await page.goto(ORIGIN);
  const seen = {};
  /** Chooses a network, whose name is then told whole at every width. */
  const go = async (choice, name) => {
    await page.getByRole("button", { name: /^Network: / }).click();
    await choice();
    await button("Save").click();
    await chip.getByText(name, { exact: true }).waitFor();
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { x, y, ...box } = await chip.boundingBox();
      assert.ok(x >= 0 && x + box.width <= width && y < 100, `${name} at ${width}`);
      assert.ok(await chip.evaluate((shown) => shown.scrollWidth <= shown.clientWidth + 1), `${name} in full at ${width}`);
    }
    seen[name] = await looks();
  };
  // Somebody's own node is of one of the same networks.
  const custom = async (network) => {
    await page.getByRole("radio", { name: /^Custom node/ }).check();
    await choose(page.getByRole("combobox", { name: "Network", exact: true }), network);
  };
  for (const name of ["Mainnet", "Testnet", "Local network"]) {
    await go(() => custom(name), `Custom, ${name}`);
    await go(() => page.getByRole("radio", { name: new RegExp(`^${name}`) }).check(), name);
    assert.equal(seen[`Custom, ${name}`], seen[name]);
  }
  assert.notEqual(seen.Mainnet, seen.Testnet);
  assert.equal(seen.Testnet, seen["Local network"]);
});

test("the network is named by what it is, wherever the page comes from", { timeout: 60_000 }, async () => {
  const named = async (url, place) => {
    const shown = await page.context().newPage();
    await shown.route("https://wallet.example/**", async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: `http://127.0.0.1:${server.port}${pathname}` }) });
    });
    await shown.route("**/place.json", (route) => route.fulfill(place ? { json: place } : { status: 404 }));
    await shown.goto(url);
    await shown.evaluate(() => localStorage.clear());
    await shown.reload();
    const name = await shown.locator(".network .place").innerText();
    await shown.getByRole("button", { name: /^Network: / }).click();
    await shown.getByRole("dialog").waitFor();
    const listed = await shown.locator(".option strong").allInnerTexts();
    assert.equal(new Set(listed).size, listed.length, `each network is listed once: ${listed}`);
    assert.ok(listed.includes(name));
    await shown.close();
    return name;
  };
  const { nodeUrl, miningUrl } = network;
  assert.equal(await named(ORIGIN), "Local network");
  assert.equal(await named(ORIGIN, { network: "privatenet", nodeUrl, miningUrl }), "Local network");
  assert.equal(await named(ORIGIN, { network: "mainnet", nodeUrl, miningUrl }), "Mainnet");
  // A visitor's computer has no node.
  assert.equal(await named("https://wallet.example/"), "Testnet");
  assert.equal(await named("https://wallet.example/", { network: "mainnet", nodeUrl, miningUrl }), "Mainnet");
});

test("the first screen has one button that stands out, and says what the page is", { timeout: 60_000 }, async () => {
  await page.goto(ORIGIN);
  await page.getByRole("heading", { name: "Your wallet, in this page only" }).waitFor();
  assert.deepEqual(await page.locator("main .primary").allInnerTexts(), ["Create a wallet"]);
  // Nobody has asked the node for anything yet.
  assert.equal(await page.locator(".dot").getAttribute("class"), "dot dot-unknown");
  assert.equal(await page.locator(".trust").innerText(), `Open source, version ${VERSION}. It connects to the node at ${new URL(network.nodeUrl).host}.`);
});

test("a wallet without anything has one button that stands out, and what is told covers nothing", { timeout: 60_000 }, async () => {
  const { button } = parts;
  await openWallet(page, generateMnemonic());
  await page.getByText("Nothing here yet").waitFor();
  assert.deepEqual(await page.locator("main .primary").allInnerTexts(), ["Get test coins"]);
  assert.equal(await page.locator(".empty p").innerText(), "To begin, press “Get test coins”: this local network gives them to everyone.");
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 820 });
    const pressed = button("Get test coins");
    await pressed.click();
    const notice = page.locator(".notice").first();
    await notice.waitFor();
    for (const box of [await pressed.boundingBox(), ...(await boxesOf(page.locator(".nav a:visible")))]) {
      assert.ok(!meet(await notice.boundingBox(), box), `a notice covers something at ${width}`);
    }
    await page.getByRole("button", { name: "Dismiss" }).first().click();
  }
  await page.setViewportSize({ width: 1280, height: 820 });
});

test("a wallet without anything where nobody gives coins away is told to receive some", { timeout: 60_000 }, async () => {
  // The version of a private network's node, which is asked for nothing that it does not know.
  const version = "**/v1a/version";
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.route(version, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), version: "0.70.0" } });
  });
  await openWallet(page, generateMnemonic());
  await page.getByText("Nothing here yet").waitFor();
  assert.deepEqual(await page.locator("main .primary").allInnerTexts(), ["Show my address"]);
  assert.equal(await page.locator(".empty p").innerText(), "To begin, receive something: show your address to somebody who sends you HTR.");
  assert.deepEqual(asked.filter((path) => path.startsWith("/devnet/")), []);
  await page.unroute(version);
});

const boxesOf = async (found) => Promise.all((await found.all()).map((one) => one.boundingBox()));

test("24 words stand in as many columns as there is room for, and none is cut", { timeout: 60_000 }, async () => {
  const { button, heading } = parts;
  // There is no wider word.
  const words = [...Array(23).fill("mushroom"), "leopard"].join(" ");
  /** At each width: how many columns of words there are, and how many words have less room than they take. */
  const seen = async (found) => {
    const looks = [];
    for (const width of [320, 390, 640, 1280]) {
      await page.setViewportSize({ width, height: 820 });
      assert.equal(await found.count(), 24);
      looks.push(
        await found.evaluateAll((shown) => ({
          columns: new Set(shown.map((one) => one.getBoundingClientRect().x)).size,
          cut: shown.filter((one) => one.scrollWidth > one.clientWidth).length,
        })),
      );
    }
    return looks;
  };
  const whole = [1, 2, 3, 4].map((columns) => ({ columns, cut: 0 }));
  await page.goto(ORIGIN);
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await page.getByLabel("Word 1", { exact: true }).fill(words);
  await page.getByText("✓ 24 words, and they are valid.").waitFor();
  assert.deepEqual(await seen(page.locator(".word-grid input")), whole);
  await button("Continue").click();
  await button("Open the wallet").click();
  await heading("Balance");
  await page.getByRole("link", { name: "Settings" }).click();
  await button("Show the seed phrase").click();
  await page.locator(".nested").getByRole("button", { name: "Show the seed phrase" }).click();
  await page.locator(".words li").last().waitFor();
  assert.deepEqual(await seen(page.locator(".words li")), whole);
  await button("Hide it").click();
});

test("a large screen has the page in its middle", { timeout: 60_000 }, async () => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const [{ x, width }, nav] = [await page.locator("main").boundingBox(), await page.locator(".nav").boundingBox()];
  assert.ok(Math.abs(x - nav.width - (1920 - x - width)) <= 1);
  await page.setViewportSize({ width: 1280, height: 820 });
});

test("a history goes on from its beginning, and its part stands in the address", { timeout: 90_000 }, async () => {
  const { button, go, heading } = parts;
  await openWallet(page, await walletOf(30, 1_000));
  await go("History");
  await heading("31 transactions");
  await button("Older").click();
  await page.getByText("26 to 31 of 31", { exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelector("#list-title").getBoundingClientRect().top >= 0);
  const { y } = await page.locator("#list-title").boundingBox();
  assert.ok(y < 300, "one is at the beginning of the list");
  assert.match(page.url(), /page=2/);
  await go("Overview");
  await page.goBack();
  await page.getByText("26 to 31 of 31", { exact: true }).waitFor();
});

test("who melts for nothing is told so twice", { timeout: 60_000 }, async () => {
  const { button, field } = parts;
  const nothing = "This gives nothing back: there is no deposit for this token, or for so small an amount.";
  await parts.manage("Coffee", "Melt");
  await field("Amount to melt").fill("0.50");
  await page.getByText(nothing, { exact: true }).waitFor();
  await button("Review").click();
  const dialog = page.getByRole("dialog", { name: "Melt this?" });
  await dialog.getByText(nothing, { exact: true }).waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Melt for nothing" }).evaluate((shown) => shown.classList.contains("danger")));
  // The page behind stays where it is.
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, 400);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await button("Edit").click();
});

test("a name of which others would not see all is refused", { timeout: 60_000 }, async () => {
  const { field, go, heading } = parts;
  await go("Tokens");
  const tab = page.getByRole("navigation", { name: "What to do with tokens" });
  await tab.getByRole("link", { name: "New token" }).click();
  await field("Name").fill("Cof\u202efee");
  await page.getByText("Others would not see all of it: remove the characters that can't be seen.", { exact: true }).waitFor();
  await field("Name").fill("👩‍👩‍👧‍👦 Coffee");
  await page.getByText("Others would not see all of it: remove the characters that can't be seen.", { exact: true }).waitFor({ state: "detached" });
  await heading("Tokens");
});

test("on a phone a page that the list of tools leads to is marked as part of it, and leads back", { timeout: 60_000 }, async () => {
  const background = (name) => page.locator(".nav a", { hasText: name }).evaluate((shown) => getComputedStyle(shown).backgroundColor);
  const back = page.locator("main .back", { hasText: "Tools" });
  for (const name of ["Swap", "Tokens"]) {
    await parts.go(name);
    const marked = await background(name);
    assert.notEqual(await background("Tools"), marked);
    assert.ok(await back.isHidden(), `${name} stands in the menu itself`);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await background("Tools"), marked);
    await back.click();
    await parts.heading("Tools");
    await page.setViewportSize({ width: 1280, height: 820 });
  }
});

test("on a phone the first output is seen before any filter is opened", { timeout: 60_000 }, async () => {
  const { go } = parts;
  await go("UTXOs");
  await page.locator("tbody tr").first().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok(await parts.field("Amount more than").isHidden());
  const { y } = await page.locator("tbody tr").first().boundingBox();
  assert.ok(y < 844 - 80, `the first output stands at ${y}`);
  await page.setViewportSize({ width: 1280, height: 820 });
});

test("on a phone all of a row is seen, and a button stands on the line of what it copies", { timeout: 60_000 }, async () => {
  const { button, go } = parts;
  /** How far what is shown reaches to the side of what is seen, and buttons that stand on no line of their text. */
  const faults = () =>
    page.evaluate(() => {
      const aside = [...document.querySelectorAll(".scroll")].map((box) => box.scrollWidth - box.clientWidth);
      const alone = [...document.querySelectorAll(".with-copy")].filter((text) => {
        const lines = document.createRange();
        lines.selectNodeContents(text);
        lines.setEndBefore(text.lastElementChild);
        const line = [...lines.getClientRects()].at(-1);
        const { top, bottom } = text.lastElementChild.getBoundingClientRect();
        return line.bottom <= top || line.top >= bottom || (line.top + line.bottom) / 2 < top;
      });
      return { aside: Math.max(0, ...aside), alone: alone.map((text) => text.textContent) };
    });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const view of ["UTXOs", "Receive"]) {
    await go(view);
    await page.locator("tbody tr").first().waitFor();
    for (const width of [320, 390, 600]) {
      await page.setViewportSize({ width, height: 844 });
      assert.deepEqual(await faults(), { aside: 0, alone: [] }, `${view} at ${width}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 820 });
  await go("Tokens");
  await page.getByRole("button", { name: /Coffee/ }).click();
  await page.getByText("Configuration", { exact: true }).waitFor();
  for (const width of [320, 390, 600, 1280]) {
    await page.setViewportSize({ width, height: 820 });
    assert.deepEqual(await faults(), { aside: 0, alone: [] }, `the token at ${width}`);
  }
  await button("Close").click();
});

test("where the system chooses the colours, the current page and the state of the node are still told", { timeout: 60_000 }, async () => {
  await page.emulateMedia({ forcedColors: "active" });
  const current = page.locator(".nav a[aria-current]");
  assert.equal(await current.evaluate((shown) => getComputedStyle(shown).outlineStyle), "solid");
  const others = page.locator(".nav a:not([aria-current])");
  assert.deepEqual([...new Set(await others.evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle)))], ["none"]);
  const dot = await page.locator(".dot").evaluate((shown) => getComputedStyle(shown).backgroundColor);
  assert.notEqual(dot, await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  // The chart is a line there: what is filled would be of one colour with it.
  await parts.go("History");
  const canvas = page.locator(".plot canvas");
  await canvas.waitFor();
  const filled = () => canvas.evaluate((shown) => shown.getContext("2d").getImageData(shown.width / 2, shown.height * 0.6, 1, 1).data[3]);
  assert.equal(await filled(), 0);
  await page.emulateMedia({ forcedColors: "none" });
  await parts.go("Send");
  await parts.go("History");
  await canvas.waitFor();
  assert.notEqual(await filled(), 0);
});

test("what a program calls its settings is folded away below what a person can do", { timeout: 60_000 }, async () => {
  const { button } = parts;
  await network.control("node", { mode: "down" });
  await button("Lock the wallet").click();
  await openingFails();
  const details = page.locator("details.words-of-wallet");
  await details.waitFor();
  assert.equal(await details.evaluate((shown) => shown.open), false);
  const told = await page.getByRole("alert").innerText();
  assert.ok(told.startsWith("The full node does not answer"), told);
  assert.ok(!/nodeUrl/.test(told), told);
  await network.control("node");
});

async function openingFails() {
  await page.getByRole("button", { name: /^Restore a wallet/ }).click();
  await page.getByLabel("Word 1", { exact: true }).fill(generateMnemonic());
  await parts.button("Continue").click();
  await parts.button("Open the wallet").click();
  await parts.heading("The wallet could not be opened");
}
