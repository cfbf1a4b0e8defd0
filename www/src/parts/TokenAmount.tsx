// An amount of a token together with what tells the token from others of the same symbol.
import { HTR } from "headless-wallet/rules";
import { isAccepted, warningsOf } from "../state/acceptance";
import { isKnown, tokenOf } from "../state/wallet";
import { clean, shortId } from "../text";
import { Amount } from "./Amount";
import { CopyButton } from "./CopyButton";
import { t } from "../words";

export function TokenAmount({ cents, exact, token }: { cents: bigint; exact?: string | undefined; token: string }) {
  return (
    <span class="token-amount-line">
      <Amount cents={cents} exact={exact} token={token} plain />
      <TokenId token={token} />
    </span>
  );
}

/** Nothing for HTR, of which there is but one. */
export function TokenId({ token }: { token: string }) {
  if (token === HTR.uid) return null;
  const { name, symbol, origin } = tokenOf(token);
  const isNew = !isKnown(token);
  return (
    <span class="token-id">
      <bdi>{clean(name)}</bdi>{" "}
      <span class="mono with-copy">
        {shortId(token)}
        <CopyButton text={token} what={t.tokens.identifierOf(clean(symbol))} small />
      </span>
      {origin === "created" && <em class="tag">{t.tokens.createdByYou}</em>}
      {isNew && <em class="tag tag-warn">{t.tokens.newToThisWallet}</em>}
      {!isNew && !isAccepted(token) && <em class="tag tag-warn">{t.common.notAccepted}</em>}
      {warningsOf(tokenOf(token)).length > 0 && <em class="tag tag-bad">{t.tokens.bewareOfItsName}</em>}
    </span>
  );
}
