// `scripts/prebuilt`: tools as their authors built them, only if they are those that are named.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT } from "../node/support/package.mjs";

const uname = (flag) => execFileSync("uname", [flag], { encoding: "utf8" }).trim();
const PLATFORM = `${uname("-s")}-${uname("-m")}`;
const folder = mkdtempSync(join(tmpdir(), "prebuilt-"));
let server;
/** The checksum of the archive that it serves at `/tool.tar.gz`. */
let sum;

before(async () => {
  const made = join(folder, "tool-1.0-linux");
  mkdirSync(made);
  writeFileSync(join(made, "tool"), "#!/bin/sh\necho tool 1.0\n", { mode: 0o755 });
  writeFileSync(join(made, "README.md"), "no tool\n");
  const archive = execFileSync("tar", ["-czf", "-", "-C", folder, "tool-1.0-linux"]);
  sum = createHash("sha256").update(archive).digest("hex");
  server = createServer((request, response) => {
    response.writeHead(request.url === "/tool.tar.gz" ? 200 : 404).end(archive);
  });
  await new Promise((there) => server.listen(0, "127.0.0.1", there));
});

after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** What comes of asking for `tool 1.0` by a list of one line, and what is installed then. */
async function install(platform, checksum, path) {
  const home = mkdtempSync(join(folder, "cargo-"));
  const list = join(home, "list.txt");
  writeFileSync(list, `# tools\ntool 1.0 ${platform} ${checksum} http://127.0.0.1:${server.address().port}${path}\n`);
  const child = spawn(join(ROOT, "scripts", "prebuilt"), ["tool", "1.0", list], { env: { ...process.env, CARGO_HOME: home } });
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  const code = await new Promise((ended) => child.on("close", ended));
  const bin = join(home, "bin");
  const installed = readdirSync(home).includes("bin") ? readdirSync(bin) : [];
  return { code, said, installed, bin };
}

test("a tool of the checksum is installed, without what else is in its archive", async () => {
  const { code, said, installed, bin } = await install(PLATFORM, sum, "/tool.tar.gz");
  assert.deepEqual([code, said, installed], [0, "", ["tool"]]);
  assert.equal(execFileSync(join(bin, "tool"), { encoding: "utf8" }), "tool 1.0\n");
});

test("another one is not, and it is said why", async () => {
  const other = "0".repeat(64);
  const refused = async (why, ...asked) => {
    const { code, said, installed } = await install(...asked);
    assert.deepEqual([code, said, installed], [1, `tool 1.0 is not taken prebuilt: ${why}\n`, []]);
  };
  await refused(`its checksum is ${sum}, and should be ${other}`, PLATFORM, other, "/tool.tar.gz");
  await refused("it can't be fetched from here", PLATFORM, sum, "/missing");
  await refused(`there is none for ${PLATFORM}`, "Plan9-mips", sum, "/tool.tar.gz");
});

test("the list has the versions that are used", () => {
  const lines = readFileSync(join(ROOT, "scripts", "prebuilt.txt"), "utf8").split("\n");
  const listed = new Set(lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split(" ").slice(0, 2).join(" ")));
  const pack = /^WASM_PACK_VERSION=(.*)$/m.exec(readFileSync(join(ROOT, "scripts", "setup"), "utf8"))[1];
  const bindgen = /^wasm-bindgen = "=(.*)"$/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))[1];
  assert.deepEqual([...listed], [`wasm-pack ${pack}`, `wasm-bindgen-cli ${bindgen}`]);
});
