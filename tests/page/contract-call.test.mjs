// Calling a contract from the page: what it holds is read, a method is called with what moves, and what that changes is looked over before.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { Wallet, generateMnemonic } from "../../pkg/node.mjs";
import { startDevnet } from "../node/support/devnet.mjs";
import { startBrowser } from "./support/browser.mjs";
import { servePage } from "./support/server.mjs";
import { choose, on, optionsOf, openWallet, plain } from "./support/wallet.mjs";

/** The blueprint that every full node has. */
const BET = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";

let network;
let server;
let browser;
let page;
/** The wallet of the page, elsewhere: it makes the contract, and is its oracle. */
let maker;
let contract;
let oracle;

before(async () => {
  network = await startDevnet("--block-interval", "0");
  server = await servePage(network);
  const { nodeUrl, miningUrl } = network;
  const seed = generateMnemonic();
  maker = await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed });
  const paid = maker.once("balance");
  await network.control("fund", { address: await maker.address(), amount: 1_000 });
  await paid;
  oracle = await maker.address({ index: 2 });
  const script = await maker.oracleData(oracle);
  const request = { blueprintId: BET, address: await maker.address({ index: 1 }), data: { args: [script, "00", 4_000_000_000] } };
  ({ hash: contract } = await maker.createContract(request));
  await network.control("blocks", { count: 1 });
  browser = await startBrowser(server.port);
  ({ page } = browser);
  await openWallet(page, seed);
});

after(async () => {
  await maker?.stop();
  await browser?.stop();
  await server?.stop();
  await network?.stop();
});

test("arguments are read by their types, and no number is rounded", async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  const vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  const { readArgument, hintOf } = await vite.ssrLoadModule("/src/pages/contract/args.ts");
  await vite.close();
  for (const [type, typed, value] of [
    ["int", " 12345678901234567890 ", "12345678901234567890"],
    ["Amount", "150", "150"],
    ["str", " as it is ", " as it is "],
    ["str?", "", null],
    ["int | None", "", null],
    ["bool", "true", true],
    ["Address", " Wabc ", "Wabc"],
    ["list[int]", "[1, \"12345678901234567890\"]", [1, "12345678901234567890"]],
    ["tuple[str, int]?", "[\"a\", 2]", ["a", 2]],
  ]) {
    assert.deepEqual(readArgument(type, typed), { value }, `${type} ${typed}`);
  }
  for (const [type, typed, problem] of [
    ["int", "1.5", "Enter a whole number."],
    ["int", "", "Enter a whole number."],
    ["bool", "yes", "Enter true or false."],
    ["Address", " ", "Enter a value."],
    ["list[int]", "[1,", "Enter it as JSON, such as [1, 2]."],
    ["list[int]", "[12345678901234567890]", "Write numbers of more than 15 digits in quotes."],
  ]) {
    assert.deepEqual(readArgument(type, typed), { problem }, `${type} ${typed}`);
  }
  const hints = {
    "Amount?": "An amount in cents: 150 is 1.50. It can be left empty.",
    "int | None": "A whole number. It can be left empty.",
    "dict[str, int]": "Written as JSON; the contract's type is dict[str, int].",
    Address: "An address.",
    SignedData: "A value of the contract's type SignedData.",
    constructor: "A value of the contract's type constructor.",
  };
  assert.deepEqual(Object.keys(hints).map(hintOf), Object.values(hints));
});

const dialog = () => page.getByRole("dialog");

async function factsIn(place) {
  const [names, facts] = [await place.locator("dl.facts > dt").allTextContents(), await place.locator("dl.facts > dd").allInnerTexts()];
  return Object.fromEntries(names.map((name, at) => [plain(name), plain(facts[at])]));
}

const state = () => factsIn(page.locator("section[aria-label=Contract]"));

test("a contract is read, called with what moves, and pays", { timeout: 180_000 }, async () => {
  const { button, field, heading, go, text } = on(page);
  await go("Contracts");
  // What was called before is a click away.
  await page.getByRole("button", { name: /^Bet / }).click();
  assert.equal(await field("Contract identifier").inputValue(), contract);
  await field("Contract identifier").fill("00ff");
  await text("An identifier has 64 digits from 0 to f.");
  await field("Contract identifier").fill("0".repeat(64));
  await page.getByText(/^The full node knows no contract with this identifier\./).waitFor();
  await field("Contract identifier").fill(contract);
  await heading("Call a method");
  const blueprint = `Bet ${BET}`;
  assert.deepEqual(await state(), { Blueprint: blueprint, Holds: "nothing" });
  await field("Ask for fields and view methods").fill("total\nhas_result()\nnonsense");
  await text("does not exist");
  assert.deepEqual(await state(), { Blueprint: blueprint, Holds: "nothing", total: "0", "has_result()": "false", nonsense: "does not exist" });

  // A dict is a field of the blueprint, and is shown one entry at a time.
  const blueprints = "**/nano_contract/blueprint/info?*";
  await page.route(blueprints, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), attributes: { total: "int", withdrawals: "dict[Address, int]" } } });
  });
  await field("Ask for fields and view methods").fill("nonsense");
  await text("dict[Address, int]: ask for one entry at a time");
  assert.deepEqual(await state(), {
    Blueprint: blueprint,
    Holds: "nothing",
    total: "0",
    withdrawals: "dict[Address, int]: ask for one entry at a time",
    nonsense: "does not exist",
  });
  await page.unroute(blueprints);
  await field("Ask for fields and view methods").fill("total\nhas_result()\nnonsense");

  await choose(field("Method"), "bet");
  assert.deepEqual(await optionsOf(field("Method")), ["bet", "set_result", "withdraw"]);
  const caller = await field("Called by").inputValue();
  await field("address").fill(caller);
  await button("Deposit").click();
  await field("Amount").fill("11.00");
  await text("That is more than you have.");
  await button("Review").click();
  assert.equal(await dialog().count(), 0);
  await field("Amount").fill("1.50");
  await field("score").fill("1x0");
  await browser.shot("contract-call", { narrow: true });
  await button("Review").click();
  await heading("Call this contract?");
  await dialog().getByText("Local network").waitFor();
  await dialog().getByText("−1.50 HTR").waitFor();
  assert.deepEqual(await factsIn(dialog()), {
    Contract: `Bet ${contract}`,
    Method: "bet",
    Arguments: `address = ${caller} score = 1x0`,
    Moves: "1.50 HTR into the contract",
    "Called by": `${caller} yours`,
    "Network fee": "none",
    Effect: "−1.50 HTR",
  });
  await browser.shot("contract-review", { narrow: true });
  await dialog().getByRole("button", { name: "Call", exact: true }).click();
  await heading("Called");
  await network.control("blocks", { count: 1 });

  // The oracle says how it ended, and what was brought in comes back.
  const signed = await maker.oracleSignedResult({ oracleData: await maker.oracleData(oracle), contractId: contract, result: "1x0", type: "str" });
  await maker.executeContract({ ncId: contract, method: "set_result", address: oracle, data: { args: [signed] } });
  await network.control("blocks", { count: 1 });
  await page.locator("section[aria-label=Contract]").getByText("true", { exact: true }).waitFor();
  assert.deepEqual(await state(), { Blueprint: blueprint, Holds: "1.50 HTR", total: "150", "has_result()": "true", nonsense: "does not exist" });
  await button("Another call").click();
  await choose(field("Method"), "withdraw");
  await button("Leave this out").click();
  await button("Withdraw").click();
  await field("Amount").fill("1.50");
  await button("Review").click();
  await dialog().getByText("+1.50 HTR").waitFor();
  assert.deepEqual(await factsIn(dialog()), {
    Contract: `Bet ${contract}`,
    Method: "withdraw",
    Moves: "1.50 HTR out of the contract",
    "Called by": `${caller} yours`,
    "Network fee": "none",
    Effect: "+1.50 HTR",
  });
  await dialog().getByRole("button", { name: "Call", exact: true }).click();
  await heading("Called");
  await network.control("blocks", { count: 1 });
  await go("Overview");
  await page.locator("[data-testid=balance]").getByText("10.00 HTR", { exact: true }).waitFor();

  // From the history to the contract, and a caller who is somebody else.
  await page.getByRole("button", { name: /^Called bet/ }).click();
  await dialog().getByRole("link", { name: "Look at the contract", exact: true }).click();
  assert.equal(await field("Contract identifier").inputValue(), contract);
  await choose(field("Method"), "withdraw");
  const stranger = await Wallet.start({ network: "privatenet", nodeUrl: network.nodeUrl, miningUrl: network.miningUrl, seed: generateMnemonic() });
  await field("Called by").fill(await stranger.address());
  await stranger.stop();
  await button("Review").click();
  await dialog().getByRole("alert").waitFor();
  assert.equal(await dialog().getByRole("button", { name: "Call", exact: true }).isDisabled(), true);
});
