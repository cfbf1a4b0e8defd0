// Exchanging tokens with somebody else in one transaction: it takes place as a whole or not at all.
import type { PageProps } from "../../shell";
import { NothingYet } from "../../parts/NothingYet";
import { TakeForm } from "../../parts/TakeForm";
import { Title } from "../../parts/Title";
import { swap, takeText } from "../../state/swap";
import { tokens } from "../../state/wallet";
import { OpenSwap } from "./OpenSwap";
import { newSide } from "./side";
import { SideForm } from "./SideForm";
import { t } from "../../words";

export function Swap({ onOpen }: PageProps) {
  return (
    <>
      <Title lead={swap.value ? undefined : t.swap.youAndSomebodyElseExchange}>{t.common.swap}</Title>
      {swap.value ? <OpenSwap swap={swap.value} onOpen={onOpen} /> : <Begin />}
    </>
  );
}

function Begin() {
  return (
    <>
      <section class="card" aria-labelledby="read-title">
        <h2 id="read-title">{t.swap.readAProposal}</h2>
        <TakeForm label={t.swap.proposal} hint={t.swap.whatSomebodyHasSentYou} placeholder="PartialTx|…" onText={takeText} />
      </section>
      <section class="card" aria-labelledby="propose-title">
        <h2 id="propose-title">{t.swap.proposeASwap}</h2>
        {tokens.value.every(({ available }) => available === 0n) && <NothingYet text={t.swap.nothingToGiveYet} />}
        <SideForm initial={newSide} question={t.swap.proposeThisSwap} verb={t.swap.propose} />
      </section>
    </>
  );
}
