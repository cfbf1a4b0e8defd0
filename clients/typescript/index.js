import createClient from "openapi-fetch";

/** A client of the server at `baseUrl`, for one of its wallets. */
export function walletServer({ baseUrl, walletId, apiKey, ...others }) {
  const headers = {
    ...(walletId !== undefined && { "X-Wallet-Id": walletId }),
    ...(apiKey !== undefined && { "X-API-KEY": apiKey }),
    ...others.headers,
  };
  return createClient({ ...others, baseUrl, headers });
}
