// Exchanging tokens with somebody else in one transaction: it takes place as a whole or not at all.
import type { PageProps } from "../../shell";
import { swap } from "../../state/swap";
import { OpenSwap } from "./OpenSwap";
import { newSide } from "./side";
import { SideForm } from "./SideForm";
import { TakeForm } from "./TakeForm";

export function Swap({ onOpen }: PageProps) {
  if (swap.value) return <OpenSwap swap={swap.value} onOpen={onOpen} />;
  return (
    <>
      <p class="quiet-text">
        You and somebody else exchange tokens in one transaction: it takes place as a whole or not at all, and nobody has to trust the other.
        One of you proposes, the other answers, both sign.
      </p>
      <section class="card" aria-labelledby="read-title">
        <h2 id="read-title">Read a proposal</h2>
        <TakeForm label="Proposal" hint="What somebody has sent you. Reading it changes nothing." />
      </section>
      <section class="card" aria-labelledby="propose-title">
        <h2 id="propose-title">Propose a swap</h2>
        <SideForm initial={newSide} question="Propose this swap?" verb="Propose" />
      </section>
    </>
  );
}
