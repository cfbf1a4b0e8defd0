// The wallet at a glance: what it has, and what happened last.
import { HTR } from "headless-wallet/rules";
import { call } from "../engine/client";
import { formatAmount } from "../money";
import { ActivityList } from "../parts/ActivityList";
import { Empty } from "../parts/Empty";
import { FaucetButton } from "../parts/FaucetButton";
import { Icon } from "../parts/Icon";
import { Sparkline } from "../parts/Sparkline";
import { TokenList } from "../parts/TokenList";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { hasFaucet } from "../state/faucet";
import { linkTo } from "../state/route";
import { isWatchOnly, multisig, tokenOf, view } from "../state/wallet";
import { t } from "../words";

export function Overview({ onOpen }: PageProps) {
  const series = useEngine(() => call("series", HTR.uid), []).value;
  const hathor = tokenOf(HTR.uid);
  const { recent = [], transactions = 0 } = view.value ?? {};
  const fresh = transactions === 0;
  const shared = multisig.value;

  return (
    <>
      <section class="hero" aria-labelledby="balance-title">
        <div>
          <h1 id="balance-title" tabIndex={-1}>{t.history.balance}</h1>
          {isWatchOnly.value && <em class="tag tag-quiet">{t.history.watchOnly}</em>}
          {shared && <em class="tag tag-quiet">{t.multisig.mustSign(shared.signatures, shared.participants)}</em>}
          <p class="hero-amount" data-testid="balance">
            {formatAmount(hathor.available, 2, hathor.exact.available)} <small>HTR</small>
          </p>
          {hathor.frozen > 0n && (
            <p class="hint">
              {t.history.moreAreFrozen(formatAmount(hathor.frozen), (frozen) => (
                <a href={linkTo("tools", "coins")}>{frozen}</a>
              ))}
            </p>
          )}
          {hathor.locked > 0n && (
            <p class="hint">
              <Icon name="lock" /> {t.history.moreAreLocked(formatAmount(hathor.locked, 2, hathor.exact.locked))}
            </p>
          )}
        </div>
        <div class="hero-actions">
          {!isWatchOnly.value && (
            <a class={fresh ? "button" : "button primary"} href={linkTo("send")}>
              <Icon name="send" />
              {t.common.send}
            </a>
          )}
          <a class="button" href={linkTo("receive")}>
            <Icon name="receive" />
            {t.common.receive}
          </a>
          {!fresh && <FaucetButton />}
        </div>
        {series && <Sparkline series={series} uid={HTR.uid} symbol={HTR.symbol} />}
      </section>

      {fresh ? (
        <Empty icon="receive" title={t.history.nothingHereYet} text={hasFaucet.value ? t.history.thisNetworkGivesCoins(t.shell.getTestCoins) : t.history.receiveSomethingToBeginWith}>
          <div class="actions">
            <FaucetButton primary />
            <a class={hasFaucet.value ? "button" : "button primary"} href={linkTo("receive")}>{t.history.showMyAddress}</a>
          </div>
        </Empty>
      ) : (
        <div class="columns">
          <section class="card" aria-labelledby="tokens-title">
            <header class="card-head">
              <h2 id="tokens-title">{t.common.tokens}</h2>
              <a href={linkTo("tokens")}>{t.history.allAboutTokens}</a>
            </header>
            <TokenList />
          </section>
          <section class="card" aria-labelledby="recent-title">
            <header class="card-head">
              <h2 id="recent-title">{t.history.latest}</h2>
              <a href={linkTo("history")}>{t.history.allOf(transactions)}</a>
            </header>
            <ActivityList activities={recent} onOpen={onOpen} />
          </section>
        </div>
      )}
    </>
  );
}
