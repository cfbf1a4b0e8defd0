// The worker that the wallet runs in: it answers the page's calls. The page never waits for keys, history or work.
import { checkAddress, checkMnemonic, generateMnemonic, init, openSecret, sealSecret, wordList } from "headless-wallet";
import { indexedDbStore } from "headless-wallet/indexeddb";
import type { Answer, Call, Engine, EngineEvent, Failure, Words } from "./api";
import { Session } from "./session";

/** What a worker's `self` has; the page's own types stand everywhere else. */
const scope = self as unknown as { postMessage(message: EngineEvent | Answer): void; onmessage: (event: MessageEvent<Call>) => void };
const tell = (event: EngineEvent): void => scope.postMessage(event);

const store = indexedDbStore();
let held: Words | undefined;
let session: Session | undefined;

function words(): Words {
  if (!held) throw coded("NO_WORDS", "There are no words to open a wallet with.");
  return held;
}

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

  hold(given) {
    held = given;
  },
  unlock(sealed, password) {
    held = JSON.parse(openSecret(sealed, password)) as Words;
  },
  seal: (password) => sealSecret(JSON.stringify(words()), password),
  reveal: words,

  async start(place, keep) {
    await engine.stop();
    session = await Session.start(place, words(), keep ? store : undefined, tell);
  },
  forget: () => store.clear(),
  async stop() {
    const last = session;
    session = undefined;
    await last?.stop();
  },
  reconnect: () => open().wallet.reconnect(),
  addresses: () => open().addresses(),
  nextAddress: () => open().nextAddress(),
  activities: (token, from, count) => open().activities(token, from, count),
  series: (token) => open().series(token),
  detail: (id) => open().detail(id),
  utxos: (filter) => open().wallet.utxos(filter),
  deposit: (request) => open().wallet.tokenDeposit(request),
  sendCost: async (request) => (await open().wallet.sendTx(request, { dryRun: true })).cost,
  send: async (request) => (await open().wallet.sendTx(request)).hash,
  melt: async (request) => (await open().wallet.meltTokens(request)).hash,
  createToken: (request) => open().create(request, "token"),
  createNft: (request) => open().create(request, "nft"),
  names: (token) => open().names(token),
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
