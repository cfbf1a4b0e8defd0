// One transaction in full.
import { call } from "../engine/client";
import type { ChainFacts, ContractCall } from "../engine/api";
import { titleOf } from "../parts/ActivityList";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { Costs, isFree } from "../parts/Costs";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { NftPreview } from "../parts/NftPreview";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Parts } from "../parts/Parts";
import { CallFacts } from "./CallFacts";
import { useEngine } from "../parts/useEngine";
import { labelOf, setLabel } from "../state/book";
import { place } from "../state/place";
import { tokenOf } from "../state/wallet";
import { plural, shortId, time } from "../text";

const EXPLORERS = {
  mainnet: "https://explorer.hathor.network/transaction/",
  testnet: "https://explorer.testnet.hathor.network/transaction/",
  privatenet: undefined,
};

export function TransactionDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { value, error } = useEngine(async () => ({ detail: await call("detail", id) }), [id]);
  const chain = useEngine(() => call("chainFacts", id), [id]).value;
  const explorer = EXPLORERS[place.value.network];
  const { nft, name } = tokenOf(id);
  const detail = value?.detail;
  return (
    <Dialog wide title={detail ? titleOf(detail) : "Transaction"} onClose={onClose}>
      <ErrorMessage error={error} />
      {value && !detail && <p class="quiet-text">This wallet has no such transaction.</p>}
      {detail && (
        <>
          {detail.voided && <Voided call={detail.call} />}
          {detail.kind === "nft" && nft !== undefined && <NftPreview data={nft} name={name} />}
          <dl class="facts">
            <dt>When</dt>
            <dd>{time(detail.time)}</dd>
            <dt>{detail.voided ? "Would have changed" : "Effect"}</dt>
            <dd class="stacked">
              {detail.changes.length === 0 && "Nothing, for this wallet"}
              {detail.changes.map(({ token, amount }) => (
                <Amount key={token} cents={amount} token={token} signed />
              ))}
            </dd>
            {!detail.voided && chain && <ChainPlace chain={chain} />}
            {detail.call && <CallFacts call={detail.call} />}
            {detail.kind === "swap" && <Partners addresses={detail.to} />}
            {detail.cost && !isFree(detail.cost) && (
              <>
                <dt>Costs</dt>
                <dd class="stacked">
                  <Costs cost={detail.cost} none="" />
                </dd>
              </>
            )}
            <dt>Identifier</dt>
            <dd class="mono with-copy">
              {id}
              <CopyButton text={id} what="Identifier" small />
            </dd>
          </dl>
          <TextField
            label="Label"
            placeholder="What it was for"
            value={labelOf(id)}
            onInput={(text) => setLabel(id, text)}
          />
          <div class="columns transaction-parts">
            <Parts title="Spends" parts={detail.inputs} none={detail.kind === "reward" ? "Nothing: a block makes new coins." : "Nothing."} />
            <Parts title="Makes" parts={detail.outputs} none="Nothing." />
          </div>
          {chain?.raw && (
            <details>
              <summary>Raw bytes in hexadecimal</summary>
              <p class="mono with-copy raw">
                {chain.raw}
                <CopyButton text={chain.raw} what="Raw bytes" small />
              </p>
            </details>
          )}
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

/** How far the network has confirmed it. */
function ChainPlace({ chain: { confirmations, block, height } }: { chain: ChainFacts }) {
  return (
    <>
      <dt>Confirmed</dt>
      <dd class="stacked">
        {block === undefined && "Not yet: it waits for a block"}
        {block !== undefined && (
          <>
            <span class="with-copy">
              In block {height?.toLocaleString("en")} <span class="mono">{shortId(block)}</span>
              <CopyButton text={block} what="Block identifier" small />
            </span>
            {confirmations !== undefined && <span>{plural(confirmations, "block")} after it</span>}
          </>
        )}
      </dd>
    </>
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
