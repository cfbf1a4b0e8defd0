// `npm run build`: makes the npm package in `pkg/`, ready for `npm pack`. Needs wasm-pack and the wasm-bindgen command
// (`scripts/setup wasm-pack`); everything else is in node_modules. With `--lint` it only looks for warnings in the part of the crate that
// keys alone are compiled from.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { nameByOrder } from "./order-functions.mjs";
import { shortImports } from "./short-imports.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const template = join(root, "pkg-template");
/** The two WebAssembly files: the whole, and keys alone. */
const WHOLE = { crate: "src/lib.rs", name: "headless_wallet", raw: join(root, "target", "wasm-pack") };
const KEYS = { crate: "src/keys_entry.rs", name: "headless_wallet_keys", raw: join(root, "target", "wasm-pack-keys") };
const pkg = join(root, "pkg");
const say = (text) => console.log(`build: ${text}`);
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
const read = (...path) => readFileSync(join(...path), "utf8");

/** What of the template is only made use of. */
const MADE = ["entry.d.ts", "package.json"];

/**
 * Functions that keep more than this on the stack stay functions of their own: put into their one caller, as most bodies of `async fn`
 * would be, they are in one large function in which gzip finds little that it has seen. A twenty-fifth of the file, and no slower.
 */
const KEEP_APART = "-Cllvm-args=-inline-max-stacksize=200";
/** What wasm-opt may use: all of it is in every Node and browser that has 128-bit SIMD. */
const FEATURES = ["bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "simd", "multivalue", "reference-types"];
const OPTIMIZE = [
  // Code that was taken apart, and put together anew, is smaller.
  "--flatten",
  "--rereloop",
  // Each time it finds what the last one has left.
  "-Oz",
  "--gufa",
  "-Oz",
  "-Oz",
  // Functions with one caller stay apart unless they are tiny: put into one, they lose a tenth of what gzip saves.
  "--one-caller-inline-max-function-size=20",
  // The first kilobyte of memory is the end of the stack, so no address there is ever used.
  "--low-memory-unused",
  "--strip-debug",
  "--strip-producers",
  "--strip-target-features",
];
/** Puts the functions in the order of the names that they were given for that, which then go. */
const ORDER = ["--reorder-functions-by-name", "--strip-debug"];

/**
 * Writes a manifest of the crate, or of a part of it, as a `cdylib` alone, and gives its folder. With the Rust library beside it, Cargo leaves
 * link-time optimisation out of both without a word, and the file is a sixth larger. Being below `target`, it has the flags of
 * .cargo/config.toml; the dependencies stay as they are, so that the lock file fits. Each library has a name of its own: files of one name
 * would take each other's place, and both would be compiled anew each time.
 */
function manifest({ crate, name }) {
  const folder = join(root, "target", `wasm-crate-${name}`);
  const sections = read(root, "Cargo.toml").split(/^(?=\[)/m).filter((section) => !/^\[\[(bin|bench)\]\]/.test(section));
  const at = sections.indexOf('[lib]\ncrate-type = ["cdylib", "rlib"]\n\n');
  if (at < 0) {
    throw new Error("the section [lib] of Cargo.toml has changed: say here how it is for WebAssembly");
  }
  sections[at] = `[lib]\nname = "${name}"\ncrate-type = ["cdylib"]\npath = "../../${crate}"\n\n`;
  mkdirSync(folder, { recursive: true });
  writeIfNew(join(folder, "Cargo.toml"), sections.join(""));
  writeIfNew(join(folder, "Cargo.lock"), read(root, "Cargo.lock"));
  return folder;
}

/** Leaves a file alone that has this text: Cargo goes by the times of files. */
function writeIfNew(path, text) {
  if (!existsSync(path) || read(path) !== text) {
    writeFileSync(path, text);
  }
}

/** Fails on warnings in what keys alone are compiled from: their entry names modules of the crate, and leaves others out. */
function lint() {
  const path = join(manifest(KEYS), "Cargo.toml");
  process.env.CARGO_TARGET_DIR ??= join(root, "target");
  run("cargo", "clippy", "--quiet", "--locked", "--manifest-path", path, "--target", "wasm32-unknown-unknown", "--", "-D", "warnings");
}

function compile(file) {
  say(`compiling ${file.crate} to WebAssembly (some minutes the first time) …`);
  // Flags in the environment would silently take the place of those in .cargo/config.toml.
  delete process.env.RUSTFLAGS;
  process.env.CARGO_TARGET_DIR ??= join(root, "target");
  // Messages of panics name source files: short names, which say nothing of this machine.
  const registry = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
  const prefixes = ["../../", root, ...(existsSync(registry) ? readdirSync(registry).map((index) => join(registry, index)) : [])];
  const names = prefixes.map((prefix) => `--remap-path-prefix=${prefix}=`);
  // Quiet, unless somebody reads its progress.
  const quiet = process.env.CARGO_TERM_PROGRESS_WHEN ? [] : ["--quiet"];
  run("wasm-pack", ...quiet, "--log-level", "warn", "build", manifest(file), "--target", "bundler", "--profile", "wasm", "--no-pack", "--no-opt",
    "--mode", "no-install", "--out-dir", file.raw, "--out-name", file.name,
    "--", "--locked", "--config", `target.wasm32-unknown-unknown.rustflags=${JSON.stringify([...names, KEEP_APART])}`);
}

/** The file, optimised, unless that was done for the very same input before. */
function optimize({ raw, name }) {
  const input = join(raw, `${name}_bg.wasm`);
  const steps = [...FEATURES, ...OPTIMIZE, ...ORDER, read(root, "scripts/order-functions.mjs")].join();
  const key = createHash("sha256").update(readFileSync(input)).update(steps).digest("hex").slice(0, 16);
  const output = join(raw, `optimized-${key}.wasm`);
  if (!existsSync(output)) {
    say(`making ${name}.wasm small (half a minute) …`);
    const features = FEATURES.map((name) => `--enable-${name}`);
    const wasmOpt = (from, to, passes) =>
      run(process.execPath, join(root, "node_modules/binaryen/bin/wasm-opt"), from, "-o", to, ...features, ...passes);
    const unordered = join(raw, "unordered.wasm");
    wasmOpt(input, unordered, OPTIMIZE);
    writeFileSync(unordered, nameByOrder(readFileSync(unordered)));
    wasmOpt(unordered, output, ORDER);
  }
  return readFileSync(output);
}

/** The declarations, without what is nobody's business: memory management and the hook for panics. */
function declarations() {
  const cut = [
    /^\/\*\*\n(?: \*.*\n)+export function log_panics\(\): void;\n/m,
    /^ {4}free\(\): void;\n {4}\[Symbol\.dispose\]\(\): void;\n/gm,
  ];
  let text = read(WHOLE.raw, `${WHOLE.name}.d.ts`);
  for (const pattern of cut) {
    const shorter = text.replace(pattern, "");
    if (shorter === text) {
      throw new Error(`the generated declarations have changed: nothing in them is like ${pattern}`);
    }
    text = shorter;
  }
  return text + read(template, "entry.d.ts");
}

/** The version of the crate, which is the package's as well. */
const version = () => read(root, "Cargo.toml").match(/^version = "(.+)"$/m)[1];

// Where hardened JavaScript (SES) brings `detached` along, it does not tell that the memory has grown.
const GROWN = [/(\w+)\.buffer\.detached === true \|\| \(\1\.buffer\.detached === undefined && (\1\.buffer !== wasm\.memory\.buffer)\)/g, "$2"];
// Some homes lack these, or have others.
const GLOBALS = [/\bnew (CloseEvent)\(/g, "new globals.$1("];

/** What wasm-bindgen made, changed. */
async function bindings(generated, changes) {
  let js = changes.includes(GLOBALS) ? `import { globals } from "./globals.js";\n${generated}` : generated;
  for (const [pattern, replacement] of changes) {
    const changed = js.replace(pattern, replacement);
    if (changed === js) {
      throw new Error(`the generated bindings have changed: nothing in them is like ${pattern}`);
    }
    js = changed;
  }
  return (await transform(js, { minifyWhitespace: true, legalComments: "none" })).code;
}

/** Puts a WebAssembly file and its bindings into the package. */
async function putFile(file, into, changes) {
  compile(file);
  const generated = read(file.raw, `${file.name}_bg.js`);
  const { wasm, js } = shortImports(optimize(file), generated, `./${file.name}_bg.js`);
  writeFileSync(join(pkg, into), await bindings(js, changes));
  writeFileSync(join(pkg, `${file.name}.wasm`), wasm);
  const kb = (size) => `${Math.round(size / 1000)} kB`;
  say(`${file.name}.wasm has ${kb(wasm.length)}, ${kb(gzipSync(wasm, { level: 9 }).length)} gzipped`);
  return wasm;
}

/** Makes CommonJS of an entry, whole. */
const commonJs = (from, to) =>
  build({
    entryPoints: [join(pkg, from)],
    outfile: join(pkg, to),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["ws"],
    // Not every runner of CommonJS lets it import.
    supported: { "dynamic-import": false },
    // There is none, and node.mjs knows.
    logOverride: { "empty-import-meta": "silent" },
    logLevel: "warning",
  });

async function assemble() {
  const put = (name, text) => writeFileSync(join(pkg, name), text);
  cpSync(template, pkg, { recursive: true, filter: (path) => !MADE.includes(basename(path)) });
  put("package.json", `${JSON.stringify({ ...JSON.parse(read(template, "package.json")), version: version() }, null, 2)}\n`);
  for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    copyFileSync(join(root, name), join(pkg, name));
  }
  const whole = await putFile(WHOLE, "bindings.js", [GLOBALS, GROWN]);
  await putFile(KEYS, "keys-bindings.js", [GROWN]);
  const types = declarations();
  put("index.d.ts", types);
  put("index.d.cts", types);
  for (const name of ["indexeddb", "keys", "rules"]) {
    put(`${name}.d.cts`, read(template, `${name}.d.ts`).replace("./index.js", "./index.cjs"));
  }
  put("wasm-base64.js", `export default "${whole.toString("base64")}";\n`);
  await commonJs("node.mjs", "node.cjs");
  await commonJs("keys-node.mjs", "keys.cjs");
  await commonJs("base64-node.js", "base64.cjs");
  await commonJs("indexeddb.js", "indexeddb.cjs");
  await commonJs("rules.js", "rules.cjs");
}

if (process.argv.includes("--lint")) {
  lint();
} else {
  rmSync(pkg, { recursive: true, force: true });
  mkdirSync(pkg);
  await assemble();
  say("pkg/ is ready for npm pack");
}
