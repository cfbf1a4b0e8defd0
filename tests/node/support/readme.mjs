// The examples of pkg-template/README.md, which are run as they stand there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./package.mjs";

/** The first JavaScript example below a heading, on this local network instead of the one with the usual ports. */
export function example(heading, { nodeUrl, miningUrl }) {
  const readme = readFileSync(join(ROOT, "pkg-template/README.md"), "utf8");
  const [, section] = readme.split(`\n## ${heading}\n`);
  assert.ok(section, `pkg-template/README.md has no chapter "${heading}"`);
  return examples(section)[0].replace("http://localhost:8083/v1a/", nodeUrl).replace("http://localhost:8035/", miningUrl);
}

/** All JavaScript examples in a text. */
export const examples = (text) => [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
