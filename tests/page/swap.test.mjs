// Two people swap HTR for a token: each has the page, and all that passes between them is text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Wallet, configurationString, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { newFilm } from "./support/film.mjs";
import { servePage } from "./support/server.mjs";
import { choose, chosenOf, on, openWallet, plain } from "./support/wallet.mjs";

let network;
let server;
/** One for each of them. */
const browsers = [];
/** Who has HTR, and who has the token. */
let anna;
let bert;
let token;
let annas;
let berts;
let gift;
const short = () => `${token.slice(0, 8)}…${token.slice(-6)}`;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  browsers.push(await startBrowser(server.port));
});

after(async () => {
  await Promise.all(browsers.map((browser) => browser.stop()));
  await server?.stop();
  await network?.stop();
});

/** Words of a wallet that owns something already. */
async function fundedWords(create) {
  const seed = generateMnemonic();
  const { nodeUrl, miningUrl } = network;
  const wallet = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const balance = wallet.once("balance");
  await network.control("fund", { address: await wallet.address(), amount: 10_000 });
  await balance;
  if (create) token = (await wallet.createToken({ name: "Corner Café", symbol: "CAFE", amount: 20_000 })).hash;
  await wallet.stop();
  return seed;
}

async function person({ page, shot }, words) {
  await openWallet(page, words);
  const parts = on(page);
  await parts.go("Swap");
  await parts.heading("Propose a swap");
  const group = (name) => page.getByRole("group", { name, exact: true });
  const dialog = page.getByRole("dialog");
  const confirm = async (verb) => {
    await parts.button("Review").click();
    await dialog.getByRole("button", { name: verb, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };
  /** What the page says of the swap: what is given, what one gets, and what is missing. */
  const facts = (within) =>
    within.locator("dl.facts dt").evaluateAll((names) => names.map((name) => `${name.textContent}: ${name.nextElementSibling.textContent.replaceAll(/\s+/g, " ").trim()}`));
  return {
    ...parts,
    page,
    group,
    dialog,
    confirm,
    shot,
    /** Goes on by the tab key until something of that name has the focus. */
    tabTo: async (name) => {
      for (let pressed = 0; pressed < 40; pressed += 1) {
        await page.keyboard.press("Tab");
        if ((await page.evaluate(() => document.activeElement.textContent.trim())) === name) return;
      }
      assert.fail(`${name} is not reached by the tab key`);
    },
    facts: () => facts(page.getByRole("region", { name: "The swap" })),
    /** At how many places facts begin: at one, if they are in line. */
    edges: (within) => within.locator("dl.facts dd").evaluateAll((list) => new Set(list.map((fact) => fact.getBoundingClientRect().left)).size),
    reviewed: () => facts(dialog),
    /** The text that is passed on, by the clipboard. */
    copied: async (name) => {
      await parts.button(name).click();
      return page.evaluate(() => navigator.clipboard.readText());
    },
    paste: async (label, text) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await parts.field(label).focus();
      await page.keyboard.press("Control+V");
      await parts.button("Read the text").click();
    },
  };
}

/** Each step goes on from where the last one left the pages. */
let broken = false;
const step = (name, run) =>
  test(name, { timeout: 120_000 }, async (t) => {
    if (broken) return t.skip("an earlier step failed");
    broken = true;
    await run();
    broken = false;
  });

let proposal;
let answer;

step("a text that is no proposal is told from one", async () => {
  annas = await fundedWords(false);
  berts = await fundedWords(true);
  anna = await person(browsers[0], annas);
  await anna.shot("swap-empty", { narrow: true });
  await anna.button("Read the text").click();
  const alert = anna.page.getByRole("alert");
  await alert.getByText("This can't be used", { exact: true }).waitFor();
  for (const [text, words] of [
    ["hello", "A proposal begins with PartialTx| and signatures begin with PartialTxInputData|. Check that all of it was copied, and nothing else."],
    ["PartialTx|0001|x|", "This proposal can't be read"],
    ["PartialTxInputData|00|0:11", "These are only signatures. First read the proposal that they belong to."],
  ]) {
    await anna.field("Proposal").fill(text);
    await anna.button("Read the text").click();
    await alert.getByText(words).waitFor();
    assert.equal(await anna.field("Proposal").inputValue(), text, "what was pasted is still there");
    await anna.page.waitForFunction(() => document.activeElement.tagName === "TEXTAREA");
  }
  await anna.shot("swap-malformed", { narrow: true });
  // It was about that text.
  await anna.field("Proposal").fill("");
  await alert.waitFor({ state: "detached" });
});

step("where there is no camera, that is told", async () => {
  await anna.button("Scan a QR code").click();
  await anna.dialog.getByRole("alert").getByText(/^The camera can't be used/).waitFor();
  await anna.shot("camera-none", { narrow: true });
  await anna.button("Close").click();
});

step("a swap is proposed", async () => {
  const fields = (label) => ["You give", "You want"].map((name) => anna.group(name).getByLabel(label, { exact: true }));
  const tops = (label) => Promise.all(fields(label).map(async (field) => (await field.boundingBox()).y));
  const problems = () => anna.page.locator("main form .problem").allTextContents();
  for (const token of fields("Token")) assert.equal(await chosenOf(token), "Choose a token…", "no token is chosen for anybody");
  await anna.button("Review").click();
  await anna.text("Choose a token.");
  assert.deepEqual(await problems(), ["Choose a token.", "Enter an amount.", "Choose a token.", "Enter an amount."]);
  assert.equal(await fields("Token")[0].evaluate((field) => field === document.activeElement), true);
  await anna.shot("swap-choose", { narrow: true });
  await choose(anna.group("You give").getByLabel("Token", { exact: true }), /^HTR /);
  await choose(anna.group("You want").getByLabel("Token", { exact: true }), /^HTR /);
  assert.deepEqual(await problems(), ["Enter an amount.", "Enter an amount."]);
  for (const label of ["Token", "Amount"]) {
    const [given, wanted] = await tops(label);
    assert.equal(given, wanted, `${label} stands at one height on both sides`);
  }
  await anna.group("You give").getByLabel("Amount", { exact: true }).fill("1000");
  await anna.button("Review").click();
  await anna.text("That is more than you have: 100.00 HTR.");
  await anna.text("Enter an amount.");
  await anna.group("You give").getByLabel("Amount", { exact: true }).fill("12.50");
  const wants = anna.group("You want");
  await wants.getByLabel("Amount", { exact: true }).fill("30");
  await choose(wants.getByLabel("Token", { exact: true }), "Another token…");
  await wants.getByLabel("Token identifier or configuration string").fill("cafe");
  await anna.text("An identifier has 64 digits from 0 to f.");
  await wants.getByLabel("Token identifier or configuration string").fill("ab".repeat(32));
  await anna.text("The full node knows no token with this identifier.");
  await wants.getByLabel("Token identifier or configuration string").fill(`[Corner Café:CAFE:${token}:00000000]`);
  await anna.text("A character of this configuration string is wrong or missing. Copy all of it again.");
  await wants.getByLabel("Token identifier or configuration string").fill(configurationString({ uid: token, name: "Corner Café", symbol: "CAFE" }));
  await anna.text(`CAFE · Corner Café (${short()})`);
  await anna.shot("swap-propose", { narrow: true });
  await anna.button("Review").click();
  await anna.page.getByRole("dialog", { name: "Propose this swap?" }).waitFor();
  assert.deepEqual(await anna.reviewed(), ["You give: 12.50 HTR", `You want: 30.00 CAFECorner Café ${short()}new to this wallet`]);
  await anna.shot("swap-propose-review", { narrow: true });
  await anna.button("Propose").click();
  await anna.heading("The swap");
  assert.deepEqual(await anna.facts(), [
    "You give: 12.50 HTR",
    `You get: 30.00 CAFECorner Café ${short()}new to this wallet`,
    `Others still have to give: 30.00 CAFECorner Café ${short()}new to this wallet`,
    "Others still get: 12.50 HTR",
    "With: nobody yet",
  ]);
  proposal = await anna.copied("Copy the proposal");
  assert.match(proposal, /^PartialTx\|[0-9a-f]+\|[^|\s]+\|[0-9a-f:]*$/);
  await anna.button("Show as a QR code").click();
  await anna.page.getByRole("img", { name: "QR code of the swap" }).waitFor();
  await anna.shot("swap-pass-on", { narrow: true });
});

step("it is scanned, read of a picture, and pasted", async () => {
  const camera = newFilm();
  camera.of([proposal]);
  browsers.push(await startBrowser(server.port, { camera: camera.path }));
  bert = await person(browsers[1], berts);
  const read = async () => {
    await bert.heading("Your answer");
    await bert.button("Discard").click();
    await bert.page.getByRole("region", { name: "Discard it?" }).getByRole("button", { name: "Discard" }).click();
    await bert.heading("Read a proposal");
  };
  await bert.button("Scan a QR code").click();
  await read();
  camera.remove();

  const picture = bert.page.locator("input[type=file]");
  await picture.setInputFiles({ name: "empty.png", mimeType: "image/png", buffer: await bert.page.locator("h1").screenshot() });
  await bert.text("No QR code was found in this picture.");
  await bert.button("Dismiss").click();
  const code = await anna.page.getByRole("img", { name: "QR code of the swap" }).screenshot();
  await picture.setInputFiles({ name: "swap.png", mimeType: "image/png", buffer: code });
  await read();

  // A mail has broken the lines.
  await bert.paste("Proposal", proposal.replaceAll(/.{60}/g, "$&\n"));
  await bert.heading("Your answer");
});

step("it is answered and signed", async () => {
  assert.deepEqual(await bert.facts(), [
    "You give: nothing",
    "You get: nothing",
    `Asked of you: 30.00 CAFECorner Café ${short()}created by you`,
    "Offered to you: 12.50 HTR",
    `With: ${await (async () => (await bert.page.locator("dt:text-is('With') + dd span").allTextContents()).join(""))()}`,
  ]);
  assert.equal(await bert.group("You give").getByLabel("Amount", { exact: true }).inputValue(), "30.00");
  assert.equal(await bert.group("You want").getByLabel("Amount", { exact: true }).inputValue(), "12.50");
  assert.equal(await bert.edges(bert.page.getByRole("region", { name: "The swap" })), 1);
  await bert.shot("swap-answer", { narrow: true });
  await bert.confirm("Add it");
  await bert.heading("Sign it");
  await bert.button("Review").click();
  const review = bert.page.getByRole("dialog", { name: "Sign this swap?" });
  await review.waitFor();
  const [give, get] = await bert.reviewed();
  assert.deepEqual([give, get], [`You give: 30.00 CAFECorner Café ${short()}created by you`, "You get: 12.50 HTR"]);
  assert.equal(plain(await review.locator(".review-network").innerText()), "Network: Local network");
  assert.equal(await bert.edges(review), 1);
  await bert.shot("swap-sign-review", { narrow: true });
  await review.getByRole("button", { name: "Sign", exact: true }).click();
  await bert.heading("Complete the swap");
  await bert.text("Signatures of others are missing. Add them when you have them, or let somebody else complete it.");
  await bert.shot("swap-signed", { narrow: true });
  answer = await bert.copied("Copy all of it");
  assert.match(answer, /^PartialTx\|\S+\nPartialTxInputData\|\S+$/);
});

step("it is carried out, and stands in both histories", async () => {
  await anna.paste("Proposal or signatures", answer);
  await anna.heading("Sign it");
  assert.deepEqual((await anna.facts()).slice(0, 2), ["You give: 12.50 HTR", `You get: 30.00 CAFECorner Café ${short()}new to this wallet`]);
  // By keyboard alone.
  await anna.tabTo("Review");
  await anna.page.keyboard.press("Enter");
  await anna.page.getByRole("dialog", { name: "Sign this swap?" }).waitFor();
  await anna.tabTo("Sign");
  await anna.page.keyboard.press("Enter");
  await anna.text("All signatures are there.");
  await anna.shot("swap-ready", { narrow: true });
  await anna.confirm("Complete the swap");
  await anna.heading("Swapped");
  await anna.shot("swap-done", { narrow: true });
  // Whoever waits sees it, too.
  await bert.heading("Swapped");
  for (const [person, changes] of [
    [anna, ["+30.00 CAFE", "−12.50 HTR"]],
    [bert, ["−30.00 CAFE", "+12.50 HTR"]],
  ]) {
    await person.go("History");
    const row = person.page.locator(".activity", { hasText: "Swapped" });
    await row.waitFor();
    assert.deepEqual((await row.locator(".amount").allTextContents()).map(plain), changes);
    assert.match(await row.locator(".activity-about bdi").innerText(), /^\s?·\swith W\w{7}…\w{6}$/);
  }
  await bert.shot("swap-history", { narrow: true });
  await bert.page.locator(".activity", { hasText: "Swapped" }).click();
  const details = bert.page.getByRole("dialog", { name: "Swapped" });
  await details.waitFor();
  const theirs = await details.locator("dt:text-is('With') + dd").innerText();
  assert.match(theirs, /^W\w{33}$/);
  await details.getByText(theirs, { exact: true }).nth(1).waitFor(); // among what it spends
  await bert.shot("swap-transaction");
  await bert.button("Close").click();
});

step("what brings nothing is not signed by mistake", async () => {
  await anna.go("Swap");
  await anna.button("Another swap").click();
  await choose(anna.group("You give").getByLabel("Token", { exact: true }), /^HTR /);
  await anna.group("You give").getByLabel("Amount", { exact: true }).fill("5");
  await anna.page.getByRole("button", { name: "Remove this from what you want" }).click();
  await anna.confirm("Propose");
  await anna.heading("The swap");
  const offer = await anna.copied("Copy the proposal");

  await bert.go("Swap");
  await bert.button("Another swap").click();
  await bert.paste("Proposal", offer);
  await bert.heading("Your answer");
  await bert.confirm("Add it");
  gift = await bert.copied("Copy the proposal");
  await anna.paste("Proposal or signatures", gift);
  await anna.heading("Sign it");
  await anna.button("Review").click();
  const review = anna.page.getByRole("dialog", { name: "Sign this swap?" });
  await review.getByText("You get nothing for what you give: it is a gift.", { exact: true }).waitFor();
  const sign = review.getByRole("button", { name: "Sign", exact: true });
  assert.ok(await sign.isDisabled());
  await anna.shot("swap-gift", { narrow: true });
  await review.getByLabel("I agree to this").check();
  assert.ok(await sign.isEnabled());
  await review.getByRole("button", { name: "Not yet" }).click();

  // Another swap is not taken for an answer to this one.
  await anna.paste("Proposal or signatures", proposal);
  await anna.page.getByRole("alert").getByText("This is another swap. Discard the one that is open first.").waitFor();
  await anna.button("Discard").click();
  await anna.text("What you give is free again for other things.");
  await anna.page.getByRole("region", { name: "Discard it?" }).getByRole("button", { name: "Discard" }).click();
  await anna.heading("Propose a swap");
  await anna.go("Overview");
  await anna.page.locator("[data-testid=balance]").getByText("87.50 HTR", { exact: true }).waitFor();
});

step("what the wallet has not put in itself is signed only if one says so", async () => {
  await anna.page.reload();
  anna = await person(browsers[0], annas);
  await anna.paste("Proposal", gift);
  await anna.heading("Sign it");
  await anna.button("Review").click();
  const asked = anna.page.getByRole("dialog", { name: "Sign this swap?" });
  await asked.getByLabel("I agree to this").check();
  await asked.getByRole("button", { name: "Sign", exact: true }).click();
  // It is asked again, with one more warning.
  const agree = asked.getByLabel("I agree to this");
  await asked.getByRole("alert").getByText(/^This is not what your wallet added\. Others may have changed it, or it was made before the wallet was opened\./).waitFor();
  assert.ok(!(await agree.isChecked()), "that was not agreed to");
  const again = asked.getByRole("button", { name: "Sign", exact: true });
  assert.ok(await again.isDisabled());
  await anna.shot("swap-changed", { narrow: true });
  await agree.check();
  await again.click();
  await anna.heading("Complete the swap");
});

step("nothing went wrong unseen", async () => {
  const said = browsers.flatMap((browser) => browser.said);
  assert.deepEqual(said.filter((line) => /^(error|warning|uncaught)/.test(line) && !/Failed to load resource/.test(line)), []);
});
