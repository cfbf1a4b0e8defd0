// What a token's amount deposits and gives back, as the wallet says: the rule is the network's.
import type { TokenDeposit } from "headless-wallet";
import { call } from "../engine/client";
import { useEngine } from "./useEngine";

interface Asked {
  /** Nothing until the wallet has answered for this very amount. */
  value: TokenDeposit | undefined;
  error: unknown;
}

/** Of a new token if none is given. */
export function useDeposit(amount: bigint, token?: string): Asked {
  const { value, error } = useEngine(
    async () => ({ ...(await call("deposit", { amount, token })), amount, token }),
    [amount, token],
  );
  return { value: value?.amount === amount && value.token === token ? value : undefined, error };
}
