// An amount of a token, written out.
import { formatAmount } from "../money";
import { tokenOf } from "../state/wallet";
import { clean } from "../text";

interface Props {
  cents: bigint;
  token: string;
  /** Writes a plus before what came in. */
  signed?: boolean;
}

export function Amount({ cents, token, signed = false }: Props) {
  const { symbol, nft } = tokenOf(token);
  const plus = signed && cents > 0n ? "+" : "";
  const tone = signed ? (cents > 0n ? " amount-in" : " amount-out") : "";
  return (
    <span class={`amount${tone}`}>
      {plus}
      {formatAmount(cents, nft === undefined ? 2 : 0)} <bdi class="symbol">{clean(symbol)}</bdi>
    </span>
  );
}
