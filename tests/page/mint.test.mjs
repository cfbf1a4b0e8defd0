// Minting in the page, and what it tells of a token.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { on, openWallet, optionsOf, plain } from "./support/wallet.mjs";

let network;
let server;
let browser;
let token;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  const { nodeUrl, miningUrl } = network;
  const seed = generateMnemonic();
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const balance = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 10_000 });
  await balance;
  ({ hash: token } = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 10_000 }));
  await wallet.createToken({ name: "Stone", symbol: "STO", amount: 100, createMint: false, createMelt: false });
  await wallet.stop();
  browser = await startBrowser(server.port);
  await openWallet(browser.page, seed);
});

after(async () => {
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

test("a token is minted by who may, and the page says what there is of it", { timeout: 90_000 }, async () => {
  const { page } = browser;
  const { button, field, go, heading, text } = on(page);
  const fact = async (name) => plain(await page.getByRole("dialog").locator(`dt:text-is("${name}") + dd`).innerText());
  await go("Tokens");
  await browser.shot("tokens-list", { narrow: true });
  await page.getByRole("button", { name: /^Stone/ }).click();
  await page.getByText("its amount is fixed forever", { exact: true }).waitFor();
  assert.equal(await fact("Your rights"), "none");
  assert.equal(await button("Mint").count(), 0);
  await button("Close").click();
  await on(page).manage("Coffee", "Mint");
  // Which tokens there are is read once the view is there.
  await field("Token").getByText("CFE", { exact: true }).waitFor();
  assert.deepEqual(await optionsOf(field("Token")), ["CFE · Coffee 100.00"]);
  await field("Amount to mint").fill("1000000");
  await text("The deposit is 10,000.00 HTR, and you have 98.99 HTR.");
  await field("Amount to mint").fill("50");
  await text("Deposits 0.50 HTR.");
  await browser.shot("mint", { narrow: true });
  await button("Review").click();
  const dialog = page.getByRole("dialog", { name: "Mint this?" });
  await dialog.waitFor();
  assert.equal(await fact("Balance afterwards"), "150.00 CFE 98.49 HTR");
  // Another token could have the same symbol.
  const named = `Coffee ${token.slice(0, 8)}…${token.slice(-6)} created by you`;
  assert.equal(await fact("Mints"), `50.00 CFE ${named}`);
  await browser.shot("mint-review", { narrow: true });
  await button("Mint").click();
  await heading("Minted");
  await page.getByText("Minted 50.00 CFE.").waitFor();
  await go("Tokens");
  await page.getByRole("button", { name: /^Coffee\s*created by you\s*150\.00 CFE/ }).click();
  await page.locator('dt:text-is("Total supply")').waitFor();
  assert.equal(await fact("Total supply"), "150.00 CFE");
  assert.equal(await fact("Later"), "more can be minted, it can be melted");
  assert.equal(await fact("Your rights"), "1 right to mint, 1 right to melt");
  assert.match(await fact("Configuration"), new RegExp(`^\\[Coffee:CFE:${token}:[0-9a-f]{8}\\]$`));
  assert.equal(await fact("Identifier"), token);
  await browser.shot("token-facts", { narrow: true });
  await button("Close").click();
  await on(page).manage("Coffee", "Melt");
  await field("Amount to melt").fill("25");
  await button("Review").click();
  await page.getByRole("dialog", { name: "Melt this?" }).getByText("0.25 HTR").waitFor();
  assert.equal(await fact("Melts"), `25.00 CFE ${named}`);
  await browser.shot("melt-review", { narrow: true });
});
