// Signing a proposal: once more what it pays.
import type { ProposalView } from "../../engine/api";
import { ReviewButton } from "../../parts/ReviewButton";
import { ReviewDialog } from "../../parts/ReviewDialog";
import { Warnings } from "../../parts/Warnings";
import { warningsOf } from "../../state/acceptance";
import { useAct } from "../../state/act";
import { type Proposal, sign } from "../../state/proposal";
import { tokenOf } from "../../state/wallet";
import { t } from "../../words";
import { ProposalFacts } from "./ProposalFacts";

export function SignProposal({ proposal, view }: { proposal: Proposal; view: ProposalView }) {
  const act = useAct(() => sign(proposal), t.multisig.isSigned);
  const tokens = [...new Set(view.pays.map(({ token }) => token))];
  return (
    <form class="card" onSubmit={(event) => act.submit(event, true)} noValidate>
      <h2>{t.swap.signIt}</h2>
      <p class="quiet-text">{t.multisig.signIfAgreed}</p>
      <div class="actions start">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title={t.multisig.signThis} verb={t.common.sign} back={t.swap.notYet} doing="sign">
        <ProposalFacts view={view} />
        <Warnings warnings={[...new Set(tokens.flatMap((token) => warningsOf(tokenOf(token))))]} />
        <p class="hint">{t.multisig.whoeverHasEnough}</p>
      </ReviewDialog>
    </form>
  );
}
