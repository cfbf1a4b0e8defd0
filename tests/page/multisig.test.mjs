// A wallet of several participants: it is made in the page, pays what enough of them have signed, and is kept, locked and opened again. Other
// participants are the package in Node.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import encodeQR from "qr";
import { createServer } from "vite";
import { Account, Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { signedBy } from "../node/support/signing-file.mjs";
import { ORIGIN, startBrowser } from "./support/browser.mjs";
import { newFilm } from "./support/film.mjs";
import { servePage } from "./support/server.mjs";
import { lockedFor, on, optionsOf, plain } from "./support/wallet.mjs";

const PASSWORD = "seven quiet otters";
const seeds = [generateMnemonic(), generateMnemonic(), generateMnemonic()];
const camera = newFilm();
const pubkeys = seeds.map((seed) => Account.multisigXpub(seed));

let network;
let server;
let browser;
let page;
/** Another participant, and somebody who is paid. */
let other;
let stranger;
let strangersAddress;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browser = await startBrowser(server.port, { camera: camera.path });
  ({ page } = browser);
  const { nodeUrl, miningUrl } = network;
  const place = { network: "privatenet", nodeUrl, miningUrl };
  other = await Wallet.start({ ...place, seed: seeds[1], multisig: { pubkeys, numSignatures: 2 } });
  stranger = await Wallet.start({ ...place, seed: generateMnemonic() });
  strangersAddress = await stranger.address();
});

after(async () => {
  await other?.stop();
  await stranger?.stop();
  await browser?.stop();
  await server?.stop();
  await network?.stop();
  camera.remove();
});

let failed = false;
/** A step, which needs what those before it did. */
const step = (name, run) =>
  test(name, { timeout: 180_000 }, async (context) => {
    if (failed) return context.skip("an earlier step failed");
    failed = true;
    await run();
    failed = false;
  });

const balance = (amount) => page.locator("[data-testid=balance]").getByText(`${amount} HTR`, { exact: true }).waitFor();
const tab = (name) => page.getByRole("navigation", { name: "How to send" }).getByRole("link", { name, exact: true }).click();
const dialog = () => page.getByRole("dialog");

/** The facts of a list, by their names. */
async function factsIn(place) {
  const [names, facts] = [await place.locator("dl.facts > dt").allTextContents(), await place.locator("dl.facts > dd").allInnerTexts()];
  return Object.fromEntries(names.map((name, at) => [name, plain(facts[at])]));
}

step("a participant shows an xpub, takes those of the others, and opens the wallet", async () => {
  const { button, field, heading, text } = on(page);
  await page.goto(ORIGIN);
  await page.getByText("Other ways to open a wallet").click();
  await page.getByRole("button", { name: /^Open a shared wallet/ }).click();
  await heading("Open a shared wallet");
  await browser.shot("multisig-begin", { narrow: true });
  await page.getByRole("button", { name: /^Join with a seed phrase that you have/ }).click();
  await field("Word 1").fill(seeds[0]);
  await button("Continue").click();
  await heading("Who takes part?");
  await page.getByTestId("own-xpub").getByText(pubkeys[0], { exact: true }).waitFor();
  await button("Show as a QR code").click();
  await page.getByRole("img", { name: "QR code of your xpub" }).waitFor();
  await button("Copy xpub").click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), pubkeys[0]);

  // What is no xpub, and what is there already.
  await button("Add a participant").click();
  await field("Participant 2: xpub").fill("xpub6nonsense");
  await field("Participant 3: xpub").fill(pubkeys[0]);
  await button("Continue").click();
  await text("This is not an xpub. Check that all of it was copied, and nothing else.");
  await text("This one is already in the list.");
  await browser.shot("multisig-participants", { narrow: true });
  await field("Participant 2: xpub").fill(`  ${pubkeys[2]}\n`);
  await field("Participant 3: xpub").fill(pubkeys[1]);
  assert.deepEqual(await optionsOf(field("How many must sign")), ["1 of 3", "2 of 3", "3 of 3"]);
  assert.equal(await field("How many must sign").innerText(), "2 of 3");
  await button("Continue").click();
  await heading("Keep the seed phrase on this device?");
  await page.getByLabel("Keep it here, encrypted with a password").check();
  await field("Password").fill(PASSWORD);
  await field("Password again").fill(PASSWORD);
  await button("Open the wallet").click();
  await heading("Balance");
  await text("2 of 3 must sign");
  await on(page).go("Receive");
  assert.equal(await page.getByTestId("address").textContent().then(plain), await other.address());
  await page.getByText(/^Compare address 0 with the other participants/).waitFor();
});

step("it proposes a payment, which goes when another participant has signed it", async () => {
  const { button, field, heading, text, go } = on(page);
  await network.control("fund", { address: await other.address(), amount: 10_000 });
  await go("Overview");
  await balance("100.00");
  await go("Send");
  await field("To address").fill(strangersAddress);
  await field("Amount").fill("12.50");
  assert.equal(await button("Data").count(), 0);
  await button("Review").click();
  await heading("Propose this payment?");
  await dialog().getByText(strangersAddress).waitFor();
  // Nothing can be proposed before its cost is known.
  await dialog().locator("button:enabled", { hasText: "Propose" }).waitFor();
  assert.deepEqual(await factsIn(dialog()), { "Network fee": "none", "Balance afterwards": "87.50 HTR" });
  await browser.shot("multisig-propose", { narrow: true });
  await dialog().getByRole("button", { name: "Propose", exact: true }).click();

  await heading("The proposal");
  const facts = { Pays: `12.50 HTR to ${strangersAddress}`, "Network fee": "none", Effect: "−12.50 HTR" };
  assert.deepEqual(await factsIn(page.locator("main")), { ...facts, Signed: "by 0 of the 2 needed" });
  await button("Review").click();
  await heading("Sign this proposal?");
  await dialog().getByText("Local network").waitFor();
  assert.deepEqual(await factsIn(dialog()), facts);
  await browser.shot("multisig-sign", { narrow: true });
  await dialog().getByRole("button", { name: "Sign", exact: true }).click();
  await text("by 1 of the 2 needed");
  await browser.shot("multisig-open", { narrow: true });

  // Another in its place would lose what is signed.
  await tab("Propose");
  await text("A proposal is open. Send it or discard it before you propose another.");
  await page.getByRole("link", { name: "The proposal", exact: true }).click();
  await text("by 1 of the 2 needed");

  // The other participant reads what is passed on, signs it, and sends the signatures back: broken into lines, by mail.
  const [txHex, mine] = (await field("The proposal as text").inputValue()).split("\n");
  await button("Copy only the proposal").click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), txHex);
  assert.match(mine, /^0[23][0-9a-f]{64}\|0:[0-9a-f]+$/);
  const theirs = await other.mySignatures(txHex);
  await field("Signatures").fill(theirs.slice(0, 50));
  await button("Read the text").click();
  await text("This can't be used");
  await field("Signatures").fill(theirs.replace(/.{60}/g, "$&\n"));
  await button("Read the text").click();
  await text("by 2 of the 2 needed");
  await text("Enough have signed.");
  await button("Review").click();
  await heading("Send this?");
  assert.deepEqual(await factsIn(dialog()), facts);
  await browser.shot("multisig-send", { narrow: true });
  const paid = stranger.once("balance");
  await dialog().getByRole("button", { name: "Send", exact: true }).click();
  await heading("Sent");
  assert.deepEqual(await paid, { token: "00", available: 1_250n, locked: 0n });
  await browser.shot("multisig-sent", { narrow: true });
  await button("Another proposal").click();
  await heading("Read a proposal");
});

step("it signs what another participant proposes, and sees that it was sent elsewhere", async () => {
  const { button, field, heading, text } = on(page);
  const { txHex } = await other.proposeTx({ outputs: [{ address: strangersAddress, value: 500 }] });
  await field("Proposal").fill("Hello!");
  await button("Read the text").click();
  await text("This can't be used");
  await field("Proposal").fill(`${txHex}\n${await other.mySignatures(txHex)}`);
  await button("Read the text").click();
  await heading("The proposal");
  await text("by 1 of the 2 needed");
  await button("Review").click();
  await dialog().getByText(strangersAddress).waitFor();
  await dialog().getByRole("button", { name: "Sign", exact: true }).click();
  await text("Enough have signed.");
  const signatures = (await field("The proposal as text").inputValue()).split("\n").slice(1);
  assert.equal(signatures.length, 2);
  await other.signAndPush({ txHex, signatures });
  await heading("Sent");
  await on(page).go("Overview");
  await balance("82.50");
});

/** Gives the open proposal up. */
async function giveUp() {
  const { button, heading } = on(page);
  await button("Discard").click();
  await page.getByRole("region", { name: "Discard it?" }).getByRole("button", { name: "Discard" }).click();
  await heading("Read a proposal");
}

/** As the page cuts a text. */
async function framesOf(text) {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  const vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  const { framesOf: cut } = await vite.ssrLoadModule("/src/parts/frames.ts");
  await vite.close();
  return cut(text);
}

step("it takes and gives signing files, as files and as rows of QR codes", async () => {
  const { button, go, heading, text } = on(page);
  await go("Send");
  await tab("Sign and send");
  await button("Another proposal").click();
  await heading("Read a proposal");
  const { txHex } = await other.proposeTx({ outputs: [{ address: strangersAddress, value: 700 }] });
  const made = await other.signingFile({ txHex, label: "Rent, November" });
  const theirs = signedBy(seeds[2], made);
  const files = page.getByLabel("Read files", { exact: true }).and(page.locator("input"));
  const give = (...given) => files.setInputFiles(given.map((file, at) => ({ name: `${at}.json`, mimeType: "application/json", buffer: Buffer.from(file) })));
  // What was changed on its way is not taken, and what it says is not believed.
  const digit = made.hash.startsWith("0") ? "1" : "0";
  await give(JSON.stringify({ ...made, hash: digit + made.hash.slice(1) }));
  await text("This wallet can't use this signing file: `hash` is not that of `transaction`");
  await give(JSON.stringify({ ...theirs, signatures: theirs.signatures.map((one) => ({ ...one, publicKey: `02${"11".repeat(32)}` })) }));
  await page.getByText(/^This wallet can't use this signing file: /).waitFor();
  await give(JSON.stringify(made), JSON.stringify(theirs));
  await heading("The proposal");
  await text("by 1 of the 2 needed");
  assert.equal((await factsIn(page.locator("main"))).Pays, `7.00 HTR to ${strangersAddress}`);

  // A long text, as a row of codes: all of them, as a camera elsewhere sees them.
  await button("Show the file as QR codes").click();
  // Pictures were taken as for somebody who wants nothing to move.
  await page.getByText(/^Code 1 of \d+$/).waitFor();
  await button("Show one after the other").click();
  await page.getByText(/^Code 2 of \d+$/).waitFor();
  await button("Stop here").click();
  const count = Number((await page.getByText(/^Code \d+ of \d+$/).textContent()).split(" ").at(-1));
  assert.ok(count > 1, `${count} codes`);
  const codes = new Map();
  while (codes.size < count) {
    const name = await page.getByText(/^Code \d+ of \d+$/).textContent();
    codes.set(name, await page.getByRole("img", { name: "QR code of the signing file" }).screenshot());
    await button("Next code").click();
  }
  await browser.shot("multisig-file", { narrow: true });
  await giveUp();

  // Read of pictures in another order, with a repeat and a torn one.
  const pictures = [...codes].map(([name, buffer]) => ({ name: `${name}.png`, mimeType: "image/png", buffer }));
  const torn = { name: "torn.gif", mimeType: "image/gif", buffer: Buffer.from(encodeQR(`HWF1|00000000|1/${count}|00000000|{`, "gif", { scale: 6 })) };
  const [first, ...others] = pictures;
  const picture = page.locator('input[accept="image/*"]');
  await picture.setInputFiles([...others.toReversed(), others[0], torn]);
  await text(`${count - 1} of ${count} codes read.`);
  await picture.setInputFiles([first]);
  await text("by 1 of the 2 needed");
  await giveUp();

  // And by the camera: the film begins in the middle.
  const frames = await framesOf(JSON.stringify(theirs));
  camera.of(frames.slice(0, 1));
  await button("Scan a QR code").click();
  await text(`1 of ${frames.length} codes read.`);
  await browser.shot("camera", { narrow: true });
  await button("Close").click();
  camera.of([...frames.slice(2), "HWF1|00000000|1/2|00000000|{", ...frames.slice(0, 2)]);
  await button("Scan a QR code").click();
  await text("by 1 of the 2 needed");

  // With the second signature, another program sends what is saved here.
  await button("Review").click();
  await dialog().getByRole("button", { name: "Sign", exact: true }).click();
  await text("Enough have signed.");
  const download = page.waitForEvent("download");
  await button("Save the file").click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), `proposal-${made.hash.slice(0, 8)}.json`);
  const file = JSON.parse(readFileSync(await saved.path(), "utf8"));
  const { label, ...unnamed } = made;
  assert.equal(label, "Rent, November");
  assert.deepEqual({ ...file, signatures: [] }, unnamed);
  assert.deepEqual(file.signatures, signedBy(seeds[0], theirs).signatures);
  await other.pushSigningFile({ files: [file] }, { dryRun: true });
  const paid = stranger.once("balance");
  await button("Review").click();
  await dialog().getByRole("button", { name: "Send", exact: true }).click();
  await heading("Sent");
  assert.equal((await paid).available, 2_450n);
});

step("a proposal of somebody else's wallet is not signed, and one that is given up frees what it spends", async () => {
  const { button, field, heading, go, text } = on(page);
  // The receipt gives way.
  await go("Send");
  await tab("Sign and send");
  const { txHex } = await stranger.buildTx({ outputs: [{ address: await other.address(), value: 100 }] });
  await field("Proposal").fill(txHex);
  await button("Read the text").click();
  await page.getByText("This spends something that does not belong to this wallet: it can't be signed here.", { exact: true }).waitFor();
  assert.equal(await button("Review").count(), 0);
  await button("Discard").click();
  await text("It is discarded here, and what it would have spent is free again.");
  await button("Discard").click();
  await heading("Read a proposal");

  for (const amount of ["74.00", "75.00"]) {
    await tab("Propose");
    await field("To address").fill(strangersAddress);
    await field("Amount").fill(amount);
    await page.getByText("More options").click();
    await field("Locked until").fill("2100-05-24T10:30");
    await button("Review").click();
    await dialog().getByRole("button", { name: "Propose", exact: true }).click();
    await heading("The proposal");
    // Whoever signs it sees until when.
    assert.equal((await factsIn(page.locator("main"))).Pays, `${amount} HTR to ${strangersAddress} locked until 24 May 2100, 10:30 UTC ${lockedFor("2100-05-24T10:30Z")}`);
    await button("Discard").click();
    await button("Discard").click();
    await heading("Read a proposal");
  }
});

step("what needs one key alone is not offered, and the wallet opens again with its password", async () => {
  const { button, field, heading, text, go } = on(page);
  await go("Tokens");
  await page.getByText(/^What this wallet holds\./).waitFor();
  assert.equal(await page.getByRole("link", { name: "New token" }).count(), 0);
  await go("Messages");
  await heading("Verify a message");
  assert.equal(await page.getByRole("heading", { name: "Sign a message" }).count(), 0);
  await button("Lock the wallet").click();
  await field("Password").fill(PASSWORD);
  await button("Unlock").click();
  await heading("Balance");
  await text("2 of 3 must sign");
  await balance("75.50");
  await page.getByRole("link", { name: "Settings" }).click();
  await button("Show the xpub").click();
  await text(pubkeys[0]);
});

step("the words of a multisig wallet are nowhere told of", () => {
  const all = browser.said.join("\n");
  for (const seed of seeds) assert.ok(!all.includes(seed.split(" ").slice(0, 4).join(" ")));
});
