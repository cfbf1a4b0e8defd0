// What is known of a call of a contract, as part of a list of facts.
import type { CallAction } from "headless-wallet";
import type { ContractCall } from "../engine/api";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { tokenOf } from "../state/wallet";
import { clean } from "../text";

const STATES: Record<ContractCall["execution"], string> = {
  pending: "waiting for its block, in which the contract carries it out",
  success: "carried out",
  failure: "failed",
  skipped: "not carried out",
};

/** How many there are comes first. */
const NO_ARGUMENTS = "00";

const ACTIONS: Record<string, string> = {
  deposit: "into the contract",
  withdrawal: "out of the contract",
  grant_authority: "to the contract",
  acquire_authority: "from the contract",
};

export function CallFacts({ call }: { call: ContractCall }) {
  const hasArguments = call.args !== "" && call.args !== NO_ARGUMENTS;
  return (
    <>
      <dt>State</dt>
      <dd>{STATES[call.execution]}</dd>
      <dt>Method</dt>
      <dd>
        <bdi>{clean(call.method)}</bdi>
      </dd>
      {call.actions.length > 0 && (
        <>
          <dt>{call.execution === "failure" || call.execution === "skipped" ? "Would have moved" : "Moves"}</dt>
          <dd class="stacked">
            {call.actions.map((action, at) => (
              // Actions never move.
              <span key={at}>
                <Moved action={action} /> {ACTIONS[action.type] ?? clean(action.type)}
              </span>
            ))}
          </dd>
        </>
      )}
      <dt>Contract</dt>
      <dd class="mono with-copy">
        {call.contract}
        <CopyButton text={call.contract} what="Contract identifier" small />
      </dd>
      {call.blueprint && (
        <>
          <dt>Blueprint</dt>
          <dd class="stacked">
            <bdi>{clean(call.blueprint.name)}</bdi>
            <span class="mono with-copy">
              {call.blueprint.id}
              <CopyButton text={call.blueprint.id} what="Blueprint identifier" small />
            </span>
          </dd>
        </>
      )}
      <dt>Called by</dt>
      <dd class="mono with-copy">
        {call.caller}
        {call.mine && <em class="tag">yours</em>}
        <CopyButton text={call.caller} what="Caller" small />
      </dd>
      <dt>Arguments</dt>
      {hasArguments ? (
        <dd class="stacked">
          <span class="quiet-text">Raw bytes in hexadecimal: the blueprint says what they mean.</span>
          <span class="mono with-copy">
            {call.args}
            <CopyButton text={call.args} what="Arguments" small />
          </span>
        </dd>
      ) : (
        <dd>none</dd>
      )}
    </>
  );
}

function Moved({ action: { amount, token_uid, mint, melt } }: { action: CallAction }) {
  if (amount !== undefined) return <Amount cents={amount} token={token_uid} />;
  const right = [mint && "mint", melt && "melt"].filter(Boolean).join(" and ");
  return (
    <>
      right to {right} <bdi>{clean(tokenOf(token_uid).symbol)}</bdi>
    </>
  );
}
