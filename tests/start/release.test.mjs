// What `npm run release` refuses, and what it makes of a Dockerfile. The builds themselves take minutes, and are run for a release.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dockerfile, field, problems, settled } from "../../scripts/release.mjs";

const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const DIGEST = `debian@sha256:${"5".repeat(64)}`;

test("only a committed state whose versions and changelog agree is released", () => {
  const fine = { version: "0.1.0", npm: "0.1.0", changelog: "# Changelog\n\n## 0.1.0 (2026-12-01)\n", dirty: false };
  // The date is a note of the heading, as "not released yet" is.
  assert.deepEqual(problems(fine), []);
  assert.deepEqual(problems({ ...fine, npm: "0.1.1", changelog: "## 0.1.0 (not released yet)\n\n## 0.0.9\n", dirty: true }), [
    "the checkout has changes that are not committed",
    "package.json has version 0.1.1, and Cargo.toml 0.1.0",
    'CHANGELOG.md has no date for 0.1.0, but "not released yet"',
  ]);
  assert.deepEqual(problems({ ...fine, version: "0.2.0", npm: "0.2.0" }), ["CHANGELOG.md begins with 0.1.0, and Cargo.toml has version 0.2.0"]);
});

test("this checkout has one version", () => {
  const version = field(read("Cargo.toml"), "version");
  assert.equal(version, JSON.parse(read("package.json")).version);
  assert.match(read("CHANGELOG.md"), new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(`, "m"));
});

test("the Dockerfile of a release names its base image by a digest", () => {
  const source = read("docs/deploy/Dockerfile");
  const pinned = dockerfile(source, DIGEST);
  assert.equal(pinned, source.replace("ARG BASE=debian:12.12-slim\n", `ARG BASE=${DIGEST}\n`));
  assert.notEqual(pinned, source);
  assert.throws(() => dockerfile(source, "debian:12"), { message: "--base must name an image by its digest, as debian@sha256:…, and not debian:12" });
});

test("a list of components is the same in each run and each folder", () => {
  const bom = (serialNumber, folder) =>
    JSON.stringify({ bomFormat: "CycloneDX", serialNumber, metadata: { "bom-ref": `path+file://${folder}#headless-wallet@0.1.0 bin-target-0` } });
  const one = settled(bom("urn:uuid:1", "/home/anna/wallet"), "/home/anna/wallet");
  assert.deepEqual(JSON.parse(one), { bomFormat: "CycloneDX", metadata: { "bom-ref": "path+file:///source#headless-wallet@0.1.0 bin-target-0" } });
  assert.equal(one, settled(bom("urn:uuid:2", "/tmp/a%20folder"), "/tmp/a folder"));
});
