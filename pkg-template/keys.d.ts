/**
 * Words, addresses, signatures of messages, and checks of texts: the part of the package that needs no network, from a WebAssembly
 * file of its own. An `Account` of this entry is none of the other's.
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
