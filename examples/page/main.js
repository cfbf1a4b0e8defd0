// Shows a balance as it changes, and an address to pay to.
import { Wallet, formatUnits } from "headless-wallet";

const query = new URLSearchParams(location.search);
const wallet = await Wallet.start({
  network: "privatenet",
  nodeUrl: query.get("node") ?? "http://localhost:8083/v1a/",
  miningUrl: query.get("mining") ?? "http://localhost:8035/",
  // Everybody knows these words: they own the coins of a local network. Ask your users for theirs, and keep them sealed.
  seed: "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level",
});

async function show() {
  const { available } = await wallet.balance();
  document.querySelector("#balance").textContent = `${formatUnits(available)} HTR`;
  document.querySelector("#address").textContent = await wallet.address();
}

wallet.on("balance", show);
await show();
