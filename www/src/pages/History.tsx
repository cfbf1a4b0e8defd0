// All transactions, and how a balance went.
import { HTR } from "headless-wallet/rules";
import { useEffect, useState } from "preact/hooks";
import { call } from "../engine/client";
import { ActivityList } from "../parts/ActivityList";
import { Pager } from "../parts/Pager";
import { Plot } from "../parts/Plot";
import { Title } from "../parts/Title";
import { TokenField } from "../parts/TokenField";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { goTo, route } from "../state/route";
import { tokenOf } from "../state/wallet";
import { clean, plural } from "../text";

const AT_ONCE = 25;

export function History({ onOpen }: PageProps) {
  const token = route.value.rest;
  const [from, setFrom] = useState(0);
  useEffect(() => setFrom(0), [token]);
  const plotted = tokenOf(token || HTR.uid);
  const history = useEngine(
    async () => ({ ...(await call("activities", token || undefined, from, AT_ONCE)), from }),
    [token, from],
  );
  const series = useEngine(() => call("series", plotted.uid), [plotted.uid]);
  const { rows = [], total = 0, from: shown = from } = history.value ?? {};

  return (
    <>
      <Title>History</Title>
      <section class="card">
        <header class="card-head">
          <h2>
            Balance of <bdi>{clean(plotted.symbol)}</bdi>
          </h2>
          <TokenField label="Show" value={token} empty="All tokens" onInput={(uid) => goTo("history", uid)} />
        </header>
        {series.value && <Plot series={series.value} symbol={clean(plotted.symbol)} decimals={plotted.nft === undefined ? 2 : 0} height={220} />}
      </section>
      <section class="card" aria-labelledby="list-title">
        <h2 id="list-title">{plural(total, "transaction")}</h2>
        <ErrorMessage error={history.error} />
        {history.value && total === 0 && <p class="quiet-text">Nothing yet. What you receive and send will be listed here.</p>}
        <ActivityList activities={rows} onOpen={onOpen} />
        <Pager what="transactions" from={from} shown={shown} size={AT_ONCE} total={total} onGo={setFrom} back="Newer" on="Older" />
      </section>
    </>
  );
}
