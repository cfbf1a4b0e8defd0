// For Node. `npm run build` makes node.cjs of it, which node.mjs passes on: a program that both imports and requires the
// package has one instance. The WebAssembly file is read at once, so nobody has to call `init`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as bindings from "./bindings.js";

export * from "./public.js";

const bytes = readFileSync(join(__dirname, "headless_wallet.wasm"));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { "./bindings.js": bindings });
bindings.__wbg_set_wasm(exports);
exports.__wbindgen_start();

const loaded = Promise.resolve();
export const init = () => loaded;
