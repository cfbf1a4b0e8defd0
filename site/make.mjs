// `npm run build:site`: the documentation site, in target/site/html, of the documents of the project and the OpenAPI document of its server.
//
// WALLET_BINARY names the server; it is the one that `npm start` has built if nothing is said. A link that leads nowhere is an error.
import { mkdirSync, rmSync, writeFileSync, cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { llms, sidebar, sources } from "./pages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Makes the site of an OpenAPI document, and gives its folder and its pages. */
export async function makeSite(document, target = join(root, "target", "site")) {
  rmSync(target, { recursive: true, force: true });
  const { pages, files } = sources(root, document);
  for (const { path, text } of pages) write(join(target, "pages", path), text);
  write(join(target, "sidebar.json"), JSON.stringify(sidebar(pages)));
  await build(join(root, "site"));
  const html = join(target, "html");
  // For programs that read: each page as it was written, and a list of them.
  for (const { path, text } of pages) write(join(html, path), text);
  for (const file of files) write(join(html, "files", file), undefined, join(root, file));
  write(join(html, "llms.txt"), llms(pages));
  write(join(html, "icon.svg"), undefined, join(root, "www", "public", "icon.svg"));
  return { html, pages };
}

function write(path, text, from) {
  mkdirSync(dirname(path), { recursive: true });
  if (from) cpSync(from, path);
  else writeFileSync(path, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.WALLET_BINARY ??= join(root, "target", "start", "headless-wallet");
  const { startServer } = await import("../tests/node/server.mjs");
  const server = await startServer();
  try {
    const { html } = await makeSite(await (await fetch(new URL("/docs", server.url))).json());
    console.log(`Site: ${html}`);
  } finally {
    await server.stop();
  }
}
