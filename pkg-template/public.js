// What every entry offers. The functions and classes themselves are in WebAssembly.
export {
  Account,
  checkAddress,
  checkMnemonic,
  configurationString,
  decodeTransaction,
  deriveAddresses,
  generateMnemonic,
  openSecret,
  parseConfigurationString,
  sealSecret,
  validateMnemonic,
  wordList,
} from "./bindings.js";
export { formatUnits, parseJson, parseUnits, stringifyJson } from "./units.js";
export { Wallet } from "./wallet.js";

const NAMES = ["InputError", "StartError", "NotReadyError", "SendError", "VaultError", "InternalError"];

// Not in WebAssembly, because it must work where that could not be loaded.
export function isWalletError(error) {
  try {
    return error instanceof Error && NAMES.includes(error.name) && typeof error.code === "string";
  } catch {
    // Anything can be thrown, a revoked proxy too.
    return false;
  }
}
