// Everything that the package offers, used rightly. Compiled strictly, and never run.
import {
  Account,
  Wallet,
  checkAddress,
  checkMnemonic,
  configurationString,
  decodeTransaction,
  deriveAddresses,
  generateMnemonic,
  init,
  isWalletError,
  openSecret,
  parseConfigurationString,
  sealSecret,
  validateMnemonic,
  verifyMessage,
  wordList,
} from "headless-wallet";
import type {
  Balance,
  CreatedToken,
  HistoryTransaction,
  Network,
  StartOptions,
  Transaction,
  UtxosRequest,
  WalletEffect,
  WalletError,
  WalletStore,
} from "headless-wallet";
import { indexedDbStore } from "headless-wallet/indexeddb";

const services = { network: "testnet", nodeUrl: "http://localhost:8080/v1a/", miningUrl: "http://localhost:8035/" } as const;

export async function life(seed: string, passphrase?: string): Promise<bigint> {
  await init();
  const options: StartOptions = {
    ...services,
    seed,
    passphrase,
    gapLimit: 30,
    mining: "service-then-local",
    waitForChange: false,
    historySyncMode: "xpub_stream_ws",
    store: indexedDbStore({ database: "mine" }),
    onProgress: ({ addresses, transactions }) => void (addresses + transactions),
    fetch: async (url, { method, headers, body }) => ({
      status: url.length + method.length + (body?.length ?? 0),
      headers: { get: (name) => headers[name] ?? null },
      arrayBuffer: async () => new ArrayBuffer(0),
    }),
    WebSocket: class {
      constructor(readonly url: string) {}
    },
    nodeHeaders: { authorization: "Bearer x" },
    miningHeaders: { "x-gate": "y" },
  };
  const wallet: Wallet = await Wallet.start(options);
  const off: () => void = wallet.on("tx", ({ tx, isNew }) => void [tx.tx_id.length, isNew === true]);
  wallet.on("balance", ({ token, available }) => void [token.length, available + 1n]);
  wallet.on("state", ({ statusCode, statusMessage, error, nextTry }) => void [statusCode === 3, statusMessage === "Ready", error?.length, nextTry?.toFixed()]);
  wallet.on("progress", ({ addresses }) => void addresses.toFixed());
  wallet.on("swap", ({ proposalId, version }) => void [proposalId?.length, version?.toFixed()]);
  off();
  wallet.reconnect();

  const balance: Balance = await wallet.balance();
  const others: bigint[] = [];
  for (const { uid: token, name, symbol, nftData, available } of await wallet.tokens()) {
    void [name?.length, symbol?.length, nftData?.length];
    others.push(available, (await wallet.balance(token)).locked, (await wallet.balance({ token })).available);
  }
  const filter: UtxosRequest = { maxUtxos: 10, amountBiggerThan: 5, amountSmallerThan: 2n ** 60n, onlyAvailableUtxos: true };
  const { utxos, total_amount_available } = await wallet.utxos(filter);
  const address = (await wallet.addresses())[0] ?? (await wallet.address({ index: 0 }));
  const sent: Transaction = await wallet.sendTx({
    outputs: [
      { address, value: 5n, token: "00", timelock: 1_800_000_000 },
      { type: "data", data: "hello" },
    ],
    inputs: utxos.map(({ tx_id, index }) => ({ hash: tx_id, index })),
    changeAddress: undefined,
  });
  await wallet.sendTx({ outputs: [{ address, value: 1 }], inputs: [{ type: "query", maximumAmount: 100 }] });
  const token: CreatedToken = await wallet.createToken({ name: "Coffee", symbol: "CFE", amount: 100n, version: 2, data: ["x"] });
  const nft = await wallet.createNft({ name: "Cup", symbol: "CUP", amount: 1, data: "ipfs://cup", createMelt: true });
  const melted = await wallet.meltTokens({ token: token.hash, amount: 50, depositAddress: address });
  const history: HistoryTransaction[] = await wallet.history({ limit: 10 });
  const effect: WalletEffect | undefined = history[0]?.effect;
  if (effect?.direction === "self" && effect.kind !== "payment") {
    others.push(effect.net["00"] ?? 0n, effect.cost?.total ?? 0n, BigInt(effect.changeOutputs.length));
  }
  others.push(BigInt((await wallet.authorities(token.hash)).melt));
  const decoded = history[0]?.outputs[0]?.decoded;
  if (decoded !== undefined && "address" in decoded) {
    others.push(BigInt(decoded.timelock ?? 0));
  }
  const { serverInfo, network } = wallet.status();
  const known: Network = network;
  await wallet.stop();
  void [serverInfo, known, nft.configurationString, melted.tokens, sent.outputs[0]?.script.length];
  return balance.available + total_amount_available + others.reduce((sum, each) => sum + each, 0n);
}

export function memory(): WalletStore {
  const kept = new Map<string, Uint8Array>();
  return {
    open: (name: string) => ({
      load: () => kept,
      write: async (entries, anew) => {
        if (anew) kept.clear();
        for (const [key, bytes] of entries) kept.set(name + key, bytes);
      },
      close() {},
    }),
  };
}

export function offline(): (string | number | boolean)[] {
  const words = generateMnemonic();
  const account = Account.fromSeed(words, "passphrase");
  const watching = Account.fromXpub(account.xpub());
  const addresses: string[] = watching.addresses({ network: "mainnet", start: 5, count: 2 });
  addresses.push(...deriveAddresses({ network: "mainnet", seed: words }), ...deriveAddresses({ network: "testnet", xpub: account.xpub() }));
  const check = checkAddress(addresses[0] ?? "", "mainnet");
  const text = check.valid ? check.kind : check.reason;
  const { uid } = parseConfigurationString(configurationString({ uid: "00", name: "a", symbol: "b" }));
  const { outputs } = decodeTransaction("00", "mainnet");
  addresses.push(openSecret(sealSecret(words, "password"), "password"), ...wordList());
  const signature = account.signMessage(0, "hello");
  const signed: boolean = verifyMessage({ message: "hello", address: addresses[0] ?? "", signature }, "mainnet");
  return [validateMnemonic(words), checkMnemonic(words).count, text, uid, outputs.length, signature, signed];
}

export function explain(error: unknown): string {
  if (isWalletError(error)) {
    const known: WalletError = error;
    return known.code === "INSUFFICIENT_FUNDS" ? "poor" : `${known.name} ${known.code} ${known.field ?? ""}`;
  }
  return String(error);
}
