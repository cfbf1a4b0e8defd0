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
  verifyMessage,
  wordList,
} from "./bindings.js";
export { isWalletError } from "./errors.js";
export { formatUnits, parseJson, parseUnits, stringifyJson } from "./units.js";
export { Wallet } from "./wallet.js";
