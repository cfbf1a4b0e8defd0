
declare global {
  // For libraries of TypeScript that don't have it yet, as the types of Node do it.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** What TypeScript knows of a global class, if it knows it: by its library "dom", or by the types of Node or of another runtime. */
type Global<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Instance } } ? Instance : never;
/** The library "dom" declares it without any members, so that all values would be of its type. */
type WebAssemblyModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } } ? Instance & object : never;

/** A source of the WebAssembly file: its URL, its bytes, a response of `fetch`, or a `WebAssembly.Module`. */
export type WasmSource = string | Global<"URL"> | Uint8Array | ArrayBuffer | Global<"Response"> | WebAssemblyModule;

/**
 * Loads the WebAssembly file. Pages need it once, before functions that return no promise; `Wallet.start` loads it automatically, and so does
 * everything in Node. Another call does no harm.
 *
 * @param source Where to load it from, if it is not beside the script.
 * @throws {WalletError} `NOT_INITIALIZED`
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void>;

/**
 * Whether a caught value is an error of this package, which has a `code`.
 *
 * @param error The caught value.
 * @example
 * try {
 *   await wallet.simpleSendTx({ address: "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", value: 1_500n });
 * } catch (error) {
 *   if (!isWalletError(error) || error.code !== "INSUFFICIENT_FUNDS") throw error;
 *   console.log("needed:", error.need, "available:", error.have);
 * }
 */
export function isWalletError(error: unknown): error is WalletError;

/**
 * Reads an amount: "1.23" is 123n.
 *
 * @param text Digits, with a dot before the decimals.
 * @param decimals The number of decimals; 2 by default, 0 for NFTs.
 * @throws {WalletError} `INVALID_INPUT`
 */
export function parseUnits(text: string, decimals?: number): bigint;

/**
 * Writes an amount: 123n is "1.23".
 *
 * @param amount The amount in cents.
 * @param decimals The number of decimals; 2 by default, 0 for NFTs.
 */
export function formatUnits(amount: bigint | number, decimals?: number): string;

/**
 * Like `JSON.stringify`, but writes each bigint as an integer, as the HTTP interface does.
 *
 * @param value Any JSON, with bigints.
 * @param indent As for `JSON.stringify`.
 */
export function stringifyJson(value: unknown, indent?: string | number): string;

/**
 * Like `JSON.parse`, but reads integers that a number can't hold exactly as bigints.
 *
 * @param text JSON.
 */
export function parseJson(text: string): unknown;
