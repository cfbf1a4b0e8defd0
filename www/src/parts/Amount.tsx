// An amount of a token, written out.
import { unknownToken } from "../engine/names";
import { formatAmount } from "../money";
import { needsUid } from "../state/acceptance";
import { tokenOf } from "../state/wallet";
import { clean, shortId } from "../text";

interface Props {
  cents: bigint;
  token: string;
  /** Writes a plus before what came in. */
  signed?: boolean;
  /** Leaves out what tells the token from others of the same symbol: it stands beside it. */
  plain?: boolean;
}

export function Amount({ cents, token, signed = false, plain = false }: Props) {
  const { symbol, nft } = tokenOf(token);
  const hasUid = !plain && needsUid(token);
  // Of a token that nobody can name, its identifier says all.
  const hasSymbol = !hasUid || symbol !== unknownToken(token).symbol;
  const plus = signed && cents > 0n ? "+" : "";
  const tone = signed ? (cents > 0n ? " amount-in" : " amount-out") : "";
  return (
    <span class={`amount${tone}`}>
      {plus}
      {formatAmount(cents, nft === undefined ? 2 : 0)} {hasSymbol && <bdi class="symbol">{clean(symbol)}</bdi>}
      {hasUid && (
        <>
          {" "}
          <span class="mono uid">{shortId(token)}</span>
        </>
      )}
    </span>
  );
}
