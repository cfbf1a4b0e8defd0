// Node, with what runs in it: modules of both kinds, hardened JavaScript, Vitest and Jest; and the other runtimes for servers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDevnet } from "../node/support/devnet.mjs";
import { freshProject } from "../node/support/package.mjs";
import { ADDRESS, AT_HOME, DERIVE, node, program, run, starter, tool } from "./support/homes.mjs";

/** The binary that npm's package `bun` would put in its own place when it is installed with its scripts. */
const BUN = tool(`@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}/bin/bun`);

let devnet;
let project;

const SES = `import ${JSON.stringify(tool("ses/index.js"))}; lockdown();\n`;
const REQUIRE = (entry) => `const wallets = require("${entry}");`;
const IMPORT = (entry) => `import * as wallets from "${entry}";`;
/** One test that derives an address and starts a wallet, and one that an error of the package can be told. */
const suite = (head) => `${head}
${starter(devnet)}
test("derives an address", () => expect(${DERIVE}).toBe("${ADDRESS}"));
test("starts a wallet", async () => expect(await start()).toBe("${AT_HOME[1]}"));
test("refuses what is wrong", () => {
  const caught = (() => { try { wallets.deriveAddresses({}); } catch (error) { return error; } })();
  expect(wallets.isWalletError(caught)).toBe(true);
});
`;

before(async () => {
  devnet = await startDevnet("--block-interval", "0");
  project = freshProject("homes-node", {
    "esm.mjs": IMPORT("headless-wallet") + program(devnet),
    "common.cjs": REQUIRE("headless-wallet") + program(devnet),
    "base64.mjs": IMPORT("headless-wallet/base64") + program(devnet),
    "base64.cjs": REQUIRE("headless-wallet/base64") + program(devnet),
    "keys.mjs": `${IMPORT("headless-wallet/keys")} console.log(${DERIVE});`,
    "keys.cjs": `${REQUIRE("headless-wallet/keys")} console.log(${DERIVE});`,
    "both.cjs": `import("headless-wallet").then((imported) => {
      const required = require("headless-wallet");
      console.log(imported.Wallet === required.Wallet, Object.keys(imported).sort().join() === Object.keys(required).sort().join());
    });`,
    "ses.mjs": `${SES}\n${REQUIRE("headless-wallet").replace("require(", "await import(")}${program(devnet)}`,
    "hardened.mjs": `${IMPORT("headless-wallet")}${SES}${program(devnet)}`,
    "vitest.config.mjs": 'export default { test: { globals: true, include: ["suites/*.vitest.js"], reporters: ["json"] } };',
    "suites/esm.vitest.js": suite(IMPORT("headless-wallet")),
    "suites/base64.vitest.js": suite(IMPORT("headless-wallet/base64")),
    "jest.config.json": '{ "testEnvironment": "node", "transform": {}, "testMatch": ["<rootDir>/suites/*.jest.*"], "moduleFileExtensions": ["js", "mjs", "cjs"] }',
    "suites/common.jest.cjs": suite(REQUIRE("headless-wallet")),
    "suites/base64.jest.cjs": suite(REQUIRE("headless-wallet/base64")),
    "suites/esm.jest.mjs": suite(IMPORT("headless-wallet")),
    "suites/base64.jest.mjs": suite(IMPORT("headless-wallet/base64")),
  });
});

after(() => devnet.stop());

for (const file of ["ses.mjs", "hardened.mjs"]) {
  test(`SES, locked down: ${file}`, async () => {
    assert.deepEqual(await node([file], { cwd: project }), AT_HOME);
  });
}

/** The results of a runner that reports as Jest does. */
function assertPassed(lines, suites) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(lines.find((line) => line.startsWith("{")));
  assert.deepEqual([testResults.length, numPassedTests, numFailedTests], [suites, suites * 3, 0]);
}

test("Vitest", async () => {
  assertPassed(await node([tool("vitest/vitest.mjs"), "run", "--config", "vitest.config.mjs"], { cwd: project }), 2);
});

test("Jest, CommonJS and ECMAScript modules", async () => {
  const args = ["--experimental-vm-modules", "--no-warnings", tool("jest/bin/jest.js"), "--json", "--config", "jest.config.json"];
  assertPassed(await node(args, { cwd: project, silent: false }), 4);
});

/** Of both kinds, and with both in one program. */
const FILES = { "esm.mjs": AT_HOME, "common.cjs": AT_HOME, "base64.mjs": AT_HOME, "base64.cjs": AT_HOME, "keys.mjs": [ADDRESS], "keys.cjs": [ADDRESS], "both.cjs": ["true true"] };
for (const [file, expected] of Object.entries(FILES)) {
  test(`Node: ${file}`, async () => {
    assert.deepEqual(await node([file], { cwd: project }), expected);
  });

  test(`Deno: ${file}`, async () => {
    // It loads CommonJS only if it may read.
    const needed = file === "base64.mjs" ? ["--allow-net"] : ["--allow-net", "--allow-read"];
    const args = [tool("deno/bin.cjs"), "run", "--quiet", "--no-prompt", "--no-remote", ...needed, file];
    assert.deepEqual(await node(args, { cwd: project }), expected);
  });

  test(`Bun: ${file}`, async () => {
    assert.deepEqual(await run(BUN, [file], { cwd: project }), expected);
  });
}
