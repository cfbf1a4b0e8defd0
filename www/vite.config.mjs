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

export default defineConfig({
  root: here("."),
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
  plugins: [contentSecurityPolicy],
  server: { port: 3000, strictPort: true, fs: { allow: [here("."), here("../pkg"), here("../node_modules")] } },
});
