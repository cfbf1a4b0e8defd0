// It was sent, by whomever.
import type { ProposalView } from "../../engine/api";
import { Done } from "../../parts/Done";
import type { PageProps } from "../../shell";
import { proposal } from "../../state/proposal";
import { t } from "../../words";
import { ProposalFacts } from "./ProposalFacts";

export function ProposalSent({ id, view, onOpen }: PageProps & { id: string; view: ProposalView }) {
  const again = (): void => {
    proposal.value = undefined;
  };
  return (
    <Done title={t.common.sent} id={id} onOpen={onOpen} again={t.multisig.anotherProposal} onAgain={again}>
      <ProposalFacts view={view} done />
    </Done>
  );
}
