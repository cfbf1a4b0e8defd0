// All transactions, and how a balance went.
import { HTR } from "headless-wallet/rules";
import { call } from "../engine/client";
import type { Filter, KindGroup } from "../engine/api";
import { download, toCsv, toJson } from "../exporting";
import { ActivityList } from "../parts/ActivityList";
import { Empty } from "../parts/Empty";
import { Labelled, TextField } from "../parts/Field";
import { Pager } from "../parts/Pager";
import { Plot } from "../parts/Plot";
import { Select } from "../parts/Select";
import { Title } from "../parts/Title";
import { TokenField } from "../parts/TokenField";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { book, labelOf } from "../state/book";
import { changeQuery, goTo, linkTo, route } from "../state/route";
import { tokenOf, view } from "../state/wallet";
import { clean } from "../text";
import { t } from "../words";

const AT_ONCE = 25;
const groups = (): Record<KindGroup, string> => ({
  received: t.history.received,
  sent: t.common.sent,
  tokens: t.history.tokensMadeAndMelted,
  swap: t.history.swaps,
  contracts: t.history.contracts,
  data: t.common.data,
  moved: t.history.movedWithinTheWallet,
});

/** What was typed, with what the user has noted of it: names and labels are known to the page alone. */
function filterOf(token: string, kind: string, words: string): Filter {
  const { labels, contacts } = book.value;
  const typed = words.trim().toLowerCase();
  const has = (text: string): boolean => typed !== "" && text.toLowerCase().includes(typed);
  return {
    token: token || undefined,
    kind: kind in groups() ? (kind as KindGroup) : undefined,
    words: typed,
    also: [
      ...Object.entries(labels).filter(([, label]) => has(label)).map(([key]) => key),
      ...contacts.filter(({ name }) => has(name)).map(({ address }) => address),
    ],
  };
}

export function History({ onOpen }: PageProps) {
  const { rest: token, query } = route.value;
  const [kind, words] = [query.get("kind") ?? "", query.get("find") ?? ""];
  const page = Math.max(1, Math.floor(Number(query.get("page")) || 1));
  const from = (page - 1) * AT_ONCE;
  const filter = filterOf(token, kind, words);
  const plotted = tokenOf(token || HTR.uid);
  const asked = JSON.stringify(filter);
  const history = useEngine(async () => ({ ...(await call("activities", filter, from, AT_ONCE)), from }), [asked, from]);
  const series = useEngine(() => call("series", plotted.uid), [plotted.uid]);
  const { rows = [], total = 0, from: shown = from } = history.value ?? {};

  const save = async (ending: "csv" | "json"): Promise<void> => {
    const { rows: all } = await call("activities", filter, 0, total);
    const known = { tokenOf, labelOf };
    const name = `history-${new Date().toISOString().slice(0, 10)}.${ending}`;
    if (ending === "csv") download(name, "text/csv;charset=utf-8", toCsv(all, known));
    else download(name, "application/json", toJson(all, known));
  };

  if (view.value?.transactions === 0) {
    return (
      <>
        <Title>{t.common.history}</Title>
        <Empty icon="history" title={t.history.nothingHereYet} text={t.history.nothingYetWhatYouReceive}>
          <a class="button primary" href={linkTo("receive")}>{t.history.showMyAddress}</a>
        </Empty>
      </>
    );
  }
  // The list is what people come for: on a phone it is first.
  const isPhone = matchMedia("(max-width: 40rem)").matches;
  const whichToken = <TokenField label={t.history.show} value={token} empty={t.history.allTokens} onInput={(uid) => goTo("history", uid)} />;
  const plot = (
    <section class="card">
      <header class="card-head">
        <h2>{t.history.balanceOf(<bdi>{clean(plotted.symbol)}</bdi>)}</h2>
        {!isPhone && whichToken}
      </header>
      {series.value && <Plot series={series.value} symbol={clean(plotted.symbol)} decimals={plotted.nft === undefined ? 2 : 0} height={isPhone ? 110 : 220} />}
    </section>
  );
  return (
    <>
      <Title>{t.common.history}</Title>
      {!isPhone && plot}
      <section class="card" aria-labelledby="list-title">
        <header class="card-head">
          <h2 id="list-title" aria-live="polite">
            {history.value ? t.counts.transactions(total) : t.history.transactions}
          </h2>
          {total > 0 && (
            <div class="actions start exports">
              <button type="button" class="button small" onClick={() => void save("csv")}>{t.history.exportCSV}</button>
              <button type="button" class="button small" onClick={() => void save("json")}>{t.history.exportJSON}</button>
            </div>
          )}
        </header>
        <div class="two history-filter">
          <TextField
            label={t.history.find}
            hint={t.history.byAddressIdentifierData}
            value={words}
            onInput={(text) => changeQuery({ find: text, page: undefined })}
          />
          <Labelled label={t.history.kind}>
            {(control) => (
              <Select
                control={control}
                value={kind}
                options={[{ value: "", label: t.common.all }, ...Object.entries(groups()).map(([value, label]) => ({ value, label }))]}
                onChange={(next) => changeQuery({ kind: next, page: undefined })}
              />
            )}
          </Labelled>
          {isPhone && whichToken}
        </div>
        <ErrorMessage error={history.error} />
        {history.value && total === 0 && (
          <p class="quiet-text">{t.history.noneMatches}</p>
        )}
        <ActivityList activities={rows} onOpen={onOpen} days />
        <Pager
          what={t.history.transactions}
          from={from}
          shown={shown}
          size={AT_ONCE}
          total={total}
          onGo={(to) => changeQuery({ page: to === 0 ? undefined : String(to / AT_ONCE + 1) }, true)}
          back={t.common.newer}
          on={t.common.older}
        />
      </section>
      {isPhone && plot}
    </>
  );
}
