// The package as npm would install it: `npm pack` of pkg/, installed into fresh projects under target/.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const PKG = join(ROOT, "pkg");

/** A fresh project called `name` that has the packed package installed, and `files` by their paths. */
export function freshProject(name, files) {
  assert.ok(existsSync(join(PKG, "package.json")), "pkg/ is not there: run `npm run build` first");
  const project = join(ROOT, "target", "projects", name);
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  const [{ filename }] = JSON.parse(npm(PKG, "pack", "--json", "--pack-destination", project));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true }));
  npm(project, "install", `./${filename}`, "--prefer-offline", "--ignore-scripts");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return project;
}

function npm(cwd, ...args) {
  return execFileSync("npm", [...args, "--silent", "--no-audit", "--no-fund"], { cwd, encoding: "utf8" });
}
