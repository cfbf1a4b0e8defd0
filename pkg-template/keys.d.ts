/**
 * Seed phrases, addresses, signed messages and checks: the part of the package that needs no network, with its own WebAssembly file. An
 * `Account` of this entry is not an `Account` of the main one.
 */
export {
  Account,
  checkAddress,
  checkMnemonic,
  configurationString,
  deriveAddresses,
  formatUnits,
  generateMnemonic,
  init,
  isWalletError,
  parseConfigurationString,
  parseJson,
  parseUnits,
  stringifyJson,
  validateMnemonic,
  verifyMessage,
  wordList,
  type AddressCheck,
  type AddressRange,
  type DeriveAddressesRequest,
  type MnemonicCheck,
  type Network,
  type TokenDescription,
  type VerifyMessageRequest,
  type WalletError,
  type WasmSource,
} from "./index.js";
