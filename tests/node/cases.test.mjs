// The tables of tests/cases against the npm package; tests/server/cases.rs says how they are written, and runs them over HTTP and on the
// command line. Cases with settings are a server's alone; after `! -`, a request is.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { startDevnet } from "./support/devnet.mjs";
import { PKG, ROOT } from "./support/package.mjs";
import { output } from "./support/outputs.mjs";

const { Account, Wallet, generateMnemonic, isWalletError, parseJson } = await import(`${PKG}/node.mjs`);

const FOLDER = join(ROOT, "tests/cases");
const THREE = parseJson(readFileSync(join(ROOT, "tests/vectors/addresses.json"), "utf8")).multisig[2];
const XPUBS = THREE.networks.testnet.account_xpubs;
const GENESIS =
  "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level";

/** The package's method of each operation, by its method and path. */
const METHODS = new Map(
  [...readFileSync(join(ROOT, "docs/operations.md"), "utf8").matchAll(/^\| `(\w+ \/\S*)` \| `(\w+)`/gm)].map(([, place, method]) => [place, method]),
);
METHODS.set("GET /configuration-string", "token");

/** Methods whose answer is one member of that of the interface. */
const MEMBERS = {
  address: "address", addresses: "addresses", addressIndex: "index", confirmations: "confirmationNumber", contractHistory: "history",
  contractState: "state", lastLoadedAddressIndex: "index", lockedUtxos: "locked_utxos", mySignatures: "signatures", mySwapSignatures: "signatures",
  oracleData: "oracleData", oracleSignedResult: "signedResult", signingFile: "file", swapInputData: "signatures", verifyMessage: "valid",
};

/** Methods that take one field alone. */
const ALONE = {
  loadMoreAddresses: "count", loadAddressesTo: "index", lockUtxos: "txHex", unlockUtxos: "txHex", addressIndex: "address", confirmations: "id", transaction: "id", token: "token",
  walletInputs: "txHex", mySignatures: "txHex", mySwapSignatures: "partial_tx", swapInputData: "txHex", unlockSwap: "partial_tx", oracleData: "oracle",
};

/** The lines with their numbers: those that go on put together, and answers beside requests as lines of their own. */
function linesOf(text) {
  const lines = [];
  text.split("\n").forEach((line, at) => {
    if (line.startsWith("        ")) lines.at(-1).line += ` ${line.trim()}`;
    else lines.push(...line.split(" => ").map((part) => ({ number: at + 1, line: part.trim() })));
  });
  return lines.filter(({ line }) => line !== "" && !line.startsWith("#"));
}

function parse(text) {
  const cases = [];
  const prelude = { steps: [] };
  let template;
  for (const { number, line } of linesOf(text)) {
    const [, word, rest] = line.match(/^(\S+) ?(.*)$/s);
    if (word === "==") {
      cases.push({ ...prelude, name: rest, steps: structuredClone(prelude.steps) });
      continue;
    }
    const one = cases.at(-1) ?? prelude;
    const { steps } = one;
    const [, wallet = "genesis", method, path, body] = line.match(/^(?:(\S+): )?(GET|POST|PUT|DELETE) (\S+) ?(.*)$/s) ?? [];
    const last = steps.at(-1);
    const cut = (text) => text.match(/^(\S+) (.*)$/s).slice(1);
    if (method) {
      template = { wallet, method, path };
      if (method === "GET" || body) steps.push({ ...template, line: number, body: body ? parseJson(body) : undefined });
    } else if (line !== "?" && /^[{[?&]/.test(line)) {
      const [, query, body] = line.match(/^([?&]\S*)? ?(.*)$/s);
      steps.push({ ...template, line: number, path: template.path.split(",").map((path) => path + (query ?? "")).join(","), body: body ? parseJson(body) : undefined });
    } else if (word === "settings") one.settings = true;
    else if (word === "participants") steps.push(...[0, 1, 2].map((n) => ({ start: `${n}`, body: { seed: `$words${n}`, multisig: true } })));
    else if (word === "start") {
      const [id, body] = rest.includes(" ") ? cut(rest) : [rest, "{}"];
      steps.push({ start: id, body: parseJson(body) });
    } else if (word === "let") {
      const [name, value] = cut(rest);
      steps.push({ let: name, value: parseJson(value) });
    } else if (word === "blocks") steps.push({ blocks: Number(rest) });
    else if (word === "!") last.code = rest;
    else if ([">", ">>"].includes(word) || / >>? /.test(line.slice(0, 12))) one.settings = true;
    else if (["|", "usage"].includes(word)) continue;
    else if (one.settings) continue;
    else if (word === "done") last.answer = { whole: true, body: { success: true } };
    else if (word === "error") last.answer = { whole: true, body: { success: false } };
    else if (word === "invalid") last.answer = { body: { success: false }, invalid: true };
    else if (word !== "$") {
      const [, until, status, more, body] = line.match(/^(until )?(\d+)(\+?) (.*)$/s);
      last.answer = { until: !!until, whole: !more, body: status === "200" ? parseJson(body) : { success: false }, invalid: status !== "200" };
    }
  }
  for (const one of cases) one.steps = one.steps.flatMap((step) => step.path?.split(",").map((path, at) => ({ ...step, path, code: step.code?.split(",")[at] ?? step.code })) ?? step);
  return cases;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const NAME = /\$\w+/g;
const PLACE = /@(\w+\.)?\d+/g;

/** What placeholders stand for. */
class Names {
  constructor(wallets) {
    this.wallets = wallets;
    this.bound = new Map(
      Object.entries({
        $foreign: "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc",
        $unknown: "ab".repeat(32),
        $bet_blueprint: "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595",
        $words: GENESIS,
        $xpub: Account.fromSeed(GENESIS).xpub(),
        ...Object.fromEntries(THREE.participants.flatMap(({ words }, n) => [[`$words${n}`, words], [`$xpub${n}`, XPUBS[n]]])),
      }),
    );
  }

  fill(text) {
    return text.replace(NAME, (name) => this.bound.get(name) ?? name);
  }

  async text(text) {
    for (const [place] of text.matchAll(PLACE)) {
      const [, id = "genesis", index] = place.match(/@(?:(\w+)\.)?(\d+)/);
      text = text.replace(place, await this.wallets.get(id).address({ index: Number(index) }));
    }
    return this.fill(text);
  }

  async value(value) {
    if (typeof value === "string") return this.bound.has(value) ? this.bound.get(value) : this.text(value);
    if (Array.isArray(value)) {
      const made = [];
      let times = 1;
      for (const element of value) {
        const [, count] = (typeof element === "string" && element.match(/^×(\d+)$/)) || [];
        if (!count) made.push(...Array(times).fill(await this.value(element)));
        times = count ? Number(count) : 1;
      }
      return made;
    }
    if (!isObject(value)) return value;
    const made = {};
    for (const [name, member] of Object.entries(value)) made[await this.text(name)] = await this.value(member);
    return made;
  }

  /** Whether an answer is as in the table. Binds the names that it has first. */
  is(expected, found) {
    if (expected === "*") return true;
    if (typeof expected === "string" && expected.replace(NAME, "") === "" && expected.lastIndexOf("$") === 0) {
      if (!this.bound.has(expected)) this.bound.set(expected, found);
      return same(this.bound.get(expected), found);
    }
    if (typeof expected === "string") {
      if (typeof found !== "string") return false;
      const names = [];
      const pattern = this.fill(expected)
        .replace(/[.*+?^{}()|[\]\\]/g, "\\$&")
        .replaceAll("…", ".*")
        .replace(NAME, (name) => (names.push(name), "([A-Za-z0-9]*)"))
        .replaceAll("$", "\\$");
      const parts = new RegExp(`^${pattern}$`, "s").exec(found);
      names.forEach((name, at) => parts && this.bound.set(name, parts[at + 1]));
      return parts !== null;
    }
    if (Array.isArray(expected)) {
      if (!Array.isArray(found)) return false;
      const anyOrder = expected[0] === "~";
      const goesOn = expected.at(-1) === "...";
      const all = expected.slice(1, goesOn ? -1 : undefined);
      const left = [...found];
      if (!anyOrder) return this.isList(expected, found);
      const fits = all.every((one) => {
        const at = left.findIndex((element) => this.is(one, element));
        if (at >= 0) left.splice(at, 1);
        return at >= 0;
      });
      return fits && (goesOn || left.length === 0);
    }
    if (!isObject(expected)) return expected === found;
    const names = Object.keys(expected).filter((name) => name !== "...");
    return (
      isObject(found) &&
      ("..." in expected || names.length === Object.keys(found).length) &&
      names.every((name) => name in found && this.is(expected[name], found[name]))
    );
  }

  /** The same of a list, in which `"..."` is any number of elements. */
  isList([first, ...rest], found) {
    if (first === undefined) return found.length === 0;
    if (first === "...") return found.concat(0).some((_, skipped) => this.isList(rest, found.slice(skipped)));
    return found.length > 0 && this.is(first, found[0]) && this.isList(rest, found.slice(1));
  }
}

function same(one, other) {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}

/** An answer with numbers for amounts, and with inputs and outputs of transactions in a line each. */
function normal(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(normal);
  if (!isObject(value)) return value;
  const isTransaction = "nonce" in value && Array.isArray(value.outputs);
  if (!isTransaction) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normal(member)]));
  const inputs = value.inputs.map(({ hash, index, data }) => `${hash}:${index}${data ? "" : " unsigned"}`);
  const { nonce, ...members } = value;
  return { ...normal({ ...members, inputs: [], outputs: [] }), nonce, inputs, outputs: value.outputs.map(output) };
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A request as JavaScript writes it: names in camel case, no numbers or flags in texts. */
function request(value, name) {
  if (Array.isArray(value)) return value.map((element) => request(element));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [camel(name), request(member, name)]));
  if (typeof value !== "string") return value;
  if (/^(true|false)$/.test(value)) return value === "true";
  if (/^(value|amount|index|count|limit|(max_utxos|maximum_amount|amount_\w+_than))$/.test(name) && /^\d+$/.test(value)) return parseJson(`${value}`);
  return value;
}

/** The fields of a query; `name[]` is an array. */
function fieldsOf(query) {
  const fields = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const [array] = name.split("[");
    if (array !== name) (fields[array] ??= []).push(value);
    else if (value !== "") fields[name] = value === "1" && name === "only_available_utxos" ? "true" : value;
  }
  return fields;
}

async function ask(wallet, { method, path, body }) {
  const [place, query = ""] = path.split("?");
  const { dry_run, ...fields } = { ...fieldsOf(query), ...(Array.isArray(body) ? { template: body } : body) };
  let name = METHODS.get(`${method} ${place}`);
  if (name === "lockUtxos" && `${fields.mark_as_used}` === "false") name = "unlockUtxos";
  const { template, ...others } = fields;
  const given = template ? { ...request(others), template } : request(others);
  const options = { dryRun: dry_run === undefined ? undefined : `${dry_run}` === "true" };
  const alone = ALONE[name];
  const answer = await (alone ? wallet[name](given[camel(alone)], name === "lockUtxos" ? { ttl: given.ttl } : undefined) : wallet[name](given, options));
  if (name === "token") return { success: answer !== null, configurationString: answer?.configurationString };
  if (name === "history" && fields.limit === undefined) return Object.fromEntries(answer.map((entry) => [entry.tx_id, entry]));
  const member = MEMBERS[name];
  if (!member) return answer ?? { success: true };
  return answer === undefined ? { success: false } : { success: true, [member]: answer };
}

/** Another wallet, started as the body says for a server; nothing where the package has no such way to start. */
function options({ seed, seedKey, xpubkey, multisig, multisigKey, ...rest }) {
  if (Object.keys(rest).length) return undefined;
  const words = xpubkey ? {} : { seed: seedKey ? GENESIS : (seed ?? generateMnemonic()) };
  if (multisig) return { ...words, multisig: { pubkeys: XPUBS, numSignatures: 2 } };
  return xpubkey ? { xpub: xpubkey } : words;
}

async function run({ steps }, file, written) {
  const { nodeUrl, miningUrl, control, stop } = await startDevnet("--block-interval", "0");
  const wallets = new Map();
  const start = async (id, keys) => wallets.set(id, await Wallet.start({ network: "privatenet", nodeUrl, miningUrl, ...keys }));
  try {
    await start("genesis", { seed: GENESIS });
    const names = new Names(wallets);
    for (const step of steps) {
      if (step.start) await start(step.start, options(await names.value(step.body)));
      else if (step.let) names.bound.set(`$${step.let}`, await names.value(step.value));
      else if (step.blocks) await mine(control, step.blocks, wallets.get("genesis"));
      else if (step.code !== "-") await check(names, wallets, step, file, written);
    }
  } finally {
    await Promise.all([...wallets.values()].map((wallet) => wallet.stop()));
    await stop();
  }
}

/** Calls of contracts are carried out by a block: the wallet learns of that a little later. */
async function mine(control, count, wallet) {
  await control("blocks", { count });
  while ((await wallet.history()).some(({ nc_id, nc_execution }) => nc_id && nc_execution === "pending")) await setTimeout(20);
}

async function check(names, wallets, step, file, written) {
  const { answer, code } = step;
  const wallet = wallets.get(step.wallet) ?? wallets.get("genesis");
  const asked = { ...step, path: await names.text(step.path), body: step.body && (await names.value(step.body)) };
  const place = `${file}:${step.line}: ${step.method} ${asked.path}`;
  const end = Date.now() + (answer.until ? 20_000 : 0);
  for (;;) {
    let found;
    try {
      found = normal(await ask(wallet, asked));
    } catch (error) {
      assert.ok(isWalletError(error), `${place}: ${error.stack}`);
      found = { success: false, code: error.code, error };
    }
    const expected = await names.value(answer.body);
    const fails = expected.success === false && found.code !== undefined;
    if (expected.success === false && found.success === false && found.code === undefined) return;
    if (fails && (code ?? (answer.invalid ? "INVALID_INPUT" : undefined)) === found.code) return;
    if (fails && code === undefined && !answer.invalid && process.env.UPDATE) return void written.set(step.line, found.code);
    const bound = new Map(names.bound);
    // Not all answers of the package say that they are one.
    if (isObject(expected) && !fails && !("success" in expected && "success" in found)) {
      delete expected.success;
      delete found.success;
    }
    if (!fails && names.is(answer.whole || !isObject(expected) ? expected : { ...expected, "...": 0 }, found)) return;
    names.bound = bound;
    assert.ok(Date.now() < end, `${place}\nexpected ${code ?? ""} ${show(expected)}\nfound ${show(found)} ${found.error ?? ""}`);
    await setTimeout(20);
  }
}

const show = (value) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one));

const files = readdirSync(FOLDER).sort();
for (const file of files) {
  test(file, { concurrency: 2 }, async (t) => {
    const path = join(FOLDER, file);
    const text = readFileSync(path, "utf8");
    const written = new Map();
    const isHere = ({ settings, steps }) =>
      !settings &&
      steps.every((step) => !step.start || options(step.body)) &&
      steps.some((step) => step.answer && step.code !== "-" && METHODS.has(`${step.method} ${step.path.split("?")[0]}`));
    for (const one of parse(text).filter(isHere)) await t.test(one.name, () => run(one, file, written));
    if (written.size === 0) return;
    const lines = text.split("\n");
    for (const [line, code] of [...written].sort(([a], [b]) => b - a)) {
      let at = line - 1;
      while (!/(^| => )(error|200)/.test(lines[at])) at += 1;
      do at += 1; while (lines[at].startsWith("        "));
      lines.splice(at, 0, `! ${code}`);
    }
    writeFileSync(path, lines.join("\n"));
  });
}
