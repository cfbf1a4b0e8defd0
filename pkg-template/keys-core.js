// The small WebAssembly file, of keys alone.
import * as bindings from "./keys-bindings.js";
import { loader } from "./load.js";

export const { provide, init } = loader(bindings);
