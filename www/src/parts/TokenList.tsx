// The tokens of the wallet. Those that strangers have sent stand aside until they are accepted.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import type { Token } from "../engine/api";
import { formatAmount } from "../money";
import { TokenDialog } from "../pages/TokenDialog";
import { accept, acceptedTokens, hiddenTokens, hide, needsUid, newTokens, warningsOf } from "../state/acceptance";
import { clean, shortId } from "../text";
import { Amount } from "./Amount";
import { Pager, usePages } from "./Pager";
import { TokenSign } from "./TokenSign";
import { Warnings } from "./Warnings";
import { t } from "../words";

const AT_ONCE = 12;

export function TokenList() {
  const [shown, setShown] = useState<string>();
  const own = acceptedTokens.value.filter(
    ({ uid, available, locked, exact, frozen, canMint, canMelt }) => uid === HTR.uid || available + locked + frozen > 0n || exact.available || canMint || canMelt,
  );
  const pages = usePages(AT_ONCE, own.length);
  return (
    <>
      <ul class="tokens">
        {own.slice(pages.from, pages.from + AT_ONCE).map((token) => (
          <li key={token.uid}>
            <TokenLine token={token} onOpen={() => setShown(token.uid)} />
          </li>
        ))}
      </ul>
      <Pager what={t.tokens.tokens} {...pages} />
      <Aside title={t.tokens.notYetAccepted} tokens={newTokens.value} onOpen={setShown}>{t.tokens.somebodyHasSentTheseAnd}</Aside>
      <Aside title={t.tokens.hidden} tokens={hiddenTokens.value} onOpen={setShown} />
      {shown && <TokenDialog uid={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

interface AsideProps {
  title: string;
  tokens: Token[];
  onOpen(uid: string): void;
  children?: string;
}

function Aside({ title, tokens, onOpen, children }: AsideProps) {
  const pages = usePages(AT_ONCE, tokens.length);
  if (tokens.length === 0) return null;
  return (
    <details class="tokens-aside">
      <summary>
        {title} ({tokens.length})
      </summary>
      {children && <p class="hint">{children}</p>}
      <ul class="tokens">
        {tokens.slice(pages.from, pages.from + AT_ONCE).map((token) => (
          <li key={token.uid}>
            <TokenLine token={token} onOpen={() => onOpen(token.uid)} />
            <Warnings warnings={warningsOf(token)} />
            <TokenChoice token={token} />
          </li>
        ))}
      </ul>
      <Pager what={t.tokens.tokensThatAre(title.toLowerCase())} {...pages} />
    </details>
  );
}

/** What can be done with a token that is not accepted. */
export function TokenChoice({ token: { uid, symbol } }: { token: Token }) {
  const isHidden = hiddenTokens.value.some((hidden) => hidden.uid === uid);
  const name = `${clean(symbol)} ${shortId(uid)}`;
  return (
    <div class="actions start token-choice">
      <button type="button" class="button small" aria-label={t.tokens.acceptToken(name)} onClick={() => accept(uid)}>{t.tokens.accept}</button>
      {!isHidden && (
        <button type="button" class="button small" aria-label={t.tokens.hideToken(name)} onClick={() => hide(uid)}>{t.tokens.hide}</button>
      )}
    </div>
  );
}

function TokenLine({ token, onOpen }: { token: Token; onOpen(): void }) {
  const { uid, name, nft, origin, available, locked, exact } = token;
  const kind = [nft !== undefined && t.tokens.nft, origin === "created" && t.tokens.createdByYou].filter(Boolean);
  return (
    <button type="button" class="token" onClick={onOpen}>
      <TokenSign token={token} />
      <span class="token-name">
        <bdi>{clean(name)}</bdi>
        {kind.length > 0 && <small>{kind.join(" · ")}</small>}
        {needsUid(uid) && <small class="mono">{shortId(uid)}</small>}
        {warningsOf(token).length > 0 && <em class="tag tag-bad">{t.tokens.bewareOfItsName}</em>}
      </span>
      <span class="token-amount">
        <Amount cents={available} exact={exact.available} token={uid} plain />
        {locked > 0n && <small>{t.tokens.amountLocked(formatAmount(locked, nft === undefined ? 2 : 0, exact.locked))}</small>}
      </span>
    </button>
  );
}
