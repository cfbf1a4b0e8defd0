// An amount of a token that is not there yet.
import { clean } from "../text";

export function NewAmount({ amount, symbol }: { amount: string; symbol: string }) {
  return (
    <span class="amount">
      {amount} <bdi class="symbol">{clean(symbol)}</bdi>
    </span>
  );
}
