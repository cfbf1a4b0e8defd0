// The worker: the wallet lives here, with its keys, its history and its proof of work.
import { Wallet, formatUnits } from "headless-wallet";

addEventListener("message", async ({ data: services }) => {
  const wallet = await Wallet.start({
    ...services,
    network: "privatenet",
    // Everybody knows these words: they own the coins of a local network.
    seed: "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level",
    mining: "service-then-local",
  });
  async function tell() {
    const { available } = await wallet.balance();
    postMessage({ balance: formatUnits(available), address: await wallet.address() });
  }
  wallet.on("balance", tell);
  await tell();
});
