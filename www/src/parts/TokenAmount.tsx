// An amount of a token together with what tells the token from others of the same symbol.
import { HTR } from "headless-wallet/rules";
import { isKnown, tokenOf } from "../state/wallet";
import { clean, shortId } from "../text";
import { Amount } from "./Amount";
import { CopyButton } from "./CopyButton";

export function TokenAmount({ cents, token }: { cents: bigint; token: string }) {
  return (
    <span class="token-amount-line">
      <Amount cents={cents} token={token} />
      <TokenId token={token} />
    </span>
  );
}

/** Nothing for HTR, of which there is but one. */
export function TokenId({ token }: { token: string }) {
  if (token === HTR.uid) return null;
  return (
    <span class="token-id">
      <bdi>{clean(tokenOf(token).name)}</bdi> <span class="mono">{shortId(token)}</span>
      <CopyButton text={token} what={`Identifier of ${clean(tokenOf(token).symbol)}`} small />
      {!isKnown(token) && <em class="tag tag-warn">new to this wallet</em>}
    </span>
  );
}
