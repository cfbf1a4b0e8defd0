// What the page says that tokens deposit and give back is what the network demands, to the cent, whatever the release of its node and
// however little the wallet has. Nodes of release 0.70 compute in floating point: above 2^53 cents it tells.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deriveAddresses, generateMnemonic, Wallet } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on } from "./support/wallet.mjs";

const VECTORS = new URL("../vectors/deposits_double.txt", import.meta.url);
const [friend] = deriveAddresses({ network: "privatenet", seed: generateMnemonic(), count: 1 });
/** As it is typed with two decimals, and without any. */
const [TYPED, UNITS] = ["23285543025022110.10", "2328554302502211010"];

const RELEASES = {
  "0.70": { deposit: "232,855,430,250,221.12", withNft: "232,855,430,250,221.13", back: "232,855,430,250,221.12" },
  "0.71": { deposit: "232,855,430,250,221.11", withNft: "232,855,430,250,221.12", back: "232,855,430,250,221.10" },
};

test("the amount is one of the vectors", () => {
  assert.match(readFileSync(VECTORS, "utf8"), new RegExp(`^${UNITS} 23285543025022112 23285543025022112$`, "m"));
});

for (const [release, { deposit, withNft, back }] of Object.entries(RELEASES)) {
  test(`deposits on a node of release ${release}`, { timeout: 120_000 }, async (t) => {
    const network = await startDevnet("--block-interval", "0", "--node-release", release);
    t.after(() => network.stop());
    const seed = generateMnemonic();
    await makeTokens(network, seed);
    const server = await servePage(network);
    t.after(() => server.stop());
    const browser = await startBrowser(server.port);
    t.after(() => browser.stop());
    const { page } = browser;
    const button = (name) => page.getByRole("button", { name, exact: true });
    const field = (name) => page.getByLabel(name, { exact: true });
    const text = (what) => page.getByText(what, { exact: true }).first().waitFor();
    const tab = (name) => page.getByRole("navigation", { name: "What to do with tokens" }).getByRole("link", { name }).click();

    await page.goto(ORIGIN);
    await page.getByRole("button", { name: /^Restore a wallet/ }).click();
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), seed);
    await field("Word 1").focus();
    await page.keyboard.press("Control+V");
    await button("Continue").click();
    await button("Open the wallet").click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tokens" }).click();
    await tab("New token");
    await field("Amount").fill(TYPED);
    await text(`The deposit is ${deposit} HTR, and you have 89.99 HTR.`);
    await field("Amount").fill("1.01");
    await text("Deposits 0.02 HTR.");

    await tab("New NFT");
    await field("How many").fill(UNITS);
    await text(`It costs ${withNft} HTR, and you have 89.99 HTR.`);
    await field("How many").fill("101");
    await text("Costs 0.03 HTR, of which 0.02 HTR is a deposit.");

    await on(page).manage("Coffee", "Melt");
    await choose(field("Token"), "COF · Coffee 1,000.00");
    await field("Amount to melt").fill(TYPED);
    await text(`Gives back ${back} HTR.`);
    await text("That is more than you have.");
    await field("Amount to melt").fill("1.99");
    await text("Gives back 0.01 HTR.");
    // Paid for by a fee: there was no deposit.
    await choose(field("Token"), "FEE · Fee 1,000.00");
    await text("This gives nothing back: there is no deposit for this token, or for so small an amount.");

    // The fee is part of the total.
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Send" }).click();
    await on(page).more();
    await button("Another payment").click();
    for (const [number, token] of [[1, "FEE · Fee 1,000.00"], [2, "HTR · Hathor 89.99"]]) {
      const row = page.getByRole("group", { name: `Payment ${number}` });
      await row.getByLabel("To address").fill(friend);
      await choose(row.getByLabel("Token", { exact: true }), token);
      await row.getByLabel("Amount", { exact: true }).fill("1");
    }
    await button("Review").click();
    const amounts = async (name) => (await page.locator(`dt:text-is("${name}") + dd .amount`).allInnerTexts()).map((amount) => amount.replace(/\s+/g, " "));
    // Before the cost is known there is no total that includes it.
    await page.locator('dt:text-is("Total, cost included")').waitFor();
    assert.deepEqual(await amounts("Total, cost included"), ["1.00 FEE", "1.02 HTR"]);
    assert.deepEqual(await amounts("Cost"), ["0.02 HTR"]);
    assert.deepEqual(await amounts("Balance afterwards"), ["999.00 FEE", "88.97 HTR"]);
  });
}

/** One with a deposit, and one that is paid for by fees. */
async function makeTokens({ nodeUrl, miningUrl, control }, seed) {
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const paid = wallet.once("balance");
  await control("fund", { address: await wallet.address(), amount: 10_000 });
  await paid;
  await wallet.createToken({ name: "Coffee", symbol: "COF", amount: 100_000n });
  await wallet.createToken({ name: "Fee", symbol: "FEE", amount: 100_000n, version: 2 });
  await wallet.stop();
}
