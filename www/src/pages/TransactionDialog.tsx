// One transaction in full.
import { call } from "../engine/client";
import type { ChainFacts, ContractCall, Detail } from "../engine/api";
import { titleOf } from "../parts/ActivityList";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { Costs } from "../parts/Costs";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { NftPreview } from "../parts/NftPreview";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Parts } from "../parts/Parts";
import { CallFacts } from "./CallFacts";
import { useChain } from "../parts/useChain";
import { useEngine } from "../parts/useEngine";
import { labelOf, setLabel } from "../state/book";
import { place } from "../state/place";
import { linkTo } from "../state/route";
import { isWatchOnly, multisig, tokenOf } from "../state/wallet";
import { shortId, time } from "../text";
import { t } from "../words";
import { writeNumber } from "../words/formats";

const EXPLORERS = {
  mainnet: "https://explorer.hathor.network/transaction/",
  testnet: "https://explorer.testnet.hathor.network/transaction/",
  privatenet: undefined,
};

export function TransactionDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { value, error } = useEngine(async () => ({ detail: await call("detail", id) }), [id]);
  const chain = useChain(id);
  const explorer = EXPLORERS[place.value.network];
  const { nft, name } = tokenOf(id);
  const detail = value?.detail;
  return (
    <Dialog wide title={detail ? titleOf(detail) : t.history.transaction} onClose={onClose}>
      <ErrorMessage error={error} />
      {value && !detail && <p class="quiet-text">{t.history.thisWalletHasNoSuch}</p>}
      {detail && (
        <>
          {detail.voided && <Voided call={detail.call} />}
          {detail.kind === "nft" && nft !== undefined && <NftPreview data={nft} name={name} />}
          <dl class="facts">
            <dt>{t.history.when}</dt>
            <dd>{time(detail.time)}</dd>
            <dt>{detail.voided ? t.history.wouldHaveChanged : t.history.effect}</dt>
            <dd class={detail.voided ? "stacked unreal" : "stacked"}>
              {detail.changes.length === 0 && t.history.nothingForThisWallet}
              {detail.changes.map(({ token, amount, exact }) => (
                <Amount key={token} cents={amount} exact={exact} token={token} signed />
              ))}
            </dd>
            {chain && (!detail.voided || detail.call?.execution === "failure") && <ChainPlace chain={chain} counts={!detail.voided} />}
            {detail.call && <CallFacts call={detail.call} />}
            {detail.kind === "swap" && <Partners addresses={detail.to} />}
            {detail.cost && isOwn(detail) && <Costs cost={detail.cost} />}
            <dt>{t.common.identifier}</dt>
            <dd class="mono with-copy">
              {id}
              <CopyButton text={id} what={t.common.identifier} small />
            </dd>
          </dl>
          <TextField
            label={t.common.label}
            placeholder={t.history.whatItWasFor}
            value={labelOf(id)}
            onInput={(text) => setLabel(id, text)}
          />
          <div class="columns transaction-parts">
            <Parts title={t.common.inputs} parts={detail.inputs} none={detail.kind === "reward" ? t.history.nothingABlockMakesNew : t.common.nothing} />
            <Parts title={t.common.outputs} parts={detail.outputs} none={t.common.nothing} />
          </div>
          {chain?.raw && (
            <details>
              <summary>{t.history.rawBytesInHexadecimal}</summary>
              <p class="mono with-copy raw">
                {chain.raw}
                <CopyButton text={chain.raw} what={t.history.rawBytes} small />
              </p>
            </details>
          )}
          <div class="actions">
            {detail.call && !isWatchOnly.value && !multisig.value && (
              <a class="button" href={linkTo("tools", `contract:${detail.call.contract}`)}>
                <Icon name="contract" />
                {t.contract.lookAtIt}
              </a>
            )}
            {explorer && (
              <a class="button" href={explorer + id} target="_blank" rel="noopener noreferrer">
                <Icon name="external" />
                {t.history.lookItUpInThe}
              </a>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}

/** Whether the wallet spends something in it: what comes in is paid for by others. */
const isOwn = ({ inputs }: Detail): boolean => inputs.some(({ whose }) => whose === "yours");

/** How far the network has confirmed it, if what is in it `counts`; and its block. */
function ChainPlace({ chain: { confirmations, block, height }, counts }: { chain: ChainFacts; counts: boolean }) {
  return (
    <>
      <dt>{counts ? t.history.confirmations : t.history.block}</dt>
      <dd class="stacked">
        {block === undefined && t.history.noneYetItWaitsFor}
        {block !== undefined && (
          <>
            {counts && <span>{confirmations === 0 ? t.history.noneYetItsBlockIs : writeNumber(confirmations)}</span>}
            <span class="with-copy">
              {t.history.inBlock(height === undefined ? "" : writeNumber(height), <span class="mono">{shortId(block)}</span>)}
              <CopyButton text={block} what={t.history.blockIdentifier} small />
            </span>
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
      <dt>{t.common.withWhom}</dt>
      <dd class="stacked">
        {addresses.map((address) => (
          <span key={address} class="mono with-copy">
            {address}
            <CopyButton text={address} what={t.common.address} small />
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
        <strong>{failed ? t.history.theCallFailed : t.history.thisTransactionIsVoided}</strong>
        <p>
          {failed
            ? t.history.itsBlockHasItBut
            : t.history.theLedgerDoesNotCountIt}
        </p>
      </div>
    </div>
  );
}
