// A contract: what it is and holds, and calling its methods.
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { call, EngineError } from "../../engine/client";
import type { Filter } from "../../engine/api";
import type { ContractView } from "../../engine/contract";
import { CopyButton } from "../../parts/CopyButton";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { Labelled, TextField } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { TokenAmount } from "../../parts/TokenAmount";
import { useEngine } from "../../parts/useEngine";
import type { PageProps } from "../../shell";
import { learnNames } from "../../state/wallet";
import { clean, shortId } from "../../text";
import { t } from "../../words";
import { CallForm } from "./CallForm";

const ID = /^[0-9a-f]{64}$/;

export function Contract({ id: wanted, onOpen }: PageProps & { id: string }) {
  const [typed, setTyped] = useState(wanted);
  const [asked, setAsked] = useState("");
  const id = typed.trim().toLowerCase();
  const isId = ID.test(id);
  const names = asked.split("\n").map((line) => line.trim()).filter(Boolean);
  const read = useEngine(async () => {
    if (!isId) return undefined;
    const view = await call("readContract", id, names);
    for (const { token } of view.balances) {
      const known = await call("names", token).catch(() => undefined);
      if (known) learnNames({ [token]: known });
    }
    return view;
  }, [id, names.join("\n")]);
  const view = read.value?.id === id ? read.value : undefined;
  const isUnknown = isId && read.error instanceof EngineError && read.error.code === "NOT_FOUND";
  const problem = isId ? isUnknown && t.contract.theFullNodeKnowsNo : typed !== "" && t.fields.anIdentifierHas64Digits;
  return (
    <>
      <section class="card" aria-label={t.history.contract}>
        <TextField
          label={t.history.contractIdentifier}
          look="mono"
          value={typed}
          onInput={setTyped}
          placeholder="00ab12cd…34ef56"
          hint={typed === "" ? t.contract.whoeverRunsIt : undefined}
          problem={problem || undefined}
        />
        {typed === "" && <Recent onChoose={setTyped} />}
        <ErrorMessage error={isId && !isUnknown ? read.error : undefined} />
        {view && <State view={view} />}
        {view && (
          <Labelled label={t.contract.askFor} hint={t.contract.askForHint}>
            {(control) => (
              <textarea
                {...control}
                class="mono"
                rows={2}
                spellcheck={false}
                autocapitalize="none"
                value={asked}
                onInput={(event) => setAsked(event.currentTarget.value)}
              />
            )}
          </Labelled>
        )}
      </section>
      {view && <CallForm key={view.id} view={view} onOpen={onOpen} />}
    </>
  );
}

const CALLS: Filter = { token: undefined, kind: "contracts", words: "", also: [] };
const LOOKED_THROUGH = 100;

/** The contracts that the wallet has called last. */
function Recent({ onChoose }: { onChoose(id: string): void }) {
  const { rows = [] } = useEngine(() => call("activities", CALLS, 0, LOOKED_THROUGH), []).value ?? {};
  const contracts = new Map(rows.flatMap(({ call }) => (call ? [[call.contract, call.blueprint] as const] : [])));
  return (
    <ul class="recent-contracts">
      {[...contracts].map(([id, blueprint]) => (
        <li key={id}>
          <button type="button" class="choice" onClick={() => onChoose(id)}>
            <Icon name="contract" />
            <span>
              {blueprint && <bdi>{clean(blueprint.name)}</bdi>} <small class="mono">{shortId(id)}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function State({ view: { blueprint, balances, values } }: { view: ContractView }) {
  return (
    <dl class="facts">
      <dt>{t.history.blueprint}</dt>
      <dd class="stacked">
        <bdi>{clean(blueprint.name)}</bdi>
        <span class="mono with-copy">
          {blueprint.id}
          <CopyButton text={blueprint.id} what={t.history.blueprintIdentifier} small />
        </span>
      </dd>
      <dt>{t.receive.holds}</dt>
      <dd class="stacked">
        {balances.length === 0 && t.common.nothingInLine}
        {balances.map(({ token, amount }) => (
          <TokenAmount key={token} cents={amount} token={token} />
        ))}
      </dd>
      {values.map(({ name, value, type }) => (
        <Fragment key={name}>
          <dt class="mono">
            <bdi>{clean(name)}</bdi>
          </dt>
          {value === undefined ? (
            <dd>{type === undefined ? t.contract.noSuchThing : t.contract.entriesAlone(<bdi class="mono">{clean(type)}</bdi>)}</dd>
          ) : (
            <dd class="mono">
              <bdi>{value}</bdi>
            </dd>
          )}
        </Fragment>
      ))}
    </dl>
  );
}
