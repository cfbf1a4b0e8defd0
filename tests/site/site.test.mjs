// The documentation site, built of the documents as they are: that a link leads nowhere ends the building, which looks at pages alone; here
// are places within pages, files, what comes from elsewhere, and that nothing is left out.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { before, test } from "node:test";
import { makeSite } from "../../site/make.mjs";
import { startServer } from "../node/server.mjs";
import { ROOT } from "../node/support/package.mjs";

let html;
let pages;
/** The pages' markup, by their paths. */
let made;
let document;

before(async () => {
  const server = await startServer();
  document = await (await fetch(`${server.url}/docs`)).json();
  assert.equal(await server.stop(), 0);
  ({ html, pages } = await makeSite(document));
  made = new Map(pages.map(({ path }) => {
    const file = path.replace(/\.md$/, ".html");
    return [file, readFileSync(join(html, file), "utf8")];
  }));
});

test("every link leads somewhere, to its place in the page", () => {
  const wrong = [];
  let seen = 0;
  for (const [file, text] of made) {
    for (const [, link] of text.matchAll(/<a\b[^>]* href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      seen += 1;
      const [path, anchor] = link.replaceAll("&amp;", "&").split("#");
      const meant = !path ? file : path.startsWith("/") ? path.slice(1) : join(dirname(file), path);
      const there = meant === "" || meant.endsWith("/") ? `${meant}index.html` : meant;
      const page = made.get(there);
      if (page ? anchor && !page.includes(` id="${decodeURIComponent(anchor)}"`) : !existsSync(resolve(html, there))) wrong.push(`${file}: ${link}`);
    }
  }
  assert.ok(seen > 1000, String(seen));
  assert.deepEqual(wrong, []);
});

test("nothing comes from elsewhere: no font, no script, no picture", () => {
  for (const [file, text] of made) {
    const loaded = [...text.matchAll(/<(?:script|link|img|iframe)\b[^>]* (?:src|href)="([^"]+)"/g)].map(([, link]) => link);
    assert.ok(loaded.length > 0, file);
    assert.deepEqual(loaded.filter((link) => !/^\/(?!\/)|^data:/.test(link)), [], file);
    assert.ok(!/@font-face|fonts\./.test(text), file);
  }
});

test("each error has its page, with its remedy", () => {
  const declared = readFileSync(join(ROOT, "src/wasm/errors.d.ts"), "utf8");
  const codes = [...declared.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code]) => code);
  assert.ok(codes.length >= 50, String(codes.length));
  for (const code of codes) {
    const page = made.get(`errors/${code.toLowerCase()}.html`);
    assert.ok(page, code);
    assert.match(page, new RegExp(`<h1 id="[^"]*"[^>]*>${code} `));
    assert.match(page, /<p>Remedy: \S/, code);
  }
});

test("each operation is in the reference, with its fields", () => {
  const reference = [...made].filter(([file]) => file.startsWith("http/")).map(([, text]) => text).join("");
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) assert.ok(reference.includes(`>${method.toUpperCase()} ${path} <`), `${method} ${path}`);
  }
  const sending = made.get("http/sending.html");
  assert.match(sending, /<code>outputs\[\]\.value<\/code>/);
  // As a newcomer looks for them: paying before NFTs, and what must be given before what may be.
  const places = (texts, page) => texts.map((text) => page.indexOf(text));
  const inOrder = (texts, page) => assert.deepEqual(places(texts, page), places(texts, page).toSorted((a, b) => a - b), texts.join());
  inOrder([">POST /wallet/simple-send-tx <", ">POST /wallet/send-tx <", ">POST /wallet/create-token <", ">POST /wallet/create-nft <", ">POST /wallet/melt-tokens <"], sending);
  const token = sending.slice(sending.indexOf(">POST /wallet/create-token <"), sending.indexOf(">POST /wallet/create-nft <"));
  inOrder(["<code>symbol</code>", "<code>change_address</code>"], token);
});

test("llms.txt names every page as it was written", () => {
  const list = readFileSync(join(html, "llms.txt"), "utf8");
  assert.match(list, /^# headless-wallet\n\n> A wallet for the Hathor Network /);
  const named = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\)$/gm)].map(([, path]) => path);
  assert.deepEqual(named.toSorted(), pages.map(({ path }) => path).filter((path) => path !== "index.md").toSorted());
  for (const path of named) assert.match(readFileSync(join(html, path), "utf8"), /^# /m, path);
});
