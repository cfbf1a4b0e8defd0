// The history: what is found in it, what is noted of it, and what leaves it as a file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { deriveAddresses, Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on, openWallet, plain } from "./support/wallet.mjs";

let network;
let server;
let browser;
let page;
let parts;
let sent;
let token;
let seed;
const [friend] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  const { nodeUrl, miningUrl } = network;
  seed = generateMnemonic();
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const balance = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 10_000 });
  await balance;
  ({ hash: token } = await wallet.createToken({ name: '=HYPERLINK("x")', symbol: "=CF", amount: 10_000 }));
  ({ hash: sent } = await wallet.sendTx({ outputs: [{ address: friend, value: 1_250 }, { address: friend, value: 300, token }, { type: "data", data: "For the coffee, \"twice\"" }] }));
  await wallet.sendTx({ outputs: [{ type: "data", data: "a proof" }] });
  await wallet.stop();
  browser = await startBrowser(server.port);
  ({ page } = browser);
  parts = on(page);
  await openWallet(page, seed);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

const found = (title) =>
  page.waitForFunction((wanted) => [...document.querySelectorAll(".activity-title")].map(({ textContent }) => textContent).join() === wanted, title);

test("transactions are found by what they are and by what stands in them", { timeout: 90_000 }, async () => {
  const { field, go, heading, text, button } = parts;
  await go("History");
  await heading("4 transactions");
  await heading("Today");
  // Each of them spends the change of the one below it.
  await found('Wrote data,Sent,Created token =HYPERLINK("x"),Received');
  await choose(field("Kind"), "Sent");
  await found("Sent");
  await choose(field("Kind"), "Swaps");
  await text("None matches.");
  await choose(field("Kind"), "All");
  await field("Find").fill("PROOF");
  await found("Wrote data");
  await field("Find").fill(friend.slice(3, 20));
  await found("Sent");
  await field("Find").fill(sent.slice(0, 12));
  await heading("1 transaction");
  await browser.shot("history-found", { narrow: true });
  // It stands in the address: it is there again after going elsewhere and back.
  await go("Overview");
  await page.goBack();
  assert.equal(await field("Find").inputValue(), sent.slice(0, 12));
  await heading("1 transaction");

  await page.locator(".activity").click();
  const dialog = page.getByRole("dialog", { name: "Sent" });
  await dialog.waitFor();
  assert.match(page.url(), new RegExp(`tx=${sent}`));
  await dialog.getByText("None yet: it waits for a block", { exact: true }).waitFor();
  await dialog.getByText("Raw bytes of the transaction, in hexadecimal").click();
  const raw = (await dialog.locator(".raw").innerText()).trim();
  const told = await (await fetch(new URL(`transaction?id=${sent}`, network.nodeUrl))).json();
  assert.equal(raw, told.tx.raw);
  await field("Label").fill("Breakfast");
  await browser.shot("transaction-facts", { narrow: true });
  await dialog.getByRole("button", { name: "Copy address" }).first().click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^W\w{33}$/);
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  await network.control("blocks", { count: 3 });
  await field("Find").fill("breakf");
  await heading("1 transaction");
  await page.locator(".activity").click();
  await dialog.locator("dt:text-is('Confirmations') + dd > span:text-is('2')").waitFor();
  await dialog.getByText(/^In block \d+ /).waitFor();
  await button("Close").click();
  await field("Find").fill("");
  await heading("4 transactions");
});

test("it leaves the page as a file, exactly", { timeout: 60_000 }, async () => {
  const { button, go } = parts;
  await go("History");
  const save = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), button(name).click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const csv = await save("Export CSV");
  assert.match(csv.name, /^history-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...lines] = csv.text.split("\r\n");
  assert.equal(head, "time_utc,transaction,kind,voided,token,symbol,name,amount,deposit_htr,fee_htr,data_htr,addresses,data,label");
  assert.equal(lines.pop(), "");
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z,/;
  assert.ok(lines.every((line) => time.test(line)));
  assert.deepEqual(lines.filter((line) => line.includes(sent)).map((line) => line.replace(time, "")), [
    `${sent},sent,false,${token},'=CF,"'=HYPERLINK(""x"")",-3.00,0.00,0.00,0.01,${friend},"For the coffee, ""twice""",Breakfast`,
    `${sent},sent,false,00,HTR,Hathor,-12.51,,,,${friend},"For the coffee, ""twice""",Breakfast`,
  ]);
  assert.equal(lines.length, 6);
  const json = JSON.parse((await save("Export JSON")).text);
  const { time: when, ...row } = json.find(({ transaction }) => transaction === sent);
  assert.match(when, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  assert.deepEqual(row, {
    transaction: sent,
    kind: "sent",
    voided: false,
    changes: [
      { token, symbol: "=CF", name: '=HYPERLINK("x")', amount: "-3.00" },
      { token: "00", symbol: "HTR", name: "Hathor", amount: "-12.51" },
    ],
    costHtr: { deposit: "0.00", fee: "0.00", data: "0.01" },
    addresses: [friend],
    data: ['For the coffee, "twice"'],
    label: "Breakfast",
  });
});

test("who is in the address book is named", { timeout: 60_000 }, async () => {
  const { button, field, go, heading, more, text } = parts;
  await go("Address book");
  await button("Add").click();
  await text("Enter a name.");
  await field("Name").fill("Frida");
  await field("Address").fill(friend);
  await button("Add").click();
  await button("Remove Frida").click();
  const question = page.getByRole("dialog", { name: "Remove Frida from the address book?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await button("Remove Frida").waitFor();
  await browser.shot("address-book", { narrow: true });
  await go("Send");
  await choose(page.getByLabel("Address book for payment"), /^Frida/);
  assert.equal(await field("To address").inputValue(), friend);
  await text("Frida, in your address book.");
  await field("Amount").fill("1");
  await more();
  await field("Label").fill("Lunch");
  await browser.shot("send-contact", { narrow: true });
  await button("Review").click();
  assert.equal(plain(await page.getByRole("dialog").locator(".review-where").innerText()), `to Frida ${friend}`);
  await button("Send").click();
  await heading("Sent");
  await go("History");
  const costs = () => page.getByRole("dialog").locator("dt:is(:text-is('Cost'), :text-is('Network fee')) + dd").allInnerTexts();
  await page.locator(".activity", { hasText: "Received" }).click();
  await page.getByRole("dialog", { name: "Received" }).getByText("Effect").waitFor();
  assert.deepEqual(await costs(), [], "others have paid for what comes in");
  await button("Close").click();
  await page.locator(".activity", { hasText: "Lunch" }).click();
  await page.getByRole("dialog", { name: "Sent" }).getByText("Effect").waitFor();
  assert.deepEqual(await costs(), ["none"]);
  await button("Close").click();
  await field("Find").fill("frida");
  await heading("2 transactions");
  await page.getByText("to Frida").first().waitFor();
});
