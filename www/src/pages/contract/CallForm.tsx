// Calling a method of a contract: its arguments, what moves, and who calls; looked over with what it changes before it is sent.
import { HTR } from "headless-wallet/rules";
import type { ExecuteContractRequest } from "headless-wallet";
import { useState } from "preact/hooks";
import { call } from "../../engine/client";
import type { ContractView } from "../../engine/contract";
import { AddressField } from "../../parts/AddressField";
import { Amount } from "../../parts/Amount";
import { Costs } from "../../parts/Costs";
import { Done } from "../../parts/Done";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { Labelled, TextField } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { ReviewButton } from "../../parts/ReviewButton";
import { ReviewDialog } from "../../parts/ReviewDialog";
import { Select } from "../../parts/Select";
import { TokenAmount } from "../../parts/TokenAmount";
import { useEngine } from "../../parts/useEngine";
import type { PageProps } from "../../shell";
import { useAct } from "../../state/act";
import { view as wallet } from "../../state/wallet";
import { clean } from "../../text";
import { t } from "../../words";
import { ActionRow, type ActionDraft, amountOf, isSound } from "./ActionRow";
import { hintOf, readArgument } from "./args";

let lastKey = 0;

export function CallForm({ view, onOpen }: PageProps & { view: ContractView }) {
  const [chosen, setChosen] = useState(view.methods[0]?.name ?? "");
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [caller, setCaller] = useState(wallet.value?.address ?? "");
  const [callerProblem, setCallerProblem] = useState<string>();
  const [actions, setActions] = useState<ActionDraft[]>([]);
  const method = view.methods.find(({ name }) => name === chosen);
  const args = (method?.args ?? []).map((arg) => {
    const text = texts[`${chosen}.${arg.name}`] ?? "";
    return { ...arg, text, ...readArgument(arg.type, text) };
  });
  const request: ExecuteContractRequest = {
    ncId: view.id,
    method: chosen,
    address: caller,
    data: {
      args: args.map(({ value }) => value ?? null),
      // What comes out comes to who calls.
      actions: actions.map((action) => ({
        type: action.type,
        token: action.token,
        amount: amountOf(action) ?? 0n,
        address: action.type === "withdrawal" ? caller : undefined,
      })),
    },
  };
  const sound = method !== undefined && args.every(({ problem }) => problem === undefined) && callerProblem === undefined && actions.every(isSound);
  const act = useAct(() => call("callContract", request));
  const looking = act.stage === "review" || act.stage === "sending";
  const asked = useEngine(async () => (looking ? call("callEffect", request) : undefined), [looking]);
  const effect = looking ? asked.value : undefined;

  if (act.stage === "done" && act.result) {
    return (
      <Done title={t.contract.called} id={act.result} onOpen={onOpen} again={t.contract.callAgain} onAgain={act.again}>
        <p>{t.contract.itsBlockCarriesItOut}</p>
      </Done>
    );
  }
  return (
    <form class="card" onSubmit={(event) => act.submit(event, sound)} noValidate aria-labelledby="call-title">
      <h2 id="call-title">{t.contract.callAMethod}</h2>
      {view.methods.length === 0 && <p class="quiet-text">{t.contract.noMethods}</p>}
      <Labelled label={t.history.method}>
        {(control) => <Select control={control} value={chosen} options={view.methods.map(({ name }) => ({ value: name, label: clean(name) }))} onChange={setChosen} />}
      </Labelled>
      {args.map(({ name, type, text, problem }) => (
        <TextField
          key={`${chosen}.${name}`}
          label={clean(name)}
          hint={hintOf(type)}
          look="mono"
          value={text}
          onInput={(typed) => setTexts({ ...texts, [`${chosen}.${name}`]: typed })}
          problem={act.tried || text !== "" ? problem : undefined}
        />
      ))}
      {actions.map((action) => (
        <ActionRow
          key={action.key}
          draft={action}
          tried={act.tried}
          onChange={(to) => setActions(actions.map((old) => (old.key === action.key ? { ...old, ...to } : old)))}
          onRemove={() => setActions(actions.filter((old) => old.key !== action.key))}
        />
      ))}
      <div class="actions start">
        {(["deposit", "withdrawal"] as const).map((type) => (
          <button key={type} type="button" class="button" onClick={() => setActions([...actions, { key: ++lastKey, type, token: HTR.uid, amount: "" }])}>
            <Icon name="plus" />
            {type === "deposit" ? t.contract.bringIn : t.contract.takeOut}
          </button>
        ))}
      </div>
      <AddressField label={t.history.calledBy} hint={t.contract.yourAddressThatCalls} value={caller} tried={act.tried} onInput={setCaller} onChecked={setCallerProblem} />
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title={t.contract.callThis} verb={t.contract.call} ready={effect !== undefined}>
        <dl class="facts">
          <dt>{t.history.contract}</dt>
          <dd class="stacked">
            <bdi>{clean(view.blueprint.name)}</bdi>
            <span class="mono">{view.id}</span>
          </dd>
          <dt>{t.history.method}</dt>
          <dd>
            <bdi>{clean(chosen)}</bdi>
          </dd>
          {args.length > 0 && (
            <>
              <dt>{t.history.arguments}</dt>
              {/* Apart from what the wallet says: their names are the contract's. */}
              <dd class="stacked mono">
                {args.map(({ name, text }) => (
                  <span key={name}>
                    <bdi>{clean(name)}</bdi> = {text === "" ? t.history.none : <bdi>{clean(text)}</bdi>}
                  </span>
                ))}
              </dd>
            </>
          )}
          <dt>{t.history.moves}</dt>
          <dd class="stacked">
            {actions.length === 0 && t.common.nothingInLine}
            {actions.map((action) => (
              <span key={action.key}>
                <TokenAmount cents={amountOf(action) ?? 0n} token={action.token} /> {action.type === "deposit" ? t.history.intoTheContract : t.history.outOfTheContract}
              </span>
            ))}
          </dd>
          <dt>{t.history.calledBy}</dt>
          <dd class="mono">
            {caller} {effect && <em class="tag">{t.history.yours}</em>}
          </dd>
          <Costs cost={effect?.cost} />
          <dt>{t.history.effect}</dt>
          <dd class="stacked">
            {effect?.changes.length === 0 && t.common.nothingInLine}
            {effect?.changes.map(({ token, amount, exact }) => (
              <Amount key={token} cents={amount} exact={exact} token={token} signed />
            ))}
          </dd>
        </dl>
        <ErrorMessage error={looking && !effect ? asked.error : undefined} />
        <p class="hint">{t.contract.itMayFail}</p>
        <p class="hint">{t.common.aTransactionCantBeTaken}</p>
      </ReviewDialog>
    </form>
  );
}
