
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

/** What the WebAssembly file can be had from: its address, its bytes, the answer of `fetch`, or a `WebAssembly.Module`. */
export type WasmSource = string | Global<"URL"> | Uint8Array | ArrayBuffer | Global<"Response"> | WebAssemblyModule;

/**
 * Loads the WebAssembly file. In pages it is needed once, before the functions that return no promise; `Wallet.start` does it by
 * itself, and in Node everything does. Calling it again does no harm.
 *
 * @param source What to load it from, where it can't be found beside the script.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void>;

/** Whether something caught is an error of this package, which has a `code`. */
export function isWalletError(error: unknown): error is WalletError;

/** "1.23" as 123n; `decimals` is 2 if left out. */
export function parseUnits(text: string, decimals?: number): bigint;

/** 123n as "1.23"; `decimals` is 2 if left out. */
export function formatUnits(amount: bigint | number, decimals?: number): string;

/** As `JSON.stringify`, with each bigint as an integer, as in the HTTP interface. */
export function stringifyJson(value: unknown, indent?: string | number): string;

/** As `JSON.parse`, with each integer that a number does not hold exactly as a bigint. */
export function parseJson(text: string): unknown;
