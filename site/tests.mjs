// The page of what the tests show, made of their names: each is a sentence.
import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";

const RUST = /#\[(?:tokio::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)/g;
const SCRIPT = /^test\((["'`])(.*?)\1/gm;

/** The page, in Markdown. */
export function testsPage(root) {
  const files = readdirSync(join(root, "tests"), { recursive: true }).map((file) => posix.normalize(file.replaceAll("\\", "/"))).sort();
  let text = "# What the tests show\n\nEach line is the name of a test: it is made of the sources, so that every line has its test.\n";
  let folder = "";
  for (const file of files.filter((file) => /\.(rs|test\.mjs)$/.test(file) && !file.includes("node_modules"))) {
    const source = readFileSync(join(root, "tests", file), "utf8");
    const names = [...source.matchAll(file.endsWith(".rs") ? RUST : SCRIPT)].map(([, name, title]) => (title ?? name).replaceAll("_", " "));
    if (!names.length) continue;
    const [of] = file.split("/");
    if (of !== folder) text += `\n## tests/${(folder = of)}\n`;
    text += `\n### ${file}\n\n${names.map((name) => `- ${name.replaceAll(/[<>{}[\]`|*]/g, "\\$&")}\n`).join("")}`;
  }
  return text;
}
