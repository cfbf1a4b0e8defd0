// What this package's errors can be told by.
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
