import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { metaPolicy } from "./csp.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Puts the policy into the built page. While developing it would keep Vite's own scripts out. */
const contentSecurityPolicy = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: metaPolicy },
      injectTo: "head-prepend",
    },
  ],
};

/** The first screen is drawn by the stylesheet alone: on a slow line, scripts leave it the way, and come after it. */
const stylesFirst = {
  name: "styles-first",
  enforce: "post",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle }) {
      const [style] = html.match(/\s*<link rel="stylesheet"[^>]*>/);
      const font = Object.keys(bundle).find((file) => file.endsWith(".woff2"));
      const preload = `\n    <link rel="preload" href="./${font}" as="font" type="font/woff2" crossorigin>`;
      const later = html.replace(style, "").replaceAll(/<script type="module"|<link rel="modulepreload"/g, '$& fetchpriority="low"');
      return later.replace(/\s*<script type="module"/, (script) => preload + style + script);
    },
  },
};

/** What opens the page without a connection, with the names of all files that the page needs then. */
const offline = {
  name: "offline",
  enforce: "post",
  apply: "build",
  generateBundle(_, bundle) {
    const built = Object.keys(bundle).filter((file) => file !== "index.html").sort();
    const files = ["./", "./icon.svg", "./manifest.webmanifest", ...built.map((file) => `./${file}`)];
    const own = readFileSync(here("offline.js"), "utf8");
    const hash = createHash("sha256").update(JSON.stringify(files)).update(own).update(readFileSync(here("index.html")));
    const version = hash.digest("hex").slice(0, 16);
    const source = `const VERSION = "${version}";\nconst FILES = ${JSON.stringify(files)};\n${own}`;
    this.emitFile({ type: "asset", fileName: "offline.js", source });
  },
};

const [, version] = readFileSync(here("../Cargo.toml"), "utf8").match(/^version = "(.+)"$/m);

export default defineConfig({
  root: here("."),
  define: { "import.meta.env.VERSION": JSON.stringify(version) },
  // The page can be put at any path of a server.
  base: "./",
  resolve: {
    alias: [
      { find: /^headless-wallet$/, replacement: here("../pkg/web.js") },
      { find: /^headless-wallet\/(indexeddb|rules)$/, replacement: here("../pkg/$1.js") },
    ],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would be `data:` addresses, which the policy keeps out.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [contentSecurityPolicy, stylesFirst, offline],
  server: { port: 3000, strictPort: true, fs: { allow: [here("."), here("../pkg"), here("../node_modules")] } },
});
