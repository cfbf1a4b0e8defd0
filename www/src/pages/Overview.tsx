// The wallet at a glance.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { formatAmount } from "../money";
import { ActivityList } from "../parts/ActivityList";
import { FaucetButton } from "../parts/FaucetButton";
import { Icon } from "../parts/Icon";
import { Plot, PlotRoom } from "../parts/Plot";
import { TokenField } from "../parts/TokenField";
import { TokenList } from "../parts/TokenList";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { acceptedTokens } from "../state/acceptance";
import { hasFaucet } from "../state/faucet";
import { linkTo } from "../state/route";
import { clean } from "../text";
import { isWatchOnly, multisig, tokenOf, view } from "../state/wallet";
import { t } from "../words";

export function Overview({ onOpen }: PageProps) {
  const [chosen, setChosen] = useState<string>(HTR.uid);
  const plotted = tokenOf(chosen);
  const history = useEngine(async () => ({ series: await call("series", chosen), of: chosen }), [chosen]);
  const shown = history.value?.of === chosen ? history.value.series : undefined;
  const hathor = tokenOf(HTR.uid);
  const { recent = [], transactions = 0 } = view.value ?? {};
  const fresh = transactions === 0;
  const shared = multisig.value;

  return (
    <>
      <section class="hero card" aria-labelledby="balance-title">
        <div class="hero-top">
          <div>
            <h1 id="balance-title" tabIndex={-1}>{t.history.balance}</h1>
            {isWatchOnly.value && <em class="tag tag-quiet">{t.history.watchOnly}</em>}
            {shared && <em class="tag tag-quiet">{t.multisig.mustSign(shared.signatures, shared.participants)}</em>}
            <p class="hero-amount" data-testid="balance">
              {formatAmount(hathor.available)} <small>HTR</small>
            </p>
            {hathor.frozen > 0n && (
              <p class="hint">
                {t.history.moreAreFrozen(formatAmount(hathor.frozen), (frozen) => (
                  <a href={linkTo("coins")}>{frozen}</a>
                ))}
              </p>
            )}
            {hathor.locked > 0n && (
              <p class="hint">
                <Icon name="lock" /> {t.history.moreAreLocked(formatAmount(hathor.locked))}
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
            <FaucetButton primary={fresh} />
          </div>
        </div>
        {acceptedTokens.value.length > 1 && (
          <div class="hero-chart">
            <TokenField label={t.history.chart} value={chosen} onInput={setChosen} />
          </div>
        )}
        {!shown && !fresh && <PlotRoom />}
        {shown && shown.times.length > 0 && (
          <Plot series={shown} symbol={clean(plotted.symbol)} decimals={plotted.nft === undefined ? 2 : 0} height={170} />
        )}
      </section>

      {fresh ? (
        <section class="card empty">
          <Icon name="receive" />
          <h2>{t.history.nothingHereYet}</h2>
          <p>{hasFaucet.value ? t.history.thisNetworkGivesCoins(t.shell.getTestCoins) : t.history.receiveSomethingToBeginWith}</p>
          <a class={hasFaucet.value ? "button" : "button primary"} href={linkTo("receive")}>{t.history.showMyAddress}</a>
        </section>
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
