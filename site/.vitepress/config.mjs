import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Where the site is not at the root of its host: SITE_BASE=/docs/
const base = process.env.SITE_BASE ?? "/";
const target = fileURLToPath(new URL("../../target/site/", import.meta.url));

export default {
  title: "headless-wallet",
  description: "A wallet for the Hathor Network, for programs and people",
  lang: "en",
  base,
  head: [["link", { rel: "icon", href: `${base}icon.svg`, type: "image/svg+xml" }]],
  srcDir: join(target, "pages"),
  outDir: join(target, "html"),
  cacheDir: join(target, "cache"),
  // What runs on the reader's own machine.
  ignoreDeadLinks: [/^http:\/\/(localhost|127\.0\.0\.1)/],
  // Headings have the anchors that the same files have where the project is hosted.
  markdown: {
    anchor: { slugify: (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-") },
    // `{name}` in a path is no attribute.
    attrs: { disable: true },
  },
  themeConfig: {
    sidebar: JSON.parse(readFileSync(join(target, "sidebar.json"), "utf8")),
    nav: [
      { text: "Guides", link: "/guides/shop" },
      { text: "Reference", link: "/operations" },
      { text: "Errors", link: "/errors/" },
    ],
    outline: [2, 3],
    search: { provider: "local" },
  },
};
