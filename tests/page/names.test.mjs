// Names of strangers: what is shown of them, and which look like others.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

let vite;
let clean;
let alike;

before(async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  ({ clean } = await vite.ssrLoadModule("/src/text.ts"));
  alike = await vite.ssrLoadModule("/src/alike.ts");
});

after(() => vite?.close());

test("what turns a line around or hides in it is taken out, and what words are made of stays", () => {
  for (const name of [
    "Coffee",
    "👩‍👩‍👧‍👦 Family",
    "🧑🏽‍🚀",
    "❤️",
    "🏴󠁧󠁢󠁷󠁬󠁳󠁿 Wales",
    "می‌خواهم", // Persian, with a non-joiner
    "ക്‍ഷ", // Malayalam, with a joiner
    "क्‌ष", // Hindi, with a non-joiner
    "שלום",
    "Τελεία",
  ]) {
    assert.equal(clean(name), name, name);
    assert.equal(alike.hidesSomething(name), false, name);
  }
  for (const [name, shown] of [
    ["\u202eeeffoC", "eeffoC"],
    ["Cof\u200dfee", "Coffee"],
    ["Cof\u200cfee", "Coffee"],
    ["Cof\u200bfee\ufeff", "Coffee"],
    ["Co\u00adffee", "Coffee"],
    ["a\u2066b\u2069c\u200f\u061c", "abc"],
    ["a\u{e0041}b", "ab"],
    ["line\none\u2028two", "lineonetwo"],
    ["\u3164\u2800", "(no name)"],
    [" \t", "(no name)"],
  ]) {
    assert.equal(clean(name), shown, JSON.stringify(name));
  }
  assert.equal(alike.hidesSomething("Cof\u200dfee"), true);
});

test("names that look the same have one skeleton", () => {
  const same = (a, b) => assert.equal(alike.skeleton(a), alike.skeleton(b), `${a} and ${b}`);
  for (const name of ["Cоffee", "СОFFЕЕ", "coffee", "Ｃｏｆｆｅｅ", "𝐂𝐨𝐟𝐟𝐞𝐞", "C0ffee", "Cóffee", "Cof\u200dfee", "Cof fee", "Ϲοffee"]) same(name, "Coffee");
  same("НТR", "HTR");
  same("Hathоr", "Hathor");
  same("PayPaI", "PayPal");
  same("rnint", "mint");
  same("BTC", "ВТС");
  for (const [a, b] of [["Coffee", "Toffee"], ["HTR", "HTB"], ["USDC", "USDT"], ["Кофе", "Чай"], ["日本", "日木"], ["😀", "😁"]]) {
    assert.notEqual(alike.skeleton(a), alike.skeleton(b), `${a} and ${b}`);
  }
});

test("letters of several alphabets in one word are told of, and in several words are not", () => {
  assert.equal(alike.mixesAlphabets("Cоffee"), true);
  assert.equal(alike.mixesAlphabets("Кофе Coffee"), false);
  assert.equal(alike.mixesAlphabets("東京 Coin"), false);
});

test("a web address in a name is told of", () => {
  for (const name of ["Visit claim-htr.com", "https://x.example", "www.hathor", "HTR.NETWORK bonus", "free ｃｌａｉｍ．ｉｏ", "claim｡io", "t.me/hathor", "reward.to"]) {
    assert.equal(alike.namesWebAddress(name), true, name);
  }
  for (const name of ["Coffee", "Mr. Coffee", "v1.5 Token", "St.Petersburg", "a.b", "Company.", "info", "Dr.Communal", "Inc.Co", "ASP.NET", "U.S.Net"]) {
    assert.equal(alike.namesWebAddress(name), false, name);
  }
});
