// Paying addresses, and writing data on the ledger: one transaction for all of it.
import type { SendTxRequest } from "headless-wallet";
import { HTR, limits, prices } from "headless-wallet/rules";
import { useRef, useState } from "preact/hooks";
import { call } from "../engine/client";
import { formatAmount } from "../money";
import { Amount } from "../parts/Amount";
import { Costs } from "../parts/Costs";
import { Done } from "../parts/Done";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Icon } from "../parts/Icon";
import { ReviewButton } from "../parts/ReviewButton";
import { ReviewDialog } from "../parts/ReviewDialog";
import { TokenWarnings } from "../parts/TokenWarnings";
import { TokenAmount } from "../parts/TokenAmount";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { warningsOf } from "../state/acceptance";
import { useAct } from "../state/act";
import { tokenOf } from "../state/wallet";
import { clean, plural } from "../text";
import { DataRow, type DataDraft, PaymentRow, type PaymentDraft, amountOf, dataProblem } from "./SendRows";

type Draft = PaymentDraft | DataDraft;

/** What leaves the wallet, token by token. */
function totals(drafts: Draft[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const draft of drafts) {
    const token = draft.kind === "data" ? HTR.uid : draft.token;
    const amount = draft.kind === "data" ? prices.dataOutput : (amountOf(draft) ?? 0n);
    sums.set(token, (sums.get(token) ?? 0n) + amount);
  }
  return sums;
}

/** What can be paid with a row: what there is, less what the others and their texts take. */
function restFor(draft: PaymentDraft, sums: Map<string, bigint>): bigint {
  const { available } = tokenOf(draft.token);
  const others = (sums.get(draft.token) ?? 0n) - (amountOf(draft) ?? 0n);
  return others < available ? available - others : 0n;
}

export function Pay({ token, onOpen }: PageProps & { token: string }) {
  const lastKey = useRef(0);
  const payment = (token: string = HTR.uid): PaymentDraft => ({
    kind: "payment",
    key: ++lastKey.current,
    address: "",
    addressProblem: "",
    amount: "",
    token,
  });
  const data = (): DataDraft => ({ kind: "data", key: ++lastKey.current, text: "" });

  const [drafts, setDrafts] = useState<Draft[]>(() => [payment(token || HTR.uid)]);
  const request = { outputs: drafts.map(output) };
  const act = useAct(() => call("send", request));
  const looking = act.stage === "review" || act.stage === "sending";
  const asked = useEngine(async () => (looking ? call("sendCost", request) : undefined), [looking]);
  const cost = looking ? asked.value : undefined;

  const change = (key: number, to: Partial<PaymentDraft> | Partial<DataDraft>): void =>
    setDrafts((now) => now.map((draft) => (draft.key === key ? ({ ...draft, ...to } as Draft) : draft)));
  const drop = (key: number): void => setDrafts((now) => now.filter((draft) => draft.key !== key));

  const sums = totals(drafts);
  const short = [...sums].find(([token, sum]) => sum > tokenOf(token).available);
  const problemOf = (draft: Draft): boolean =>
    draft.kind === "data" ? dataProblem(draft.text) !== undefined : draft.addressProblem !== undefined || amountOf(draft) === undefined;
  const sound = !drafts.some(problemOf) && !short;
  const dataCount = drafts.filter(({ kind }) => kind === "data").length;

  if (act.stage === "done" && act.result) {
    const again = (): void => {
      setDrafts([payment()]);
      act.again();
    };
    return (
      <Done title="Sent" id={act.result} onOpen={onOpen} again="Send something else" onAgain={again}>
        <p>The network has it. It is on its way into a block.</p>
      </Done>
    );
  }

  return (
    <>
      <p class="quiet-text">One transaction can pay many, in many tokens, and keep texts on the ledger.</p>
      <form onSubmit={(event) => act.submit(event, sound)} noValidate>
        {drafts.map((draft, at) => {
          const remove = drafts.length > 1 ? () => drop(draft.key) : undefined;
          const common = { number: drafts.length > 1 ? at + 1 : undefined, tried: act.tried, onRemove: remove };
          return draft.kind === "payment" ? (
            <PaymentRow key={draft.key} {...common} draft={draft} rest={restFor(draft, sums)} onChange={(to) => change(draft.key, to)} />
          ) : (
            <DataRow key={draft.key} {...common} draft={draft} onChange={(to) => change(draft.key, to)} />
          );
        })}
        <div class="actions start">
          <button type="button" class="button" onClick={() => setDrafts([...drafts, payment()])}>
            <Icon name="plus" />
            Another payment
          </button>
          <button type="button" class="button" disabled={dataCount >= limits.dataOutputs} onClick={() => setDrafts([...drafts, data()])}>
            <Icon name="data" />
            Data
          </button>
          {drafts.length === 1 && drafts[0]?.kind === "payment" && drafts[0].address === "" && drafts[0].amount === "" && (
            <button type="button" class="button quiet" onClick={() => setDrafts([data()])}>
              Only data, no payment
            </button>
          )}
        </div>
        <div class="send-end">
          <p class={short ? "problem" : "quiet-text"} role="status">
            {short
              ? `That is ${formatAmount(short[1] - tokenOf(short[0]).available, tokenOf(short[0]).nft === undefined ? 2 : 0)} ${clean(tokenOf(short[0]).symbol)} more than there is.`
              : dataCount > 0
                ? `Costs ${formatAmount(prices.dataOutput * BigInt(dataCount))} HTR for data.`
                : ""}
          </p>
          <ReviewButton />
        </div>
      </form>
      <ReviewDialog act={act} title="Send this?" verb="Send" ready={cost !== undefined}>
        <ul class="review">
          {drafts.map((draft) => (
            <li key={draft.key}>
              {draft.kind === "data" ? (
                <>
                  <span>Data</span>
                  <span class="review-where">“{draft.text}”</span>
                </>
              ) : (
                <>
                  <TokenAmount cents={amountOf(draft) ?? 0n} token={draft.token} />
                  <span class="review-where mono">to {draft.address}</span>
                </>
              )}
            </li>
          ))}
        </ul>
        <TokenWarnings warnings={[...new Set([...sums.keys()].flatMap((token) => warningsOf(tokenOf(token))))]} />
        <dl class="facts">
          {drafts.length > 1 && (
            <>
              <dt>In all</dt>
              <dd class="stacked">
                {[...sums].map(([token, sum]) => (
                  <TokenAmount key={token} cents={sum} token={token} />
                ))}
              </dd>
            </>
          )}
          <dt>Cost</dt>
          <dd class="stacked">{cost ? <Costs cost={cost} none="nothing" /> : "…"}</dd>
          <dt>Left then</dt>
          <dd class="stacked">
            {[...sums].map(([token, sum]) => (
              <Amount key={token} cents={tokenOf(token).available - sum - (token === HTR.uid ? (cost?.fee ?? 0n) : 0n)} token={token} />
            ))}
          </dd>
        </dl>
        <ErrorMessage error={looking && !cost ? asked.error : undefined} />
        {dataCount > 0 && <p class="hint">{plural(dataCount, "text")} on the ledger for ever, for all to read.</p>}
        <p class="hint">A transaction can't be taken back.</p>
      </ReviewDialog>
    </>
  );
}

function output(draft: Draft): SendTxRequest["outputs"][number] {
  if (draft.kind === "data") return { type: "data", data: draft.text };
  return { address: draft.address, value: amountOf(draft) ?? 0n, token: draft.token };
}
