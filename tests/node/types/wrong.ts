// Uses that must not compile: each line marked so, and no other.
import { Account, Wallet, checkAddress, deriveAddresses, isWalletError } from "headless-wallet";

const services = { network: "testnet", nodeUrl: "", miningUrl: "" } as const;
declare const wallet: Wallet;

export async function wrong(): Promise<void> {
  await Wallet.start(services); // wrong
  await Wallet.start({ ...services, seed: "", xpub: "" }); // wrong
  await Wallet.start({ ...services, xpub: "", passphrase: "" }); // wrong
  await Wallet.start({ ...services, seed: "", network: "nowhere" }); // wrong
  await Wallet.start({ ...services, seed: "", gaplimit: 5 }); // wrong
  await Wallet.start({ ...services, seed: "", historySyncMode: "fast" }); // wrong
  await Wallet.start({ ...services, seed: "", store: new Map() }); // wrong
  await Wallet.start({ network: "privatenet", miningUrl: "", seed: "" }); // wrong
  new Wallet(); // wrong
  wallet.on("block", () => {}); // wrong
  wallet.on("balance", ({ tx }) => tx); // wrong
  const available: number = (await wallet.balance()).available; // wrong
  const addresses: string = await wallet.addresses(); // wrong
  await wallet.sendTx({ outputs: [{ address: "", value: "1" }] }); // wrong
  await wallet.sendTx({ outputs: [{ type: "data" }] }); // wrong
  await wallet.sendTx({ outputs: [], change_address: "" }); // wrong
  await wallet.createToken({ name: "", symbol: "" }); // wrong
  await wallet.createNft({ name: "", symbol: "", amount: 1n }); // wrong
  await wallet.utxos({ maxUtxos: "1" }); // wrong
  await wallet.history(10); // wrong
  wallet.status().statusCode = 9; // wrong
  wallet.free(); // wrong
  deriveAddresses({ network: "mainnet" }); // wrong
  checkAddress("", "mainnet").reason; // wrong
  Account.fromSeed(5); // wrong
  const caught: unknown = available;
  if (isWalletError(caught)) caught.code === "NO_SUCH_CODE"; // wrong
  void addresses;
}
