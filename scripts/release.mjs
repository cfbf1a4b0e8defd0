// `npm run release`: makes what a release consists of, in `dist/VERSION/`: the binary for this machine's target, the npm tarball, the
// definition of a container image, lists of components (SBOM, CycloneDX), and checksums. The same commit gives the same bytes on any
// machine with this target, in whatever folder: paths are cut out, times are the commit's, and the compiler is the one of `rust-version`.
//
//     npm run release                              of a clean checkout
//     npm run release -- --base debian@sha256:…    also writes the Dockerfile, on that image
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const read = (...path) => readFileSync(join(root, ...path), "utf8");
const ask = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim();
const fail = (text) => {
  console.error(`release: ${text}`);
  process.exit(1);
};

/** The targets of a release, each built on a machine of its own (.github/workflows/release.yml). */
const TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/** A field of Cargo.toml's first section. */
export const field = (manifest, name) => manifest.match(new RegExp(`^${name} = "(.*)"$`, "m"))?.[1];

/** Why this state can't be released; empty if it can. */
export function problems({ version, npm, changelog, dirty }) {
  const [, latest, date] = changelog.match(/^## (\S+)(?: \((.*)\))?$/m) ?? [];
  return [
    dirty && "the checkout has changes that are not committed",
    npm !== version && `package.json has version ${npm}, and Cargo.toml ${version}`,
    latest !== version && `CHANGELOG.md begins with ${latest}, and Cargo.toml has version ${version}`,
    latest === version && !/^\d{4}-\d\d-\d\d$/.test(date) && `CHANGELOG.md has no date for ${version}, but "${date ?? ""}"`,
  ].filter(Boolean);
}

/** The Dockerfile with its base image named by a digest, which nobody can replace at the registry. */
export function dockerfile(source, base) {
  if (!/@sha256:[0-9a-f]{64}$/.test(base)) throw new Error(`--base must name an image by its digest, as debian@sha256:…, and not ${base}`);
  return source.replace(/^ARG BASE=.*$/m, `ARG BASE=${base}`);
}

/** A list of components without what differs from one run, and one folder, to the next. */
export const settled = (bom, folder) =>
  JSON.stringify({ ...JSON.parse(bom), serialNumber: undefined }, null, 2).replaceAll(`path+${pathToFileURL(folder).href}#`, "path+file:///source#") + "\n";

function release(base) {
  const version = field(read("Cargo.toml"), "version");
  const found = problems({
    version,
    npm: JSON.parse(read("package.json")).version,
    changelog: read("CHANGELOG.md"),
    dirty: ask("git", "status", "--porcelain") !== "",
  });
  if (found.length) fail(`${found.join(";\n         ")}.`);
  // Before the builds, which take minutes.
  const image = base && dockerfile(read("docs/deploy/Dockerfile"), base);

  const toolchain = `${field(read("Cargo.toml"), "rust-version")}.0`;
  const target = ask("rustc", `+${toolchain}`, "-vV").match(/^host: (.*)$/m)[1];
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const epoch = ask("git", "log", "-1", "--format=%ct");
  const env = {
    ...process.env,
    RUSTUP_TOOLCHAIN: toolchain,
    SOURCE_DATE_EPOCH: epoch,
    // Of a build for this target alone, so that the WebAssembly keeps the flags of .cargo/config.toml.
    [`CARGO_TARGET_${target.toUpperCase().replaceAll("-", "_")}_RUSTFLAGS`]: `--remap-path-prefix=${root}=/source --remap-path-prefix=${cargoHome}=/cargo`,
  };
  const run = (command, ...args) => execFileSync(command, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });

  const dist = join(root, "dist", version);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });

  run("cargo", "build", "--release", "--locked", "--features", "native", "--bin", "headless-wallet", "--target", target);
  const name = `headless-wallet-${version}-${target}`;
  const folder = join(dist, name);
  const binary = join(folder, "headless-wallet");
  mkdirSync(join(folder, "completions"), { recursive: true });
  copyFileSync(join(root, "target", target, "release", "headless-wallet"), binary);
  for (const file of ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md"]) copyFileSync(join(root, file), join(folder, file));
  for (const shell of ["bash", "zsh", "fish"]) writeFileSync(join(folder, "completions", `headless-wallet.${shell}`), ask(binary, "completions", shell) + "\n");
  run(binary, "man", join(folder, "man"));
  run("sh", "-c", `cd '${dist}' && tar --sort=name --mtime=@${epoch} --owner=0 --group=0 --numeric-owner -cf - ${name} | gzip -9n > ${name}.tar.gz`);
  rmSync(folder, { recursive: true });

  run("npm", "run", "--silent", "build");
  run("npm", "pack", "./pkg", "--silent", "--pack-destination", dist);

  for (const [features, kind] of [["native", "server"], ["", "npm"]]) {
    const file = `headless-wallet-${version}-${kind}.cdx`;
    run("cargo", "cyclonedx", "--quiet", "--format", "json", "--features", features, "--target", kind === "npm" ? "wasm32-unknown-unknown" : target, "--override-filename", file);
    writeFileSync(join(dist, `${file}.json`), settled(read(`${file}.json`), root));
    rmSync(join(root, `${file}.json`));
  }
  if (image) writeFileSync(join(dist, "Dockerfile"), image);

  const sums = readdirSync(dist).sort().map((file) => `${createHash("sha256").update(readFileSync(join(dist, file))).digest("hex")}  ${file}\n`);
  writeFileSync(join(dist, "SHA256SUMS"), sums.join(""));
  console.log(`${sums.join("")}release: dist/${version} is made of ${ask("git", "rev-parse", "HEAD")} with Rust ${toolchain} for ${target}.`);
  console.log(`release: other targets, each on a machine of its own: ${TARGETS.filter((other) => other !== target).join(", ")}.`);
  if (!image) console.log("release: no Dockerfile, for which --base names an image by its digest.");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, base, ...more] = process.argv.slice(2);
  if ((option && option !== "--base") || (option && !base) || more.length) fail("usage: npm run release [-- --base IMAGE@sha256:DIGEST]");
  try {
    release(base);
  } catch (error) {
    fail(error.message);
  }
}
