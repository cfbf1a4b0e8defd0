import type { Client, ClientOptions } from "openapi-fetch";
import type { paths } from "./schema.js";

export type { components, operations, paths } from "./schema.js";

export interface WalletServerOptions extends ClientOptions {
  /** Where the server is, such as `http://127.0.0.1:8000`. */
  baseUrl: string;
  /** Which wallet is meant: the `wallet-id` that it was started with. */
  walletId?: string;
  /** Where the server asks for one. */
  apiKey?: string;
}

/** A client of the server at `baseUrl`, for one of its wallets. */
export function walletServer(options: WalletServerOptions): Client<paths>;
