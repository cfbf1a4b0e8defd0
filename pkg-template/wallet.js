// The wallet as programs use it. What it does is done in WebAssembly; this side has the manners of JavaScript: signals that end a
// wait, iterators, the caller's line on errors.
import { Wallet as Core } from "./bindings.js";
import { ready } from "./core.js";

/** Only `start` has it. */
const MADE_BY_START = Symbol("start");

/** News that an iterator keeps for a loop that is slower than they come. */
const MAX_WAITING_NEWS = 10_000;

/** How many tokens `tokens` asks the full node about at a time. */
const ASKED_AT_ONCE = 4;

/** A token that the full node does not know. */
const NAMELESS = { name: null, symbol: null, nftData: null };

/** How long `waitForTransaction` waits between two questions for confirmations, in milliseconds. */
const ASK_AGAIN = 3_000;

const walletError = (name, code, message) => Object.assign(new Error(message), { name, code });

/** Rejects when the signal is given; `end` stops listening to it. */
function abortion(signal) {
  if (!signal) return { promise: undefined, end() {} };
  let end;
  const promise = new Promise((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    end = () => signal.removeEventListener("abort", abort);
  });
  // Nobody may be waiting for it any more.
  promise.catch(() => {});
  return { promise, end };
}

/** What `promise` comes to, unless the signal is given before. */
async function unlessAborted(signal, promise) {
  if (!signal) return promise;
  const { promise: aborted, end } = abortion(signal);
  promise.catch(() => {});
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    end();
  }
}

/** Gives an error that comes out of WebAssembly the lines of its caller: those of WebAssembly say nothing. */
async function traced(method, promise) {
  const here = {};
  Error.captureStackTrace?.(here, method);
  try {
    return await promise;
  } catch (error) {
    if (here.stack && error instanceof Error && typeof error.code === "string") {
      const lines = here.stack.split("\n").slice(1);
      error.stack = [`${error.name}: ${error.message}`, ...lines].join("\n");
    }
    throw error;
  }
}

/** The signal among options that can be anything: what can't be read is refused where the options are read. */
function signalOf(options) {
  try {
    const { signal } = options;
    return typeof signal?.addEventListener === "function" ? signal : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the options bring a WebSocket. */
function hasSockets(options) {
  try {
    return options.WebSocket !== undefined;
  } catch {
    return false;
  }
}

/** An argument that may be given alone in the place of `{ [name]: … }`. */
const named = (name, value) => (typeof value === "string" ? { [name]: value } : value);

export class Wallet {
  #core;
  /** Names of tokens, which never change: the full node is asked for each once. */
  #names = new Map();

  constructor(key, core) {
    if (key !== MADE_BY_START) {
      throw walletError("InputError", "INVALID_INPUT", "a wallet is made by `await Wallet.start(options)`, not by `new`");
    }
    this.#core = core;
  }

  static start(options) {
    return traced(Wallet.start, Wallet.#start(options));
  }

  static async #start(options) {
    const signal = signalOf(options);
    if (signal?.aborted) throw signal.reason;
    await unlessAborted(signal, ready(hasSockets(options)));
    const { promise: aborted, end } = abortion(signal);
    try {
      return new Wallet(MADE_BY_START, await Core.start(options, aborted));
    } finally {
      end();
    }
  }

  /** Carries out an operation; `method` is the one that the program has called. */
  #call(method, operation, request, options) {
    const signal = signalOf(options);
    // Before anything is begun.
    const answer = signal?.aborted ? Promise.reject(signal.reason) : this.#core.call(operation, request, options);
    return traced(method, unlessAborted(signal, answer));
  }

  status() {
    return this.#core.status();
  }
  tokens(options) {
    const signal = signalOf(options);
    const answer = signal?.aborted ? Promise.reject(signal.reason) : this.#tokens();
    return traced(this.tokens, unlessAborted(signal, answer));
  }
  async #tokens() {
    const balances = await this.balances();
    const unnamed = balances.map(({ token }) => token).filter((uid) => !this.#names.has(uid));
    const ask = async () => {
      while (unnamed.length > 0) {
        const uid = unnamed.shift();
        const found = await this.token(uid);
        if (found) this.#names.set(uid, { name: found.name, symbol: found.symbol, nftData: found.nftData });
      }
    };
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
    return balances.map(({ token, ...balance }) => ({ uid: token, ...(this.#names.get(token) ?? NAMELESS), ...balance }));
  }
  token(uid, options) {
    return this.#call(this.token, "token", named("token", uid), options);
  }
  tokenDeposit(request, options) {
    return this.#call(this.tokenDeposit, "tokenDeposit", request, options);
  }
  authorities(token) {
    return this.#call(this.authorities, "authorities", named("token", token));
  }
  balance(token) {
    return this.#call(this.balance, "balance", named("token", token));
  }
  async balances() {
    return (await this.#call(this.balances, "balances")).balances;
  }
  async address(request) {
    return (await this.#call(this.address, "address", request)).address;
  }
  async addresses() {
    return (await this.#call(this.addresses, "addresses")).addresses;
  }
  async addressIndex(address) {
    return (await this.#call(this.addressIndex, "addressIndex", named("address", address))).index;
  }
  addressInfo(request) {
    return this.#call(this.addressInfo, "addressInfo", named("address", request));
  }
  async lastLoadedAddressIndex() {
    return (await this.#call(this.lastLoadedAddressIndex, "lastLoadedAddressIndex")).index;
  }
  utxos(filter) {
    return this.#call(this.utxos, "utxos", filter);
  }
  history(request) {
    return this.#call(this.history, "history", request);
  }
  transaction(id) {
    return this.#call(this.transaction, "transaction", named("id", id));
  }
  async confirmations(id, options) {
    return (await this.#call(this.confirmations, "confirmations", named("id", id), options)).confirmationNumber;
  }

  sendTx(request, options) {
    return this.#call(this.sendTx, "sendTx", request, options);
  }
  simpleSendTx(request, options) {
    return this.#call(this.simpleSendTx, "simpleSendTx", request, options);
  }
  createToken(request, options) {
    return this.#call(this.createToken, "createToken", request, options);
  }
  createNft(request, options) {
    return this.#call(this.createNft, "createNft", request, options);
  }
  mintTokens(request, options) {
    return this.#call(this.mintTokens, "mintTokens", request, options);
  }
  meltTokens(request, options) {
    return this.#call(this.meltTokens, "meltTokens", request, options);
  }
  consolidateUtxos(request, options) {
    return this.#call(this.consolidateUtxos, "consolidateUtxos", request, options);
  }
  pushTx(txHex, options) {
    return this.#call(this.pushTx, "pushTx", named("txHex", txHex), options);
  }
  decodeTx(txHex, options) {
    return this.#call(this.decodeTx, "decodeTx", named("txHex", txHex), options);
  }

  runTemplate(request, options) {
    return this.#call(this.runTemplate, "runTemplate", request, options);
  }
  buildTemplate(request, options) {
    return this.#call(this.buildTemplate, "buildTemplate", request, options);
  }
  buildTx(request, options) {
    return this.#call(this.buildTx, "buildTx", request, options);
  }
  walletInputs(txHex) {
    return this.#call(this.walletInputs, "walletInputs", named("txHex", txHex));
  }
  inputData(request) {
    return this.#call(this.inputData, "inputData", request);
  }
  async signingFile(request, options) {
    return (await this.#call(this.signingFile, "signingFile", request, options)).file;
  }
  pushSigningFile(request, options) {
    return this.#call(this.pushSigningFile, "pushSigningFile", request, options);
  }
  addSignatures(request, options) {
    return this.#call(this.addSignatures, "addSignatures", request, options);
  }
  async lockUtxos(txHex, { ttl } = {}) {
    await this.#call(this.lockUtxos, "lockUtxos", { txHex, markAsUsed: true, ttl });
  }
  async unlockUtxos(txHex) {
    await this.#call(this.unlockUtxos, "lockUtxos", { txHex, markAsUsed: false });
  }

  proposeTx(request, options) {
    return this.#call(this.proposeTx, "proposeTx", request, options);
  }
  proposeCreateToken(request, options) {
    return this.#call(this.proposeCreateToken, "proposeCreateToken", request, options);
  }
  proposeMintTokens(request, options) {
    return this.#call(this.proposeMintTokens, "proposeMintTokens", request, options);
  }
  proposeMeltTokens(request, options) {
    return this.#call(this.proposeMeltTokens, "proposeMeltTokens", request, options);
  }
  async mySignatures(txHex, options) {
    return (await this.#call(this.mySignatures, "mySignatures", named("txHex", txHex), options)).signatures;
  }
  signProposal(request) {
    return this.#call(this.signProposal, "signProposal", request);
  }
  signAndPush(request, options) {
    return this.#call(this.signAndPush, "signAndPush", request, options);
  }

  proposeSwap(request, options) {
    return this.#call(this.proposeSwap, "proposeSwap", request, options);
  }
  async mySwapSignatures(partialTx, options) {
    return (await this.#call(this.mySwapSignatures, "mySwapSignatures", named("partialTx", partialTx), options)).signatures;
  }
  signSwap(request, options) {
    return this.#call(this.signSwap, "signSwap", request, options);
  }
  signAndPushSwap(request, options) {
    return this.#call(this.signAndPushSwap, "signAndPushSwap", request, options);
  }
  async swapInputData(txHex) {
    return (await this.#call(this.swapInputData, "swapInputData", named("txHex", txHex))).signatures;
  }
  async unlockSwap(partialTx) {
    await this.#call(this.unlockSwap, "unlockSwap", named("partialTx", partialTx));
  }
  async swapProposals() {
    return (await this.#call(this.swapProposals, "swapProposals")).proposals;
  }
  async swapProposal(proposalId, options) {
    return (await this.#call(this.swapProposal, "swapProposal", named("proposalId", proposalId), options)).proposal;
  }
  async registerSwapProposal(request, options) {
    await this.#call(this.registerSwapProposal, "registerSwapProposal", request, options);
  }
  async deleteSwapProposal(proposalId) {
    await this.#call(this.deleteSwapProposal, "deleteSwapProposal", named("proposalId", proposalId));
  }
  async lockedUtxos() {
    return (await this.#call(this.lockedUtxos, "lockedUtxos")).locked_utxos;
  }
  contractState(request, options) {
    return this.#call(this.contractState, "contractState", request, options).then(({ state }) => state);
  }
  contractHistory(request, options) {
    return this.#call(this.contractHistory, "contractHistory", request, options).then(({ history }) => history);
  }
  async oracleData(oracle) {
    return (await this.#call(this.oracleData, "oracleData", named("oracle", oracle))).oracleData;
  }
  async oracleSignedResult(request) {
    return (await this.#call(this.oracleSignedResult, "oracleSignedResult", request)).signedResult;
  }
  createContract(request, options) {
    return this.#call(this.createContract, "createContract", request, options);
  }
  executeContract(request, options) {
    return this.#call(this.executeContract, "executeContract", request, options);
  }
  createBlueprint(request, options) {
    return this.#call(this.createBlueprint, "createBlueprint", request, options);
  }

  signMessage(request) {
    return this.#call(this.signMessage, "signMessage", request);
  }
  async verifyMessage(request) {
    return (await this.#call(this.verifyMessage, "verifyMessage", request)).valid;
  }

  async loadMoreAddresses(count, options) {
    await this.#call(this.loadMoreAddresses, "loadMoreAddresses", { count }, options);
  }
  async loadAddressesTo(index, options) {
    await this.#call(this.loadAddressesTo, "loadAddressesTo", { index }, options);
  }

  /** Resolves once the transaction is in the history and, where `confirmations` is given, so many blocks confirm it. */
  async waitForTransaction(id, { confirmations = 0, signal } = {}) {
    for (;;) {
      const news = this.#nextNewsOf(id, signal);
      try {
        const transaction = await this.#ifKnown(this.transaction(id));
        if (transaction?.is_voided) {
          throw walletError("SendError", "VOIDED", `transaction ${id} is voided: another one has spent what it spends`);
        }
        if (transaction && confirmations === 0) return transaction;
        if (transaction && (await this.#ifKnown(this.confirmations(id, { signal }))) >= confirmations) return transaction;
        await news.come;
      } finally {
        news.end();
      }
    }
  }

  /** What is asked, or nothing where it can't be told yet: not when the question is wrong, or nobody will ever answer. */
  async #ifKnown(asked) {
    try {
      return await asked;
    } catch (error) {
      if (error?.code === "STOPPED" || error?.field !== undefined) throw error;
      return undefined;
    }
  }

  /** Something happens to a transaction, or it is time to ask again. */
  #nextNewsOf(id, signal) {
    const { promise: aborted, end: endAbortion } = abortion(signal);
    let off, timer;
    const happens = new Promise((resolve) => {
      off = this.on("tx", ({ tx }) => tx.tx_id === id && resolve());
      timer = setTimeout(resolve, ASK_AGAIN);
    });
    const end = () => {
      off();
      clearTimeout(timer);
      endAbortion();
    };
    const come = aborted ? Promise.race([aborted, happens]) : happens;
    // It may happen before it is waited for.
    come.catch(() => {});
    return { come, end };
  }

  on(event, listener) {
    return this.#core.on(event, listener);
  }

  once(event, { signal } = {}) {
    const offs = [];
    const come = new Promise((resolve, reject) => {
      // First, so that the end itself can be waited for.
      offs.push(this.#core.on(event, resolve));
      offs.push(this.#onceStopped(() => reject(walletError("NotReadyError", "STOPPED", "the wallet is stopped"))));
    });
    return traced(
      this.once,
      unlessAborted(signal, come).finally(() => offs.forEach((off) => off())),
    );
  }

  /** Calls back when the wallet stops, or at once if it has. Gives what ends that. */
  #onceStopped(callback) {
    const isStopped = ({ statusMessage }) => statusMessage === "Closed";
    if (isStopped(this.status())) callback();
    return this.#core.on("state", (state) => isStopped(state) && callback());
  }

  /** News from now on, until the loop is left or the wallet is stopped. */
  events(event, { signal } = {}) {
    const waiting = [];
    const offs = [];
    let asking = [];
    let ended = false;
    let failure;
    const wake = () => {
      asking.forEach((resolve) => resolve());
      asking = [];
    };
    const finish = (error) => {
      ended = true;
      failure ??= error;
      offs.forEach((off) => off());
      wake();
    };
    const take = (news) => {
      if (ended) return;
      if (waiting.length === MAX_WAITING_NEWS) {
        finish(walletError("NotReadyError", "TOO_SLOW", `more than ${MAX_WAITING_NEWS} events wait for a loop that is too slow`));
      } else {
        waiting.push(news);
        wake();
      }
    };
    const abort = () => finish(signal.reason);
    offs.push(this.#core.on(event, take));
    offs.push(this.#onceStopped(() => finish()));
    offs.push(() => signal?.removeEventListener("abort", abort));
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    if (ended) offs.forEach((off) => off());
    return {
      async next() {
        while (waiting.length === 0 && !ended) await new Promise((resolve) => asking.push(resolve));
        if (waiting.length > 0) return { done: false, value: waiting.shift() };
        if (failure) throw failure;
        return { done: true, value: undefined };
      },
      async return() {
        waiting.length = 0;
        finish();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  reconnect() {
    this.#core.reconnect();
  }
  stop() {
    return this.#core.stop();
  }
  [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    return this.stop();
  }
}
