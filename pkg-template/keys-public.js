// What the entry `headless-wallet/keys` offers.
export {
  Account,
  checkAddress,
  checkMnemonic,
  configurationString,
  deriveAddresses,
  generateMnemonic,
  parseConfigurationString,
  validateMnemonic,
  verifyMessage,
  wordList,
} from "./keys-bindings.js";
export { isWalletError } from "./errors.js";
export { formatUnits, parseJson, parseUnits, stringifyJson } from "./units.js";
