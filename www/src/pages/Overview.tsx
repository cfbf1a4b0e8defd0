// The wallet at a glance.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { formatAmount } from "../money";
import { ActivityList } from "../parts/ActivityList";
import { FaucetButton } from "../parts/FaucetButton";
import { Icon } from "../parts/Icon";
import { Plot } from "../parts/Plot";
import { TokenField } from "../parts/TokenField";
import { TokenList } from "../parts/TokenList";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { acceptedTokens } from "../state/acceptance";
import { hasFaucet } from "../state/faucet";
import { linkTo } from "../state/route";
import { clean } from "../text";
import { isWatchOnly, tokenOf, view } from "../state/wallet";

export function Overview({ onOpen }: PageProps) {
  const [chosen, setChosen] = useState<string>(HTR.uid);
  const plotted = tokenOf(chosen);
  const history = useEngine(async () => ({ series: await call("series", chosen), of: chosen }), [chosen]);
  const shown = history.value?.of === chosen ? history.value.series : undefined;
  const hathor = tokenOf(HTR.uid);
  const { recent = [], transactions = 0 } = view.value ?? {};
  const fresh = transactions === 0;

  return (
    <>
      <section class="hero card" aria-labelledby="balance-title">
        <div class="hero-top">
          <div>
            <h1 id="balance-title" tabIndex={-1}>
              Balance
            </h1>
            {isWatchOnly.value && <em class="tag tag-quiet">watch-only</em>}
            <p class="hero-amount" data-testid="balance">
              {formatAmount(hathor.available)} <small>HTR</small>
            </p>
            {hathor.frozen > 0n && (
              <p class="hint">
                {formatAmount(hathor.frozen)} HTR more are <a href={linkTo("coins")}>frozen</a>
              </p>
            )}
            {hathor.locked > 0n && (
              <p class="hint">
                <Icon name="lock" /> {formatAmount(hathor.locked)} HTR more are locked for now
              </p>
            )}
          </div>
          <div class="hero-actions">
            {!isWatchOnly.value && (
              <a class={fresh ? "button" : "button primary"} href={linkTo("send")}>
                <Icon name="send" />
                Send
              </a>
            )}
            <a class="button" href={linkTo("receive")}>
              <Icon name="receive" />
              Receive
            </a>
            <FaucetButton primary={fresh} />
          </div>
        </div>
        {acceptedTokens.value.length > 1 && (
          <div class="hero-chart">
            <TokenField label="Chart" value={chosen} onInput={setChosen} />
          </div>
        )}
        {shown && shown.times.length > 0 && (
          <Plot series={shown} symbol={clean(plotted.symbol)} decimals={plotted.nft === undefined ? 2 : 0} height={170} />
        )}
      </section>

      {fresh ? (
        <section class="card empty">
          <Icon name="receive" />
          <h2>Nothing here yet</h2>
          <p>Receive something to begin with: show your address to somebody who sends you HTR.</p>
          <a class={hasFaucet.value ? "button" : "button primary"} href={linkTo("receive")}>
            Show my address
          </a>
        </section>
      ) : (
        <div class="columns">
          <section class="card" aria-labelledby="tokens-title">
            <header class="card-head">
              <h2 id="tokens-title">Tokens</h2>
              <a href={linkTo("tokens")}>All about tokens</a>
            </header>
            <TokenList none="No tokens besides HTR. You can create your own: a hundredth of its amount is deposited in HTR." />
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
    </>
  );
}
