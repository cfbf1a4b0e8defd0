// An amount of a token, written out.
import { unknownToken } from "../engine/names";
import { formatAmount } from "../money";
import { needsUid } from "../state/acceptance";
import { tokenOf } from "../state/wallet";
import { clean, shortId } from "../text";

interface Props {
  cents: bigint;
  /** All of it in words, if it has parts of a cent. */
  exact?: string | undefined;
  token: string;
  /** Writes a plus before what came in. */
  signed?: boolean;
  /** Leaves out what tells the token from others of the same symbol: it stands beside it. */
  plain?: boolean;
}

export function Amount({ cents, exact, token, signed = false, plain = false }: Props) {
  const { symbol, nft } = tokenOf(token);
  const hasUid = !plain && needsUid(token);
  // Of a token that nobody can name, its identifier says all.
  const hasSymbol = !hasUid || symbol !== unknownToken(token).symbol;
  const isIn = exact === undefined ? cents > 0n : !exact.startsWith("-");
  const plus = signed && isIn ? "+" : "";
  const tone = signed ? (isIn ? " amount-in" : " amount-out") : "";
  return (
    <span class={`amount${tone}`}>
      {plus}
      {formatAmount(cents, nft === undefined ? 2 : 0, exact)} {hasSymbol && <bdi class="symbol">{clean(symbol)}</bdi>}
      {hasUid && (
        <>
          {" "}
          <span class="mono uid">{shortId(token)}</span>
        </>
      )}
    </span>
  );
}
