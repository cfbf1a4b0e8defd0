// Requests for payments: made in one wallet, read in another, and those of Hathor's wallet for phones.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { deriveAddresses, Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, chosenOf, on, openWallet, plain } from "./support/wallet.mjs";

const [friend] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
const CAFE = "ca".repeat(32);

test("a request is read as it was written, and what is none is told from one", async (t) => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  const vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  t.after(() => vite.close());
  const { readRequest, writeJson, writeLink } = await vite.ssrLoadModule("/src/request.ts");
  const htr = { uid: "00", name: "Hathor", symbol: "HTR", nft: undefined };
  const cafe = { uid: CAFE, name: 'Corner "Café"', symbol: "CAFE", nft: undefined };
  const whole = { address: friend, amount: "12.50", token: CAFE, label: "Two coffees & cake", expires: 1_800_000_000 };
  const link = writeLink({ ...whole, amount: 1_250n }, cafe);
  assert.equal(link, `hathor:${friend}?amount=12.50&token=${CAFE}&label=Two+coffees+%26+cake&expires=2027-01-15T08%3A00%3A00.000Z`);
  assert.deepEqual(readRequest(link), whole);
  assert.deepEqual(readRequest(` HATHOR:${friend}?amount=3 `), { address: friend, amount: "3", token: "00", label: "", expires: undefined });
  assert.equal(writeLink({ ...whole, amount: "", token: "00", label: "", expires: undefined }, htr), `hathor:${friend}`);
  const json = writeJson(friend, 9_007_199_254_740_993n, cafe);
  assert.equal(json, `{"address":"hathor:${friend}","amount":9007199254740993,"token":{"uid":"${CAFE}","name":"Corner \\"Café\\"","symbol":"CAFE"}}`);
  assert.deepEqual(readRequest(json), { address: friend, amount: 9_007_199_254_740_993n, token: CAFE, label: "", expires: undefined });
  for (const text of ["", friend, `hathor:${friend}`, "https://example.org/?amount=3", "{", '{"address":5}', `bitcoin:${friend}?amount=1`]) {
    assert.equal(readRequest(text), undefined, text);
  }
  for (const [text, message] of [
    [`hathor:${friend}?amount=1&req-split=yes`, "This request needs something that this wallet does not know: req-split."],
    [`hathor:${friend}?token=cafe`, "The token of this request can't be read."],
    [`hathor:${friend}?expires=soon`, "The expiry time of this request can't be read."],
    [`{"address":"hathor:${friend}","amount":-5,"token":{"uid":"00"}}`, "The amount of this request can't be read."],
    [`{"address":"hathor:${friend}","amount":1.5,"token":{"uid":"00"}}`, "The amount of this request can't be read."],
  ]) {
    assert.throws(() => readRequest(text), { message }, text);
  }
});

test("a request is made, and paid", { timeout: 120_000 }, async (t) => {
  const network = await startDevnet("--block-interval", "0");
  t.after(() => network.stop());
  const server = await servePage(network);
  t.after(() => server.stop());
  const { nodeUrl, miningUrl } = network;
  const seed = generateMnemonic();
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const balance = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 10_000 });
  await balance;
  const { hash: token } = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 10_000 });
  await wallet.stop();
  const browser = await startBrowser(server.port);
  t.after(() => browser.stop());
  const { page } = browser;
  await openWallet(page, seed);
  const { button, field, go, heading, more, text } = on(page);

  await go("Receive");
  const address = await page.locator("[data-testid=address]").innerText();
  await page.getByText("Ask for an amount").click();
  await field("Amount").fill("12.5");
  await choose(field("Token"), "CFE · Coffee 100.00");
  await field("What for").fill("Two coffees");
  await page.getByRole("img", { name: "QR code of the request" }).waitFor();
  await browser.shot("request", { narrow: true });
  await button("Copy the link").click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, `hathor:${address}?amount=12.50&token=${token}&label=Two+coffees`);
  await page.locator(".addresses .activity-label", { hasText: "Two coffees" }).waitFor();
  const code = await page.getByRole("img", { name: "QR code of the request" }).screenshot();

  await go("Send");
  await field("To address").fill(link.replace(address, friend));
  assert.equal(await field("To address").inputValue(), friend);
  assert.deepEqual([await field("Amount").inputValue(), await chosenOf(field("Token")), await field("Label").inputValue()], ["12.50", "CFE", "Two coffees"]);
  // What phones show.
  await field("Amount").fill("");
  await page.locator("input[type=file]").setInputFiles({ name: "request.png", mimeType: "image/png", buffer: code });
  await page.waitForFunction((wanted) => document.querySelector("main input.mono").value === wanted, address);
  assert.deepEqual([await field("Amount").inputValue(), await chosenOf(field("Token"))], ["12.50", "CFE"]);

  await field("To address").fill(`hathor:${friend}?amount=1&expires=2020-01-01T00:00:00Z`);
  await page.getByText(/^This request expired on 1 Jan 2020, /).waitFor();
  await field("To address").fill(`hathor:${friend}?amount=1&token=${CAFE}`);
  await text("This request is for a token that this wallet does not have: cacacaca…cacaca.");
  await text("This is not an address. Check that all of it was copied, and nothing else.");

  const refusals = page.getByRole("button", { name: "Dismiss" });
  while ((await refusals.count()) > 0) await refusals.first().click();

  // "All" is what the other rows leave.
  await field("To address").fill(friend);
  await choose(field("Token"), /^HTR /);
  await field("Amount").fill("50");
  await more();
  await button("Data").click();
  await field("Text").fill("x");
  await button("Another payment").click();
  const last = page.getByRole("group", { name: "Payment 2" });
  await last.getByText("48.99 HTR can be spent.").waitFor();
  await last.getByRole("button", { name: "All" }).click();
  await last.getByLabel("To address").fill(friend);
  await text("Costs 0.01 HTR for data.");
  await button("Review").click();
  const dialog = page.getByRole("dialog", { name: /^Send .*\?$/ });
  const fact = async (name) => plain(await dialog.locator(`dt:text-is("${name}") + dd`).innerText());
  await dialog.getByText("0.01 HTR (data)").waitFor();
  assert.deepEqual([await fact("Total, cost included"), await fact("Cost"), await fact("Balance afterwards")], ["99.00 HTR", "0.01 HTR (data)", "0.00 HTR"]);
  assert.equal(plain(await dialog.locator(".review-network").innerText()), "Network: Local network");
  await browser.shot("send-all-review", { narrow: true });
  await button("Send").click();
  await heading("Sent");
});
