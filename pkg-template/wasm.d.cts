import type { WasmSource } from "./index.cjs";

declare const file: WasmSource;
export = file;
