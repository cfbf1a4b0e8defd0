// All that the page says stands in its dictionaries, and in all of them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer, parseSync } from "vite";
import { saidBy } from "./support/words.mjs";

const SOURCE = fileURLToPath(new URL("../../www/src/", import.meta.url));

let vite;
let en;
let pt;
let words;
let money;
let text;

before(async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  ({ en } = await vite.ssrLoadModule("/src/words/en/index.ts"));
  ({ pt } = await vite.ssrLoadModule("/src/words/pt/index.ts"));
  ({ words } = await vite.ssrLoadModule("/src/words/index.ts"));
  money = await vite.ssrLoadModule("/src/money.ts");
  text = await vite.ssrLoadModule("/src/text.ts");
});

after(() => vite?.close());

/** Files whose texts nobody reads: the worker's errors are told by their codes, drawings are paths, styles are styles. */
const SILENT = /^(words|engine)\/|^parts\/Icon\.tsx$|^(trust|state\/storage)\.ts$/;
/** What is the same in every language: names of formats and networks, and what belongs to the web. */
const UNIVERSAL = new Set(["HTR", "SYMB", "BOAT", "CAFE", "xpub6…", "ipfs://…", "PartialTx|…", "00ab12cd…34ef56", "xpub", "(forced-colors: active)", "(max-width: 40rem)"]);
/** Attributes that are no texts. */
const CODE = new Set([
  ..."accept autocapitalize autocomplete autocorrect class counted doing fill for href icon id inputMode key kind lang list look name page popover preserveAspectRatio rel role".split(" "),
  ..."referrerpolicy scope shape-rendering src stroke target to tone type verbatim viewBox aria-labelledby aria-live aria-haspopup aria-hidden".split(" "),
]);

/** A text that a person would read: words with spaces, or one that begins as a sentence does. */
const isProse = (value) => /\p{L}{2}/u.test(value) && (/\p{L}\S*\s+\S*\p{L}/u.test(value.trim()) || /^\p{Lu}\p{Ll}+/u.test(value));

/** The texts of a file that stand outside of the dictionaries. */
function literals(name, source) {
  const { program, errors } = parseSync(name, source);
  assert.deepEqual(errors, []);
  const found = [];
  const tell = (node, value) => {
    if (!UNIVERSAL.has(value.trim())) found.push(`${name}:${source.slice(0, node.start).split("\n").length}: ${value.trim()}`);
  };
  const walk = (node, parent) => {
    if (Array.isArray(node)) return node.forEach((child) => walk(child, parent));
    if (typeof node?.type !== "string" || /^Import|^ExportAll|^TS(Type|Interface|Literal)/.test(node.type)) return;
    if (node.type === "JSXAttribute") {
      const attribute = typeof node.name.name === "string" ? node.name.name : `${node.name.namespace.name}:${node.name.name.name}`;
      if (CODE.has(attribute) || attribute.startsWith("data-")) return;
      if (node.value?.type === "Literal") {
        if (/\p{L}{2}/u.test(node.value.value)) tell(node, node.value.value);
        return;
      }
    }
    if (node.type === "JSXText" && /\p{L}{2}/u.test(node.value)) tell(node, node.value);
    const isCompared = parent?.type === "BinaryExpression";
    if (node.type === "Literal" && typeof node.value === "string" && isProse(node.value) && !isCompared) tell(node, node.value);
    if (node.type === "TemplateLiteral") {
      const said = node.quasis.map(({ value }) => value.cooked).join("0");
      if (/(^|[\s(])\p{L}{3,}([\s.,:)]|$)/u.test(said) && /\s/.test(said)) tell(node, said);
    }
    for (const key of Object.keys(node)) if (typeof node[key] === "object" && node[key] !== null) walk(node[key], node);
  };
  walk(program);
  return found;
}

/** What looks like a text, and is none. */
const NONE = [
  /^state\/theme\.ts:\d+: \(prefers-(color-scheme: dark|reduced-motion: reduce)\)$/,
  /^(state\/act\.ts|screens\/Participants\.tsx):\d+: main \[aria-invalid=true\]$/,
  /^state\/faucet\.ts:\d+: Content-Type$/,
  /^state\/swap\.ts:\d+: PartialTx/,
  /^state\/acceptance\.ts:\d+: (name|symbol) 0$/,
  /^state\/book\.ts:\d+: book 0$/,
  /^parts\/Dialog\.tsx:\d+: :is\(input/,
  /^parts\/QrButtons\.tsx:\d+: button small$/,
  /^state\/autolock\.ts:\d+: BroadcastChannel$/,
];

test("no component has a text of its own", () => {
  const files = readdirSync(SOURCE, { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !SILENT.test(name));
  assert.ok(files.length > 80, `${files.length} files`);
  const found = files.sort().flatMap((name) => literals(name, readFileSync(SOURCE + name, "utf8")));
  assert.deepEqual(found.filter((one) => !NONE.some((none) => none.test(one))), []);
});

test("texts in components would be found", () => {
  const found = literals("one.tsx", 'export const One = () => <p title="Word" class="a b">Said{`${n} of them`}{yes ? "Do it" : t.no}</p>;');
  assert.deepEqual(found.map((one) => one.replace(/^one\.tsx:1: /, "")), ["Word", "Said", "0 of them", "Do it"]);
});

test("both languages say the same things, each in its own words", () => {
  const [english, portuguese] = [new Map(saidBy(en)), new Map(saidBy(pt))];
  assert.deepEqual([...portuguese.keys()].sort(), [...english.keys()].sort());
  const same = [...english].filter(([key, said]) => portuguese.get(key) === said).map(([key]) => key);
  assert.deepEqual(same, [
    "common.token",
    "common.tokens",
    "common.titleOfPage",
    "history.blueprint",
    "history.utxos",
    "receive.link",
    "settings.testnet",
    "settings.mainnet",
    "shell.brand",
    "tokens.tokens",
    "tokens.nft",
    "tokens.tokensThatAre",
  ].sort((a, b) => [...english.keys()].indexOf(a) - [...english.keys()].indexOf(b)));
  for (const [key, said] of portuguese) assert.doesNotMatch(said, /undefined|NaN|\[object/, key);
});

test("amounts are written and read in the way of the language", () => {
  const { formatAmount, editAmount, parseAmount, asTyped } = money;
  assert.equal(formatAmount(123_456_789n), "1,234,567.89");
  words.value = pt;
  assert.equal(formatAmount(123_456_789n), "1.234.567,89");
  assert.equal(formatAmount(-1_234n), "−12,34");
  assert.equal(formatAmount(1_234n, 0), "1.234");
  assert.equal(editAmount(123_456n), "1234,56");
  // As a link has it.
  assert.equal(asTyped("12.50"), "12,50");
  assert.equal(asTyped("1,000"), "1.000");
  assert.equal(parseAmount("12,50").amount, 1_250n);
  assert.equal(parseAmount("1.234,5").amount, 123_450n);
  assert.equal(parseAmount("1.000").amount, 100_000n);
  assert.equal(parseAmount("12.50").problem, "Use uma vírgula antes dos centavos, como em 12,50.");
  assert.equal(parseAmount("1,000").problem, "Há no máximo duas casas decimais.");
  assert.equal(parseAmount("1?5").problem, "Informe um número, como 12,50.");
  words.value = en;
  assert.equal(parseAmount("1,000").amount, 100_000n);
});

test("an amount of one language is another's only if it is the same amount", () => {
  const read = (dictionary, typed, decimals) => {
    words.value = dictionary;
    return money.parseAmount(typed, decimals).amount;
  };
  const marks = ["", ".", ","];
  for (const decimals of [0, 2]) {
    for (const first of ["", "1", "12", "123", "1234"]) {
      for (const second of ["", "0", "50", "000", "0000"]) {
        for (const third of ["", "5", "50", "500"]) {
          for (const [a, b] of marks.flatMap((one) => marks.map((other) => [one, other]))) {
            const typed = first + a + second + b + third;
            const [english, portuguese] = [read(en, typed, decimals), read(pt, typed, decimals)];
            // What holds one mark with three digits behind it is a thousand in one of them, and has too many decimals in the other.
            if (english !== undefined && portuguese !== undefined) assert.equal(english, portuguese, typed);
          }
        }
      }
    }
  }
  words.value = en;
});

test("things are counted as the language counts them", () => {
  assert.equal(en.counts.outputs(1), "1 output");
  assert.equal(en.counts.outputs(1_234), "1,234 outputs");
  assert.equal(pt.counts.outputs(1), "1 saída");
  assert.equal(pt.counts.outputs(1_234), "1.234 saídas");
  assert.equal(en.counts.transactions(0), "0 transactions");
  assert.equal(pt.counts.transactions(0), "Nenhuma transação");
  assert.equal(pt.counts.outputs(0), "Nenhuma saída");
  assert.equal(en.send.textsForEver(1), "1 text stays on the ledger forever, and everyone can read it.");
  assert.equal(en.send.textsForEver(2), "2 texts stay on the ledger forever, and everyone can read them.");
  assert.equal(pt.send.textsForEver(1), "1 texto fica na blockchain para sempre, à vista de todos.");
  assert.equal(pt.send.textsForEver(2), "2 textos ficam na blockchain para sempre, à vista de todos.");
  assert.equal(pt.before.lookedAt(0, 0), "Nenhum endereço verificado, nenhuma transação encontrada");
  assert.equal(pt.before.lookedAt(1, 20), "1 endereço verificado, 20 transações encontradas");
});

test("times are written in the language", () => {
  const noon = Date.UTC(2026, 10, 23, 12) / 1_000;
  words.value = pt;
  assert.match(text.time(noon), /^23 de nov\. de 2026/);
  assert.equal(text.day(Date.now() / 1_000), "Hoje");
  words.value = en;
  assert.match(text.time(noon), /23|Nov/);
});
