// Sending a proposal, once as many have signed as must.
import type { ProposalView } from "../../engine/api";
import { call } from "../../engine/client";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { ReviewButton } from "../../parts/ReviewButton";
import { ReviewDialog } from "../../parts/ReviewDialog";
import { useEngine } from "../../parts/useEngine";
import type { PageProps } from "../../shell";
import { useAct } from "../../state/act";
import type { Proposal } from "../../state/proposal";
import { view as wallet } from "../../state/wallet";
import { t } from "../../words";
import { ProposalFacts } from "./ProposalFacts";
import { ProposalSent } from "./ProposalSent";

export function PushProposal({ proposal, view, onOpen }: PageProps & { proposal: Proposal; view: ProposalView }) {
  const { txHex } = proposal;
  // As many as must be, no more: the network counts them.
  const signatures = proposal.signatures.slice(0, wallet.value?.multisig?.signatures);
  const asked = signatures.join();
  const checked = useEngine(async () => {
    await call("checkProposal", txHex, signatures);
    return asked;
  }, [txHex, asked]);
  const ready = checked.value === asked && checked.error === undefined;
  const act = useAct(() => call("pushProposal", txHex, signatures));
  if (act.stage === "done" && act.result) return <ProposalSent id={act.result} view={view} onOpen={onOpen} />;
  return (
    <form class="card" onSubmit={(event) => act.submit(event, ready)} noValidate>
      <h2>{t.multisig.sendIt}</h2>
      {ready && <p role="status">{t.multisig.enoughHaveSigned}</p>}
      <ErrorMessage error={checked.error} />
      {ready && (
        <div class="actions start">
          <ReviewButton />
        </div>
      )}
      <ReviewDialog act={act} title={t.send.sendThis} verb={t.common.send} back={t.swap.notYet}>
        <ProposalFacts view={view} />
        <p class="hint">{t.common.aTransactionCantBeTaken}</p>
      </ReviewDialog>
    </form>
  );
}
