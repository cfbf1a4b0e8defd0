// Exchanging tokens with somebody else in one transaction: it takes place as a whole or not at all.
import type { PageProps } from "../../shell";
import { TakeForm } from "../../parts/TakeForm";
import { swap, takeText } from "../../state/swap";
import { OpenSwap } from "./OpenSwap";
import { newSide } from "./side";
import { SideForm } from "./SideForm";
import { t } from "../../words";

export function Swap({ onOpen }: PageProps) {
  if (swap.value) return <OpenSwap swap={swap.value} onOpen={onOpen} />;
  return (
    <>
      <p class="quiet-text">{t.swap.youAndSomebodyElseExchange}</p>
      <section class="card" aria-labelledby="read-title">
        <h2 id="read-title">{t.swap.readAProposal}</h2>
        <TakeForm label={t.swap.proposal} hint={t.swap.whatSomebodyHasSentYou} placeholder="PartialTx|…" onText={takeText} />
      </section>
      <section class="card" aria-labelledby="propose-title">
        <h2 id="propose-title">{t.swap.proposeASwap}</h2>
        <SideForm initial={newSide} question={t.swap.proposeThisSwap} verb={t.swap.propose} />
      </section>
    </>
  );
}
