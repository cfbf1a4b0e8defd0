// The proposal under way: what it does, who has signed, and what can be done next.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProposalView } from "../../engine/api";
import { call } from "../../engine/client";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { Parts } from "../../parts/Parts";
import { PassOn } from "../../parts/PassOn";
import { TakeForm } from "../../parts/TakeForm";
import { useEngine } from "../../parts/useEngine";
import type { PageProps } from "../../shell";
import { giveUp, type Proposal, takeText, textOf } from "../../state/proposal";
import { learnNames, view as wallet } from "../../state/wallet";
import { t } from "../../words";
import { ProposalFacts } from "./ProposalFacts";
import { ProposalSent } from "./ProposalSent";
import { PushProposal } from "./PushProposal";
import { SignProposal } from "./SignProposal";
import { SigningFile } from "./SigningFile";

interface Props {
  proposal: Proposal;
}

export function OpenProposal({ proposal, onOpen }: PageProps & Props) {
  const { txHex, signatures, own } = proposal;
  const read = useEngine(async () => {
    const view = await call("readProposal", txHex);
    learnNames(view.names);
    return { view, txHex };
  }, [txHex]);
  if (read.value?.txHex !== txHex) return <ErrorMessage error={read.error} />;
  const { view } = read.value;
  if (view.carriedOut !== undefined) return <ProposalSent id={view.carriedOut} view={view} onOpen={onOpen} />;
  const needed = wallet.value?.multisig?.signatures ?? 1;
  const enough = signatures.length >= needed;
  return (
    <>
      <Summary view={view} signed={t.multisig.signedBy(signatures.length, needed)} />
      <ErrorMessage error={read.error} />
      {!view.isOurs && (
        <p class="problem" role="alert">
          {t.multisig.spendsOthers}
        </p>
      )}
      {view.isOurs && !enough && own === undefined && <SignProposal key={txHex} proposal={proposal} view={view} />}
      {view.isOurs && enough && <PushProposal key={txHex} proposal={proposal} view={view} onOpen={onOpen} />}
      <PassOn
        hint={enough ? t.multisig.anyCanSend : t.multisig.othersSign}
        label={t.multisig.proposalAsText}
        qrLabel={t.multisig.qrCodeOfProposal}
        whole={{ text: textOf(proposal), what: t.swap.proposal, label: signatures.length > 0 ? t.swap.copyAllOfIt : t.swap.copyTheProposal }}
        parts={[
          ...(signatures.length > 0 ? [{ text: txHex, what: t.swap.proposal, label: t.swap.copyTheProposalAlone }] : []),
          ...(own ? [{ text: own, what: t.swap.signatures, label: t.swap.copyYourSignaturesAlone }] : []),
        ]}
      />
      {view.isOurs && <SigningFile proposal={proposal} />}
      <section class="card" aria-labelledby="take-title">
        <h2 id="take-title">{t.multisig.signaturesOfOthers}</h2>
        <TakeForm key={txHex} label={t.swap.signatures} hint={t.multisig.whatOthersSent} placeholder="02…|0:…" files onText={takeText} />
      </section>
      <GiveUp proposal={proposal} />
    </>
  );
}

function Summary({ view, signed }: { view: ProposalView; signed: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card" aria-labelledby="proposal-title">
      <h2 id="proposal-title" ref={heading} tabIndex={-1}>
        {t.multisig.theProposal}
      </h2>
      <ProposalFacts view={view}>
        <dt>{t.multisig.signed}</dt>
        <dd>
          <span role="status">{signed}</span>
        </dd>
      </ProposalFacts>
      <details>
        <summary>{t.swap.everythingThatIsInIt}</summary>
        <div class="columns">
          <Parts title={t.common.inputs} parts={view.inputs} none={t.common.nothing} />
          <Parts title={t.common.outputs} parts={view.outputs} none={t.common.nothing} />
        </div>
      </details>
    </section>
  );
}

function GiveUp({ proposal }: Props) {
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!asking) {
    return (
      <div class="actions">
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {t.swap.giveItUp}
        </button>
      </div>
    );
  }
  return (
    <section class="card" aria-label={t.swap.giveItUpAsked}>
      <p>{proposal.signatures.length > 0 ? t.multisig.othersMayStillSend : t.multisig.itIsForgotten}</p>
      <ErrorMessage error={error} />
      <div class="actions">
        <button type="button" class="button" onClick={() => setAsking(false)}>
          {t.swap.keepIt}
        </button>
        <button type="button" class="button primary" onClick={() => void giveUp(proposal).catch(setError)}>
          {t.swap.giveItUp}
        </button>
      </div>
    </section>
  );
}
