// A signing file: the package makes it, two of three participants sign it where there is no network, and the package puts both together.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PKG } from "./support/package.mjs";
import { signedBy } from "./support/signing-file.mjs";
import { devnet, start } from "./support/wallets.mjs";

const { Account, generateMnemonic } = await import(`${PKG}/node.mjs`);

test("a signing file is made, signed by two of three elsewhere, combined and pushed", async () => {
  const seeds = [generateMnemonic(), generateMnemonic(), generateMnemonic()];
  const multisig = { pubkeys: seeds.map((seed) => Account.multisigXpub(seed)), numSignatures: 2 };
  const [wallet, stranger] = [await start({ seed: seeds[0], multisig }), await start()];
  const funded = wallet.once("balance");
  await devnet.control("fund", { address: await wallet.address(), amount: 700 });
  await funded;
  const { txHex } = await wallet.proposeTx({ outputs: [{ address: await stranger.address(), value: 100 }] });
  const file = await wallet.signingFile({ txHex, label: "Rent, November" });
  assert.deepEqual(
    [file.format, file.version, file.network, file.purpose, file.label, file.account.numSignatures, file.signatures],
    ["hathor-signing-file", 1, "privatenet", "share", "Rent, November", 2, []],
  );

  const [one, two] = [signedBy(seeds[2], file), signedBy(seeds[0], file)];
  for (const signed of [one, two]) assert.deepEqual({ ...signed, signatures: [] }, file);
  assert.deepEqual([one, two].map(({ signatures }) => signatures.length), [1, 1]);
  const refused = (message) => ({ name: "InputError", message });
  await assert.rejects(wallet.pushSigningFile({ files: [one] }), refused("Invalid signing file: input 0 has 1 of 2 signatures"));
  await assert.rejects(wallet.pushSigningFile({ files: [one, one] }), refused("Invalid signing file: input 0 has 1 of 2 signatures"));
  const [signature] = one.signatures;
  const [other] = two.signatures;
  const wrong = { ...two, signatures: [{ ...other, signature: signature.signature }] };
  await assert.rejects(wallet.pushSigningFile({ files: [one, wrong] }), /signature/);

  await wallet.pushSigningFile({ files: [one, two] }, { dryRun: true });
  assert.deepEqual(await wallet.balance(), { available: 700n, locked: 0n });
  const paid = stranger.once("balance");
  const { hash } = await wallet.pushSigningFile({ files: [two, one] });
  assert.deepEqual(await paid, { token: "00", available: 100n, locked: 0n });
  assert.equal((await stranger.transaction(hash)).tx_id, hash);
});
