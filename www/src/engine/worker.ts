// The worker that the wallet runs in: it answers the page's calls. The page never waits for keys, history or work.
import { Account, checkAddress, checkMnemonic, generateMnemonic, init, openSecret, parseConfigurationString, sealSecret, wordList } from "headless-wallet";
import { indexedDbStore } from "headless-wallet/indexeddb";
import type { Answer, Call, Engine, EngineEvent, Failure, Keys } from "./api";
import { canEncrypt, Cipher, printOf, sealedStore } from "./cipher";
import { Session } from "./session";
import { fileOf, readFile } from "./signing";

/** What a worker's `self` has; the page's own types stand everywhere else. */
const scope = self as unknown as { postMessage(message: EngineEvent | Answer): void; onmessage: (event: MessageEvent<Call>) => void };
const tell = (event: EngineEvent): void => scope.postMessage(event);

let held: Keys | undefined;
let session: Session | undefined;

function keys(): Keys {
  if (!held) throw coded("NO_WORDS", "There are no words to open a wallet with.");
  return held;
}

function xpubOf(of: Keys): string {
  if ("xpub" in of) return of.xpub;
  if (of.multisig) return Account.multisigXpub(of.words, of.passphrase);
  const account = Account.fromSeed(of.words, of.passphrase);
  return account.xpub();
}

/** What can't be encrypted is not kept: the next start takes longer, and that is all. */
const storeIn = async (database: string) =>
  canEncrypt() ? sealedStore(indexedDbStore({ database }), await Cipher.of(keys())) : undefined;

function open(): Session {
  if (!session) throw coded("STOPPED", "The wallet is not open.");
  return session;
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** The engine, whose methods may take their time. */
type Slow = { [M in keyof Engine]: (...args: Parameters<Engine[M]>) => ReturnType<Engine[M]> | Promise<ReturnType<Engine[M]>> };

const engine: Slow = {
  wordList,
  newWords: generateMnemonic,
  checkWords: checkMnemonic,
  checkAddress,
  checkXpub(xpub) {
    try {
      Account.fromXpub(xpub);
      return undefined;
    } catch (error) {
      return failure(error).message;
    }
  },

  hold(given) {
    held = given;
  },
  unlock(sealed, password) {
    held = JSON.parse(openSecret(sealed, password)) as Keys;
  },
  seal: (password) => sealSecret(JSON.stringify(keys()), password),
  reveal() {
    const known = keys();
    if ("xpub" in known) throw coded("NO_WORDS", "This wallet is watched by its xpub: its words are not here.");
    return known;
  },
  xpub: () => xpubOf(keys()),
  multisigXpub: ({ words, passphrase }) => Account.multisigXpub(words, passphrase),
  print: () => printOf(keys()),
  sealNote: async (text, what) => (await Cipher.of(keys())).sealText(text, what),
  openNote: async (sealed, what) => (await Cipher.of(keys())).openText(sealed, what),

  async start(place, database) {
    await engine.stop();
    session = await Session.start(place, keys(), database === undefined ? undefined : await storeIn(database), tell);
  },
  async forget(database) {
    await indexedDbStore({ database }).clear();
    indexedDB.deleteDatabase(database);
  },
  async stop() {
    const last = session;
    session = undefined;
    await last?.stop();
  },
  reconnect: () => open().wallet.reconnect(),
  addresses: () => open().addresses(),
  nextAddress: () => open().nextAddress(),
  activities: (filter, from, count) => open().activities(filter, from, count),
  series: (token) => open().series(token),
  detail: (id) => open().detail(id),
  chainFacts: (id) => open().chainFacts(id),
  utxos: (filter) => open().wallet.utxos(filter),
  freeze: (id, index) => open().freeze(id, index),
  thaw: (outpoint, by) => open().thaw(outpoint, by),
  freezeAgain: (frozen) => open().freezeAgain(frozen),
  deposit: (request) => open().wallet.tokenDeposit(request),
  sendEffect: (request) => open().sendEffect(request),
  send: async (request) => (await open().wallet.sendTx(request)).hash,
  mint: async (request) => (await open().wallet.mintTokens(request)).hash,
  melt: async (request) => (await open().wallet.meltTokens(request)).hash,
  createToken: (request) => open().create(request, "token"),
  createNft: (request) => open().create(request, "nft"),
  tokenFacts: (token) => open().tokenFacts(token),
  names: (token) => open().names(token),
  tokenIn(configuration) {
    try {
      return parseConfigurationString(configuration).uid;
    } catch {
      return undefined;
    }
  },
  signMessage: async (message, address) => (await open().wallet.signMessage({ message, address })).signature,
  verifyMessage: (message, address, signature) => open().wallet.verifyMessage({ message, address, signature }),
  propose: async (request) => (await open().wallet.proposeTx({ ...request, markInputsAsUsed: true })).txHex,
  readProposal: (txHex) => open().readProposal(txHex),
  signProposal: (txHex) => open().wallet.mySignatures(txHex),
  async checkProposal(txHex, signatures) {
    await open().wallet.signProposal({ txHex, signatures });
  },
  pushProposal: async (txHex, signatures) => (await open().wallet.signAndPush({ txHex, signatures })).hash,
  signingFile: (txHex, signatures) => fileOf(open().wallet, txHex, signatures),
  readSigningFile: (text, txHex) => readFile(open().wallet, text, txHex),
  dropProposal: (txHex) => open().wallet.unlockUtxos(txHex),
  readContract: (id, asked) => open().readContract(id, asked),
  callEffect: (request) => open().callEffect(request),
  callContract: async (request) => (await open().wallet.executeContract(request)).hash,
  readSwap: (proposal) => open().readSwap(proposal),
  proposeSwap: async (request) => (await open().wallet.proposeSwap(request)).data,
  signSwap: (partialTx, asIs) => open().wallet.mySwapSignatures({ partialTx, asIs }),
  async checkSwap(partialTx, signatures) {
    await open().wallet.signSwap({ partialTx, signatures });
  },
  pushSwap: async (partialTx, signatures) => (await open().wallet.signAndPushSwap({ partialTx, signatures })).hash,
  unlockSwap: (proposal) => open().wallet.unlockSwap(proposal),
};

function failure(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), code: "INTERNAL", field: undefined };
  const { code, field } = error as Error & { code?: string; field?: string };
  return { message: error.message, code: code ?? "INTERNAL", field };
}

async function answer({ id, method, args }: Call): Promise<Answer> {
  try {
    await loaded;
    const run = engine[method] as (...args: unknown[]) => unknown;
    return { id, value: await run(...args) };
  } catch (error) {
    return { id, failure: failure(error) };
  }
}

// A device that is back on the network need not wait.
addEventListener("online", () => session?.wallet.reconnect());

const loaded = init();
scope.onmessage = async ({ data }: MessageEvent<Call>) => scope.postMessage(await answer(data));
