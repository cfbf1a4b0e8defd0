// A shop: an address for each order, and the payments that come. The program has the account's public key alone, so whoever breaks into
// it finds nothing to spend.
//
//   node shop.mjs XPUB ORDERS
//
// `Account.fromSeed(words).xpub()` of `headless-wallet/keys` gives the key, on a machine that nobody else reaches.
import { Wallet, formatUnits } from "headless-wallet";

const [xpub, orders] = process.argv.slice(2);
if (!xpub || !(Number(orders) >= 1)) {
  console.error("usage: node shop.mjs XPUB ORDERS");
  process.exit(2);
}

const wallet = await Wallet.start({
  network: "privatenet",
  nodeUrl: process.env.NODE_URL ?? "http://127.0.0.1:8083/v1a/",
  miningUrl: process.env.MINING_URL ?? "http://127.0.0.1:8035/",
  xpub,
});
try {
  const open = new Map();
  // From now on, so that nothing is missed while the addresses are made.
  const transactions = wallet.events("tx");
  for (let order = 1; order <= Number(orders); order += 1) {
    const address = await wallet.address({ markAsUsed: true });
    open.set(address, order);
    console.log(`Order ${order}: pay to ${address}`);
  }
  for await (const { tx } of transactions) {
    for (const { value, token, decoded } of tx.outputs) {
      const order = open.get(decoded.address);
      if (order === undefined || token !== "00" || tx.is_voided) continue;
      open.delete(decoded.address);
      console.log(`Order ${order}: ${formatUnits(value)} HTR came with ${tx.tx_id}`);
      // Only blocks make it final: until then it could lose to another transaction that spends the same. One will do here; six are usual for more.
      await wallet.waitForTransaction(tx.tx_id, { confirmations: 1 });
      console.log(`Order ${order}: paid`);
    }
    if (open.size === 0) break;
  }
} finally {
  await wallet.stop();
}
