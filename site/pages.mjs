// Which pages the site has, and what each is made of. No text stands here that stands elsewhere.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { reference } from "./reference.mjs";
import { testsPage } from "./tests.mjs";

const GROUPS = ["Begin", "Guides", "How to", "Running it", "Reference", "Operations", "Errors", "For contributors"];

/** Documents of the project: where the page is, in which group, of which file. */
const DOCUMENTS = [
  ["tour.md", "Begin", "docs/tour.md"],
  ["command-line.md", "Begin", "docs/command-line.md"],
  ["migration.md", "Begin", "docs/migration.md"],
  ["package.md", "Begin", "pkg-template/README.md"],
  ["clients.md", "Begin", "docs/clients.md"],
  ["examples.md", "Begin", "examples/README.md"],
  ["guides/shop.md", "Guides", "docs/guides/shop.md"],
  ["guides/exchange.md", "Guides", "docs/guides/exchange.md"],
  ["guides/game.md", "Guides", "docs/guides/game.md"],
  ["guides/page.md", "Guides", "docs/guides/page.md"],
  ["events.md", "How to", "docs/events.md"],
  ["amounts.md", "How to", "docs/amounts.md"],
  ["tasks.md", "How to", "docs/tasks.md"],
  ["custody.md", "How to", "docs/custody.md"],
  ["signer.md", "How to", "docs/signer.md"],
  ["external-signing.md", "How to", "docs/external-signing.md"],
  ["signing-file.md", "How to", "docs/signing-file.md"],
  ["multisig.md", "How to", "docs/multisig.md"],
  ["swaps.md", "How to", "docs/swaps.md"],
  ["templates.md", "How to", "docs/templates.md"],
  ["contracts.md", "How to", "docs/contracts.md"],
  ["deploy/index.md", "Running it", "docs/deploy/README.md"],
  ["deploy/releases.md", "Running it", "docs/deploy/releases.md"],
  ["networks.md", "Running it", "docs/networks.md"],
  ["cluster.md", "Running it", "docs/cluster.md"],
  ["reliability.md", "Running it", "docs/reliability.md"],
  ["security.md", "Running it", "SECURITY.md"],
  ["operations.md", "Reference", "docs/operations.md"],
  ["settings.md", "Reference", "docs/settings.md"],
  ["local-network.md", "Reference", "docs/local-network.md"],
  ["compatibility.md", "Reference", "docs/compatibility.md"],
  ["glossary.md", "Reference", "docs/glossary.md"],
  ["changelog.md", "Reference", "CHANGELOG.md"],
  ["architecture.md", "For contributors", "ARCHITECTURE.md"],
  ["contributing.md", "For contributors", "CONTRIBUTING.md"],
];

/** The pages, and the files of the project that they link to. */
export function sources(root, document) {
  const read = (file) => readFileSync(join(root, file), "utf8");
  const files = new Set();
  const pages = DOCUMENTS.map(([path, group, file]) => page(path, group, linked(read(file), file, path, root, files)));
  const covered = new Set([...DOCUMENTS.map(([, , file]) => file), "docs/errors.md"]);
  for (const file of documents(root)) if (!covered.has(file)) throw new Error(`site/pages.mjs has no page of ${file}`);
  const errors = errorPages(linked(read("docs/errors.md"), "docs/errors.md", "errors/index.md", root, files)).map(([path, text]) => page(path, "Errors", text));
  const operations = reference(document).map(([path, text]) => page(path, "Operations", text));
  const index = page("index.md", "", readFileSync(join(root, "site/index.md"), "utf8"));
  const tests = page("tests.md", "For contributors", testsPage(root));
  return { pages: [index, ...pages, tests, ...operations, ...errors], files: [...files] };
}

function page(path, group, text) {
  const title = path === "package.md" ? "The npm package" : text.match(/^# (.*)$/m)[1].replaceAll("`", "");
  return { path, group, text, title };
}

/** All documents in docs/. */
const documents = (root) =>
  readdirSync(join(root, "docs"), { recursive: true }).filter((name) => name.endsWith(".md")).map((name) => posix.join("docs", name));

/** The list of errors, and a page for each heading of the third level. */
function errorPages(text) {
  const [head, ...parts] = text.split(/^## /m);
  const pages = [];
  let list = head;
  for (const part of parts) {
    const [intro, ...entries] = part.split(/^### /m);
    list += `## ${intro}`;
    for (const entry of entries) {
      const title = entry.slice(0, entry.indexOf("\n"));
      const name = title.toLowerCase().replaceAll(/[^a-z_]+/g, "-");
      pages.push([`errors/${name}.md`, `# ${title}${entry.slice(title.length)}`]);
      const [first] = /^\w.*?\.(?= |$)/m.exec(entry.slice(title.length)) ?? [""];
      list += `- [${title}](${name}.md)${first && `: ${first}`}\n`;
    }
    list += "\n";
  }
  return [["errors/index.md", list], ...pages];
}

/** Links between files of the project, as links between pages, or to the file itself. */
function linked(text, file, path, root, files) {
  const prose = text.split(/(^```[^]*?^```$)/m);
  return prose.map((part, place) => (place % 2 ? part : part.replace(/\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, shown, link) => {
    if (/^[a-z]+:/.test(link)) return whole;
    const [to, anchor] = link.split("#");
    // A code has a page of its own, a section (of several words) has not.
    if (file === "docs/errors.md" && !to) return anchor.includes("-") ? whole : `[${shown}](${anchor}.md)`;
    if (!to) return whole;
    const meant = posix.join(dirname(file), to).replace(/\/$/, "");
    const there = pageOf(meant) ?? pageOf(posix.join(meant, "README.md"));
    const from = dirname(path);
    if (there) return `[${shown}](${posix.relative(from, there)}${anchor ? `#${anchor}` : ""})`;
    if (!existsSync(join(root, meant))) throw new Error(`${file} links to ${link}, which is not there`);
    if (statSync(join(root, meant)).isDirectory()) return shown;
    files.add(meant);
    // A file and no page: it opens as it is.
    return `<a href="${posix.relative(from, posix.join("files", meant))}" target="_self">${shown.replace(/`([^`]*)`/g, "<code>$1</code>")}</a>`;
  }))).join("");
}

/** The page of a file: of a file in several pages, the first. */
const pageOf = (file) => (file === "docs/errors.md" ? "errors/index.md" : DOCUMENTS.find(([, , of]) => of === file)?.[0]);

/** The pages by groups; that of the errors is long, and closed until it is asked for. */
export function sidebar(pages) {
  return GROUPS.map((group) => ({
    text: group,
    collapsed: group === "Errors" || group === "Operations",
    items: pages.filter((page) => page.group === group).map(({ title, path }) => ({ text: title, link: `/${path.replace(/(index)?\.md$/, "")}` })),
  }));
}

/** `llms.txt`: what there is, for programs that read (llmstxt.org). */
export function llms(pages) {
  const [{ text }] = pages;
  const [, summary] = /^# .*\n\n([^]*?)\n\n/.exec(text);
  let list = `# headless-wallet\n\n> ${summary.replaceAll("\n", " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")}\n`;
  for (const group of GROUPS) {
    list += `\n## ${group}\n\n`;
    for (const { title, path } of pages.filter((page) => page.group === group)) list += `- [${title}](${path})\n`;
  }
  return list;
}
