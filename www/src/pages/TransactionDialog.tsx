// One transaction in full.
import { call } from "../engine/client";
import type { ContractCall } from "../engine/api";
import { titleOf } from "../parts/ActivityList";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { Costs, isFree } from "../parts/Costs";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { NftPreview } from "../parts/NftPreview";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Parts } from "../parts/Parts";
import { CallFacts } from "./CallFacts";
import { useEngine } from "../parts/useEngine";
import { place } from "../state/place";
import { tokenOf } from "../state/wallet";
import { time } from "../text";

const EXPLORERS = {
  mainnet: "https://explorer.hathor.network/transaction/",
  testnet: "https://explorer.testnet.hathor.network/transaction/",
  privatenet: undefined,
};

export function TransactionDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { value, error } = useEngine(() => call("detail", id), [id]);
  const explorer = EXPLORERS[place.value.network];
  const { nft, name } = tokenOf(id);
  return (
    <Dialog wide title={value ? titleOf(value) : "Transaction"} onClose={onClose}>
      <ErrorMessage error={error} />
      {value && (
        <>
          {value.voided && <Voided call={value.call} />}
          {value.kind === "nft" && nft !== undefined && <NftPreview data={nft} name={name} />}
          <dl class="facts">
            <dt>When</dt>
            <dd>{time(value.time)}</dd>
            <dt>{value.voided ? "Would have changed" : "Changes"}</dt>
            <dd class="stacked">
              {value.changes.length === 0 && "Nothing, for this wallet"}
              {value.changes.map(({ token, amount }) => (
                <Amount key={token} cents={amount} token={token} signed />
              ))}
            </dd>
            {value.call && <CallFacts call={value.call} />}
            {value.kind === "swap" && <Partners addresses={value.to} />}
            {value.cost && !isFree(value.cost) && (
              <>
                <dt>Costs</dt>
                <dd class="stacked">
                  <Costs cost={value.cost} none="" />
                </dd>
              </>
            )}
            <dt>Identifier</dt>
            <dd class="mono with-copy">
              {id}
              <CopyButton text={id} what="Identifier" small />
            </dd>
          </dl>
          <div class="columns">
            <Parts title="Spends" parts={value.inputs} none={value.kind === "reward" ? "Nothing: a block makes new coins." : "Nothing."} />
            <Parts title="Makes" parts={value.outputs} none="Nothing." />
          </div>
          {explorer && (
            <div class="actions">
              <a class="button" href={explorer + id} target="_blank" rel="noopener noreferrer">
                <Icon name="external" />
                Look it up in the explorer
              </a>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

/** Who else has spent in a swap. */
function Partners({ addresses }: { addresses: string[] }) {
  return (
    <>
      <dt>With</dt>
      <dd class="stacked">
        {addresses.map((address) => (
          <span key={address} class="mono with-copy">
            {address}
            <CopyButton text={address} what="Address" small />
          </span>
        ))}
      </dd>
    </>
  );
}

function Voided({ call }: { call: ContractCall | undefined }) {
  const failed = call?.execution === "failure";
  return (
    <div class="error-message">
      <Icon name="alert" />
      <div>
        <strong>{failed ? "The call failed" : "This transaction is voided"}</strong>
        <p>
          {failed
            ? "Its block has it, but the contract did not carry it out. It moves nothing."
            : "Another one spent the same outputs first. It moves nothing."}
        </p>
      </div>
    </div>
  );
}
