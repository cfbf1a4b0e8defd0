
/**
 * Loads the WebAssembly file. Needed once, in pages, before the functions that return no promise; `Wallet.start` does it by
 * itself, and in Node it is done already. Calling it again does no harm.
 *
 * @param source Where the file is, or its bytes, where it can't be found beside the script.
 */
export function init(source?: string | Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<void>;

/** Whether something caught is an error of this package, which has a `code`. */
export function isWalletError(error: unknown): error is WalletError;
