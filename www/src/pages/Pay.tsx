// Paying addresses, and writing data on the ledger: one transaction for all of it.
import type { SendTxRequest } from "headless-wallet";
import { HTR, limits, prices } from "headless-wallet/rules";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Activity } from "../engine/api";
import { call } from "../engine/client";
import { type Exact, sumOf } from "../exact";
import { formatAmount } from "../money";
import { Payee } from "../parts/AddressText";
import { Amount } from "../parts/Amount";
import { Costs } from "../parts/Costs";
import { Done } from "../parts/Done";
import { ErrorMessage } from "../parts/ErrorMessage";
import { TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { LockField, lockProblem, secondsOf } from "../parts/LockField";
import { LockedUntil } from "../parts/LockedUntil";
import { ReviewButton } from "../parts/ReviewButton";
import { ReviewDialog } from "../parts/ReviewDialog";
import { Warnings } from "../parts/Warnings";
import { TokenAmount } from "../parts/TokenAmount";
import { useChain } from "../parts/useChain";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { type PaymentRequest, typedAmount } from "../request";
import { isAccepted, warningsOf } from "../state/acceptance";
import { useAct } from "../state/act";
import { contactAt, setLabel } from "../state/book";
import { draft } from "../state/draft";
import { notify } from "../state/notices";
import { type Payment, propose } from "../state/proposal";
import { goTo } from "../state/route";
import { availableOf, multisig, tokenOf } from "../state/wallet";
import { clean, shortId, time } from "../text";
import { DataRow, type DataDraft, type Draft, PaymentRow, type PaymentDraft, amountOf, dataProblem, moreThan } from "./SendRows";
import { t } from "../words";

/** A row's place among those of its kind; nothing of the only one. */
function numberOf(draft: Draft, drafts: Draft[]): number | undefined {
  const alike = drafts.filter(({ kind }) => kind === draft.kind);
  return alike.length > 1 ? alike.indexOf(draft) + 1 : undefined;
}

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

/** … with a fee, which is paid in HTR. */
const withFee = (sums: Map<string, bigint>, fee: bigint): Map<string, bigint> =>
  fee === 0n ? sums : new Map(sums).set(HTR.uid, (sums.get(HTR.uid) ?? 0n) + fee);

/** What can be paid with a row: what there is, less what the others and their texts take. */
function restFor(draft: PaymentDraft, sums: Map<string, bigint>): bigint {
  const { available } = tokenOf(draft.token);
  const others = (sums.get(draft.token) ?? 0n) - (amountOf(draft) ?? 0n);
  return others < available ? available - others : 0n;
}

/** Why a request can't be paid, if so. */
function refusalOf({ token, expires }: PaymentRequest): string | undefined {
  if (expires !== undefined && expires * 1_000 < Date.now()) return t.send.thisRequestExpiredOnAsk(time(expires));
  if (!isAccepted(token)) return t.send.thisRequestIsForA(shortId(token));
  return undefined;
}

export function Pay({ token, onOpen }: PageProps & { token: string }) {
  const begun = token === "" ? draft.value : undefined;
  const lastKey = useRef(Math.max(0, ...(begun?.rows.map(({ key }) => key) ?? [])));
  /** Rows that were there when the form was last sent off: newer ones are not looked at yet. */
  const [triedKey, setTriedKey] = useState(0);
  const payment = (token: string = HTR.uid): PaymentDraft => ({
    kind: "payment",
    key: ++lastKey.current,
    address: "",
    addressProblem: "",
    amount: "",
    token,
    lock: "",
  });
  const data = (): DataDraft => ({ kind: "data", key: ++lastKey.current, text: "" });

  const [drafts, setDrafts] = useState<Draft[]>(() => begun?.rows ?? [payment(token || HTR.uid)]);
  const request = { outputs: drafts.map(output) };
  const [label, setLabelText] = useState(begun?.label ?? "");
  const shared = multisig.value !== undefined;
  const act = useAct(async () => {
    const id = shared ? await proposeAll() : await call("send", request);
    draft.value = undefined;
    if (label.trim() !== "" && id !== undefined) setLabel(id, label.trim());
    return id;
  }, shared ? t.multisig.proposalIsMade : undefined);
  const proposeAll = async (): Promise<undefined> => {
    const paid = drafts.filter((draft) => draft.kind === "payment");
    await propose(paid.map(payTo));
    goTo("send", "sign");
  };
  useEffect(() => {
    if (act.stage !== "done") draft.value = { rows: drafts, label };
  }, [drafts, label]);
  /** What was begun before is seen. */
  const [hasMore] = useState(() => label !== "" || drafts.some((draft) => draft.kind === "data" || draft.lock !== "") || drafts.length > 1);
  const looking = act.stage === "review" || act.stage === "sending";
  const asked = useEngine(async () => (looking ? call("sendEffect", request) : undefined), [looking]);
  const effect = looking ? asked.value : undefined;
  const cost = effect?.cost;
  const fee = cost?.fee ?? 0n;

  const change = (key: number, to: Partial<PaymentDraft> | Partial<DataDraft>): void =>
    setDrafts((now) => now.map((draft) => (draft.key === key ? ({ ...draft, ...to } as Draft) : draft)));
  const drop = (key: number): void => setDrafts((now) => now.filter((draft) => draft.key !== key));

  /** Fills a row with what somebody asks for. */
  const take = (key: number, asked: PaymentRequest): boolean => {
    const refused = refusalOf(asked);
    if (refused) {
      notify(refused, "bad");
      return false;
    }
    const { address, token } = asked;
    change(key, { address, token, amount: typedAmount(asked, tokenOf(token)) });
    if (asked.label && label === "") setLabelText(asked.label);
    return true;
  };

  const sums = totals(drafts);
  const leaving = withFee(sums, fee);
  const short = [...sums].find(([token, sum]) => sum > tokenOf(token).available);
  const problemOf = (draft: Draft): boolean =>
    draft.kind === "data"
      ? dataProblem(draft.text) !== undefined
      : draft.addressProblem !== undefined || amountOf(draft) === undefined || lockProblem(draft.lock) !== undefined;
  const sound = !drafts.some(problemOf) && !short;
  const dataCount = drafts.filter(({ kind }) => kind === "data").length;
  const [first] = drafts;
  const only = drafts.length === 1 && first?.kind === "payment" ? first : undefined;
  /** A row says already that there is not enough. */
  const isTold = drafts.some((draft) => draft.kind === "payment" && (amountOf(draft) ?? 0n) > restFor(draft, sums));

  if (act.stage === "done" && act.result) {
    const again = (): void => {
      setDrafts([payment()]);
      setLabelText("");
      act.again();
    };
    return (
      <Done title={t.common.sent} id={act.result} onOpen={onOpen} again={t.send.sendSomethingElse} onAgain={again}>
        <Payments drafts={drafts} />
        <InBlock id={act.result} />
      </Done>
    );
  }

  return (
    <>
      {shared && <p class="quiet-text">{t.multisig.othersSignBefore}</p>}
      <form
        noValidate
        onSubmit={(event) => {
          setTriedKey(lastKey.current);
          act.submit(event, sound);
        }}
      >
        {drafts.map((draft) => {
          const remove = drafts.length > 1 ? () => drop(draft.key) : undefined;
          const common = { number: numberOf(draft, drafts), tried: act.tried && draft.key <= triedKey, onRemove: remove };
          return draft.kind === "payment" ? (
            <PaymentRow key={draft.key} {...common} draft={draft} rest={restFor(draft, sums)} onRequest={(asked) => take(draft.key, asked)} onChange={(to) => change(draft.key, to)} />
          ) : (
            <DataRow key={draft.key} {...common} draft={draft} onChange={(to) => change(draft.key, to)} />
          );
        })}
        <details class="card" open={hasMore}>
          <summary>{t.send.moreOptions}</summary>
          {only && <LockField value={only.lock} onInput={(lock) => change(only.key, { lock })} />}
          {!shared && <TextField label={t.common.label} hint={t.send.keptHereForYouAlone} placeholder={t.send.whatItIsFor} value={label} onInput={setLabelText} />}
          <div class="actions start">
            <button type="button" class="button" onClick={() => setDrafts([...drafts, payment()])}>
              <Icon name="plus" />
              {t.send.anotherPayment}
            </button>
            {!shared && (
              <button type="button" class="button" disabled={dataCount >= limits.dataOutputs} onClick={() => setDrafts([...drafts, data()])}>
                <Icon name="data" />
                {t.common.data}
              </button>
            )}
          </div>
        </details>
        <div class="send-end">
          <p class={short && !isTold ? "problem" : "quiet-text"} role="status">
            {short && !isTold ? moreThan(short[1], short[0], tokenOf(short[0]).available) : dataCount > 0 && t.send.costsHTRForData(formatAmount(prices.dataOutput * BigInt(dataCount)))}
          </p>
          <ReviewButton />
        </div>
      </form>
      <ReviewDialog act={act} {...(shared ? proposing() : sending(only))} ready={cost !== undefined}>
        <Payments drafts={drafts} effect={effect} />
        <Warnings warnings={[...new Set([...sums.keys()].flatMap((token) => warningsOf(tokenOf(token))))]} />
        <dl class="facts">
          {drafts.length > 1 && (
            <>
              <dt>{dataCount > 0 || fee > 0n ? t.send.inAllWithCost : t.send.inAll}</dt>
              <dd class="stacked">
                {[...leaving].map(([token, sum]) => (
                  <TokenAmount key={token} cents={sum} token={token} />
                ))}
              </dd>
            </>
          )}
          <Costs cost={cost} />
          <dt>{t.send.leftThen}</dt>
          <dd class="stacked">
            {effect
              ? [...new Set([...leaving.keys(), ...effect.changes.map(({ token }) => token)])].map((token) => (
                  <Amount key={token} {...sumOf(availableOf(token), changeOf(token, effect.changes))} token={token} />
                ))
              : "…"}
          </dd>
        </dl>
        <ErrorMessage error={looking && !effect ? asked.error : undefined} />
        {dataCount > 0 && <p class="hint">{t.send.textsForEver(dataCount)}</p>}
        <p class="hint">{shared ? t.multisig.nothingIsSentBefore : t.common.aTransactionCantBeTaken}</p>
      </ReviewDialog>
    </>
  );
}

const sending = (only: PaymentDraft | undefined) => ({ title: only ? t.send.sendAmount(amountText(only)) : t.send.sendThis, verb: t.common.send });
const proposing = () => ({ title: t.multisig.proposeThis, verb: t.swap.propose, doing: "propose" }) as const;

const changeOf = (token: string, changes: Activity["changes"]): Exact => {
  const { amount = 0n, exact } = changes.find((change) => change.token === token) ?? {};
  return { cents: amount, exact };
};

/** That the network has it, and whether a block does by now. */
function InBlock({ id }: { id: string }) {
  return <p>{useChain(id)?.block === undefined ? t.send.theNetworkHasItIt : t.send.theNetworkHasItInABlock}</p>;
}

const amountText = (draft: PaymentDraft): string => {
  const { symbol, nft } = tokenOf(draft.token);
  return `${formatAmount(amountOf(draft) ?? 0n, nft === undefined ? 2 : 0)} ${clean(symbol)}`;
};

/** What is paid to whom, with what the wallet knows of the addresses, once that is known. */
function Payments({ drafts, effect }: { drafts: Draft[]; effect?: { own: string[]; paid: string[] } | undefined }) {
  return (
    <ul class="review">
      {drafts.map((draft) => (
        <li key={draft.key}>
          {draft.kind === "data" ? (
            <>
              <span>{t.common.data}</span>
              <span class="review-where">“{draft.text}”</span>
            </>
          ) : (
            <>
              <TokenAmount cents={amountOf(draft) ?? 0n} token={draft.token} />
              <span class="review-where">
                {t.send.to(
                  <>
                    <Payee address={draft.address} />
                    {effect?.own.includes(draft.address) && <em class="tag">{t.history.yours}</em>}
                  </>,
                )}
              </span>
              {effect && isStrange(draft.address, effect) && <Warnings warnings={[t.send.firstToThisAddress]} />}
              {draft.lock !== "" && <LockedUntil time={secondsOf(draft.lock)} />}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether an address is neither noted nor the wallet's, nor was ever paid. */
const isStrange = (address: string, { own, paid }: { own: string[]; paid: string[] }): boolean =>
  !own.includes(address) && !paid.includes(address) && contactAt(address) === undefined;

function output(draft: Draft): SendTxRequest["outputs"][number] {
  return draft.kind === "data" ? { type: "data", data: draft.text } : payTo(draft);
}

function payTo(draft: PaymentDraft): Payment {
  const { address, token, lock } = draft;
  return { address, value: amountOf(draft) ?? 0n, token, timelock: lock === "" ? undefined : secondsOf(lock) };
}
