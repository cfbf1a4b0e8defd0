// What is known of a call of a contract, as part of a list of facts.
import type { CallAction } from "headless-wallet";
import type { ContractCall } from "../engine/api";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { tokenOf } from "../state/wallet";
import { clean } from "../text";
import { t } from "../words";

const states = (): Record<ContractCall["execution"], string> => ({
  pending: t.history.waitingForItsBlockIn,
  success: t.history.carriedOut,
  failure: t.history.failed,
  skipped: t.history.notCarriedOut,
});

/** How many there are comes first. */
const NO_ARGUMENTS = "00";

const actions = (): Record<string, string> => ({
  deposit: t.history.intoTheContract,
  withdrawal: t.history.outOfTheContract,
  grant_authority: t.history.toTheContract,
  acquire_authority: t.history.fromTheContract,
});

export function CallFacts({ call }: { call: ContractCall }) {
  const hasArguments = call.args !== "" && call.args !== NO_ARGUMENTS;
  return (
    <>
      <dt>{t.history.state}</dt>
      <dd>{states()[call.execution]}</dd>
      <dt>{t.history.method}</dt>
      <dd>
        <bdi>{clean(call.method)}</bdi>
      </dd>
      {call.actions.length > 0 && (
        <>
          <dt>{call.execution === "failure" || call.execution === "skipped" ? t.history.wouldHaveMoved : t.history.moves}</dt>
          <dd class="stacked">
            {call.actions.map((action, at) => (
              // Actions never move.
              <span key={at}>
                <Moved action={action} /> {actions()[action.type] ?? clean(action.type)}
              </span>
            ))}
          </dd>
        </>
      )}
      <dt>{t.history.contract}</dt>
      <dd class="mono with-copy">
        {call.contract}
        <CopyButton text={call.contract} what={t.history.contractIdentifier} small />
      </dd>
      {call.blueprint && (
        <>
          <dt>{t.history.blueprint}</dt>
          <dd class="stacked">
            <bdi>{clean(call.blueprint.name)}</bdi>
            <span class="mono with-copy">
              {call.blueprint.id}
              <CopyButton text={call.blueprint.id} what={t.history.blueprintIdentifier} small />
            </span>
          </dd>
        </>
      )}
      <dt>{t.history.calledBy}</dt>
      <dd class="mono with-copy">
        {call.caller}
        {call.mine && <em class="tag">{t.history.yours}</em>}
        <CopyButton text={call.caller} what={t.history.caller} small />
      </dd>
      <dt>{t.history.arguments}</dt>
      {hasArguments ? (
        <dd class="stacked">
          <span class="quiet-text">{t.history.rawBytesInHexadecimalThe}</span>
          <span class="mono with-copy">
            {call.args}
            <CopyButton text={call.args} what={t.history.arguments} small />
          </span>
        </dd>
      ) : (
        <dd>{t.history.none}</dd>
      )}
    </>
  );
}

function Moved({ action: { amount, token_uid, mint, melt } }: { action: CallAction }) {
  if (amount !== undefined) return <Amount cents={amount} token={token_uid} />;
  const symbol = <bdi>{clean(tokenOf(token_uid).symbol)}</bdi>;
  const { rightToMintOf, rightToMeltOf, rightToBothOf } = t.history;
  return <>{(mint && melt ? rightToBothOf : mint ? rightToMintOf : rightToMeltOf)(symbol)}</>;
}
