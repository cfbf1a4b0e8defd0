// Serves the built page at http://localhost:3000, the one origin that full nodes and mining services let in by themselves.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, servePage } from "./page-server.mjs";

const { PAGE_PORT = 3000, PAGE_NETWORK: network = "privatenet", PAGE_NODE_URL: nodeUrl, PAGE_MINING_URL: miningUrl } = process.env;
if (!existsSync(join(ROOT, "index.html"))) {
  console.error("The page is not built yet: run `npm run build:page`.");
  process.exit(1);
}
const place = nodeUrl && miningUrl ? { network, nodeUrl, miningUrl } : undefined;
try {
  console.log(`Wallet page: ${await servePage({ place }, Number(PAGE_PORT))}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
