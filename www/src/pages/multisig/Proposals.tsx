// Proposals of a multisig wallet: reading one, or going on with the one that is open.
import { TakeForm } from "../../parts/TakeForm";
import type { PageProps } from "../../shell";
import { proposal, takeText } from "../../state/proposal";
import { linkTo } from "../../state/route";
import { t } from "../../words";
import { OpenProposal } from "./OpenProposal";

export function Proposals({ onOpen }: PageProps) {
  if (proposal.value) return <OpenProposal proposal={proposal.value} onOpen={onOpen} />;
  return (
    <>
      <p class="quiet-text">{t.multisig.howItGoes}</p>
      <section class="card" aria-labelledby="read-title">
        <h2 id="read-title">{t.swap.readAProposal}</h2>
        <TakeForm label={t.swap.proposal} hint={t.swap.whatSomebodyHasSentYou} placeholder="0001…" files onText={takeText} />
      </section>
      <p class="card-after">
        <a href={linkTo("send")}>{t.multisig.makeOne}</a>
      </p>
    </>
  );
}
