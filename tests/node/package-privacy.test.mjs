// What a full node is told by the package: addresses, and the wallet's xpub only if the program asks for that.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDevnet } from "./support/devnet.mjs";
import { PKG } from "./support/package.mjs";
import { startTap } from "./support/tap.mjs";

const { Account, Wallet, generateMnemonic } = await import(`${PKG}/node.mjs`);

let devnet;
before(async () => (devnet = await startDevnet("--block-interval", "0")));
after(() => devnet.stop());

/** Everything that a wallet says to the node until it has received something. */
async function saidBy(options, changes) {
  const tap = await startTap(devnet.nodeUrl, changes);
  const seed = generateMnemonic();
  const wallet = await Wallet.start({
    network: "privatenet", nodeUrl: tap.nodeUrl, miningUrl: devnet.miningUrl, seed, ...options,
  });
  const received = new Promise((resolve) => wallet.on("balance", resolve));
  await devnet.control("fund", { address: await wallet.address(), amount: 5 });
  assert.equal((await received).available, 5n);
  const addresses = await wallet.addresses();
  await wallet.stop();
  await tap.stop();
  return { said: tap.said, addresses };
}

/** The requests for a history among what was said. */
const asked = (said) => said.filter((line) => /"request:history:(manual|xpub)"|thin_wallet\/address_history/.test(line));

for (const [mode, request] of [
  [undefined, "request:history:manual"],
  ["auto", "request:history:manual"],
  ["manual_stream_ws", "request:history:manual"],
  ["polling_http_api", "/v1a/thin_wallet/address_history"],
]) {
  test(`a wallet with historySyncMode ${mode} tells the node its addresses, and no xpub`, async () => {
    const { said, addresses } = await saidBy({ historySyncMode: mode });
    assert.ok(asked(said).length > 0 && asked(said).every((line) => line.includes(request)), asked(said).join("\n"));
    assert.ok(said.join("\n").includes(addresses[19]), "the last address that is watched");
    assert.doesNotMatch(said.join("\n"), /xpub/);
  });
}

test("the xpub is given only by the mode that says so", async () => {
  const { said, addresses } = await saidBy({ historySyncMode: "xpub_stream_ws" });
  assert.match(said.join("\n"), /"type":"request:history:xpub".*"xpub":"xpub[1-9A-HJ-NP-Za-km-z]{107}"/);
  assert.ok(!asked(said).join("\n").includes(addresses[19]));
});

test("a node that can't stream is asked for pages, and is given no xpub either", async () => {
  const heard = (frame) => (JSON.parse(frame).type === "capabilities" ? '{"type":"capabilities","capabilities":[]}' : frame);
  const { said } = await saidBy({}, { heard });
  assert.ok(asked(said).length > 0 && asked(said).every((line) => line.includes("address_history")), asked(said).join("\n"));
  assert.doesNotMatch(said.join("\n"), /xpub/);
});

test("another mode is refused by name", async () => {
  const { nodeUrl, miningUrl } = devnet;
  for (const historySyncMode of ["fast", "", 1, null]) {
    await assert.rejects(
      Wallet.start({ network: "privatenet", nodeUrl, miningUrl, seed: generateMnemonic(), historySyncMode }),
      {
        code: "INVALID_INPUT",
        field: "historySyncMode",
        message: 'historySyncMode must be "auto", "manual_stream_ws", "xpub_stream_ws" or "polling_http_api"',
      },
    );
  }
});
