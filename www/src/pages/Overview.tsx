// The wallet at a glance.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import type { Token } from "../engine/api";
import { formatAmount } from "../money";
import { ActivityList } from "../parts/ActivityList";
import { Amount } from "../parts/Amount";
import { FaucetButton } from "../parts/FaucetButton";
import { Icon } from "../parts/Icon";
import { Pager, usePages } from "../parts/Pager";
import { Plot } from "../parts/Plot";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { linkTo } from "../state/route";
import { tokenOf, view } from "../state/wallet";
import { clean } from "../text";
import { TokenDialog } from "./TokenDialog";

const TOKENS_AT_ONCE = 12;

export function Overview({ onOpen }: PageProps) {
  const [shown, setShown] = useState<string>();
  const history = useEngine(() => call("series", HTR.uid), []);
  const hathor = tokenOf(HTR.uid);
  const { tokens = [], recent = [], transactions = 0 } = view.value ?? {};
  const others = tokens.filter(({ uid, available, locked, canMelt }) => uid !== HTR.uid && (available + locked > 0n || canMelt));
  const pages = usePages(TOKENS_AT_ONCE, others.length);
  const fresh = transactions === 0;

  return (
    <>
      <section class="hero card" aria-labelledby="balance-title">
        <div class="hero-top">
          <div>
            <h1 id="balance-title" tabIndex={-1}>
              Balance
            </h1>
            <p class="hero-amount" data-testid="balance">
              {formatAmount(hathor.available)} <small>HTR</small>
            </p>
            {hathor.locked > 0n && (
              <p class="hint">
                <Icon name="lock" /> {formatAmount(hathor.locked)} HTR more are locked for now
              </p>
            )}
          </div>
          <div class="hero-actions">
            <a class="button primary" href={linkTo("send")}>
              <Icon name="send" />
              Send
            </a>
            <a class="button" href={linkTo("receive")}>
              <Icon name="receive" />
              Receive
            </a>
            <FaucetButton />
          </div>
        </div>
        {history.value && history.value.times.length > 0 && <Plot series={history.value} symbol="HTR" decimals={2} height={170} />}
      </section>

      {fresh ? (
        <section class="card empty">
          <Icon name="receive" />
          <h2>Nothing here yet</h2>
          <p>Receive something to begin with: show your address to somebody who sends you HTR.</p>
          <a class="button primary" href={linkTo("receive")}>
            Show my address
          </a>
        </section>
      ) : (
        <div class="columns">
          <section class="card" aria-labelledby="tokens-title">
            <header class="card-head">
              <h2 id="tokens-title">Tokens</h2>
              <a href={linkTo("tokens")}>Create or melt</a>
            </header>
            {others.length === 0 ? (
              <p class="quiet-text">No tokens besides HTR. You can create your own: a hundredth of its amount is deposited in HTR.</p>
            ) : (
              <ul class="tokens">
                {others.slice(pages.from, pages.from + TOKENS_AT_ONCE).map((token) => (
                  <li key={token.uid}>
                    <TokenLine token={token} onOpen={() => setShown(token.uid)} />
                  </li>
                ))}
              </ul>
            )}
            <Pager what="tokens" {...pages} />
          </section>
          <section class="card" aria-labelledby="recent-title">
            <header class="card-head">
              <h2 id="recent-title">Latest</h2>
              <a href={linkTo("history")}>All {transactions}</a>
            </header>
            <ActivityList activities={recent} onOpen={onOpen} />
          </section>
        </div>
      )}
      {shown && <TokenDialog uid={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function TokenLine({ token, onOpen }: { token: Token; onOpen(): void }) {
  return (
    <button type="button" class="token" onClick={onOpen}>
      <span class="token-sign" aria-hidden="true">
        {token.nft === undefined ? [...clean(token.symbol)].slice(0, 2).join("") : <Icon name="picture" />}
      </span>
      <span class="token-name">
        <bdi>{clean(token.name)}</bdi>
        <small>{token.nft === undefined ? "Token" : "NFT"}</small>
      </span>
      <span class="token-amount">
        <Amount cents={token.available} token={token.uid} />
        {token.locked > 0n && <small>{formatAmount(token.locked, token.nft === undefined ? 2 : 0)} locked</small>}
      </span>
    </button>
  );
}
