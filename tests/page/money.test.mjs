// Amounts as they are typed and written, to the cent.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

let vite;
let money;

before(async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  money = await vite.ssrLoadModule("/src/money.ts");
});

after(() => vite?.close());

test("amounts are written with two decimals, and thousands apart", () => {
  const written = [0n, 1n, 99n, 100n, 123_456n, 100_000_000n, -1_250n, 2n ** 64n].map((cents) => money.formatAmount(cents));
  assert.deepEqual(written, ["0.00", "0.01", "0.99", "1.00", "1,234.56", "1,000,000.00", "−12.50", "184,467,440,737,095,516.16"]);
  assert.deepEqual([0n, 7n, 1_234n].map((units) => money.formatAmount(units, 0)), ["0", "7", "1,234"]);
});

test("amounts with parts of a cent have all their decimals", () => {
  const written = (cents, exact, decimals) => money.formatAmount(cents, decimals, exact);
  assert.equal(written(100n, "1.005"), "1.005");
  assert.equal(written(0n, "-0.000000000000000001"), "−0.000000000000000001");
  assert.equal(written(123_456_700n, "1234567.00010002"), "1,234,567.00010002");
  // Pieces of an NFT are what cents are of other tokens.
  assert.equal(written(100n, "1.005", 0), "100.5");
  assert.equal(written(0n, "-0.000000000000000001", 0), "−0.0000000000000001");
});

test("what is typed is read to the cent, whatever its size", () => {
  const read = (text, decimals) => money.parseAmount(text, decimals).amount;
  assert.equal(read("12.5"), 1_250n);
  assert.equal(read("12.05"), 1_205n);
  assert.equal(read(" 1,234,567.89 "), 123_456_789n);
  assert.equal(read("007"), 700n);
  assert.equal(read(".5"), 50n);
  assert.equal(read("5."), 500n);
  assert.equal(read("0.29"), 29n);
  assert.equal(read("92,233,720,368,547,758.08"), 2n ** 63n);
  assert.equal(read("1,000", 0), 1_000n);
});

test("what can't be an amount is refused, with the remedy", () => {
  const problem = (text, decimals) => money.parseAmount(text, decimals).problem;
  assert.equal(problem(""), "Enter an amount.");
  assert.equal(problem("0.00"), "Enter an amount above zero.");
  assert.equal(problem("-1"), "Enter an amount above zero.");
  assert.equal(problem("1.234"), "Use at most two decimals.");
  assert.equal(problem("12,50"), "Write a point before the cents, as in 12.50.");
  for (const text of [".", "1e5", "0x10", "1,23,4", "1 000", "١٢", "ten", "1.2.3"]) {
    assert.equal(problem(text), "Enter a number, such as 12.50.", text);
  }
  assert.equal(problem("92233720368547758.09"), "That is more than one transaction can move.");
  assert.equal(problem("1.5", 0), "This token has whole units only.");
  assert.equal(problem("x", 0), "Enter a whole number, such as 3.");
});

test("sums of amounts with parts of a cent are exact", async () => {
  const { sumOf } = await vite.ssrLoadModule("/src/exact.ts");
  assert.deepEqual(sumOf({ cents: 1_100n, exact: "11.005000000000000001" }, { cents: -1_050n }), { cents: 50n, exact: "0.505000000000000001" });
  assert.deepEqual(sumOf({ cents: 0n, exact: "-0.005" }, { cents: 0n, exact: "0.005" }), { cents: 0n, exact: undefined });
  assert.deepEqual(sumOf({ cents: 100n, exact: "1.005" }, { cents: -100n, exact: "-1.0051" }), { cents: 0n, exact: "-0.0001" });
  assert.deepEqual(sumOf({ cents: 2n ** 64n }, { cents: 1n }), { cents: 2n ** 64n + 1n, exact: undefined });
  assert.deepEqual(sumOf(), { cents: 0n, exact: undefined });
});
