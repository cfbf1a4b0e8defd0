// The JavaScript examples of the READMEs, which are run as they stand there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./package.mjs";

/** The README that npm shows. */
export const OF_PACKAGE = "pkg-template/README.md";
/** The project's own. */
export const OF_PROJECT = "README.md";

/** The examples of a chapter, on this local network instead of the one with the usual ports. */
export function examples(readme, chapter, { nodeUrl, miningUrl }) {
  const text = readFileSync(join(ROOT, readme), "utf8");
  const [, section] = text.split(`\n## ${chapter}\n`);
  assert.ok(section, `${readme} has no chapter "${chapter}"`);
  const [body] = section.split(/^## /m);
  return [...body.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) =>
    code.replace("http://localhost:8083/v1a/", nodeUrl).replace("http://localhost:8035/", miningUrl),
  );
}
