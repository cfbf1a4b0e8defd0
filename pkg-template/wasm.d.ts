import type { WasmSource } from "./index.js";

/** What the bundler or the runtime makes of the file: its address, its bytes or a module. Give it to `init`. */
declare const file: WasmSource;
export default file;
