// The swap under way: what it does, what is missing, and what can be done next.
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../engine/client";
import type { SwapView } from "../../engine/api";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { Parts } from "../../parts/Parts";
import { TokenAmount } from "../../parts/TokenAmount";
import { useEngine } from "../../parts/useEngine";
import type { PageProps } from "../../shell";
import { giveUp, type Swap } from "../../state/swap";
import { learnNames } from "../../state/wallet";
import { Exchange, Others } from "./Exchange";
import { PassOn } from "./PassOn";
import { PushForm } from "./PushForm";
import { newSide, sideFor } from "./side";
import { SideForm } from "./SideForm";
import { SignForm } from "./SignForm";
import { Swapped } from "./Swapped";
import { TakeForm } from "./TakeForm";

export function OpenSwap({ swap, onOpen }: PageProps & { swap: Swap }) {
  const { proposal, own } = swap;
  const read = useEngine(async () => {
    const view = await call("readSwap", proposal);
    learnNames(view.names);
    return { view, proposal };
  }, [proposal]);
  if (read.value?.proposal !== proposal) return <ErrorMessage error={read.error} />;
  const { view } = read.value;
  if (view.carriedOut !== undefined) return <Swapped id={view.carriedOut} view={view} onOpen={onOpen} />;
  const complete = view.open.length === 0;
  const takesPart = view.own.length > 0 || view.outputs.some(({ whose }) => whose);
  const mustSign = view.own.length > 0 && own === undefined;
  return (
    <>
      <Summary view={view} />
      <ErrorMessage error={read.error} />
      {!complete && !takesPart && (
        <section class="card" aria-labelledby="answer-title">
          <h2 id="answer-title">Your answer</h2>
          <p class="quiet-text">This is what is missing. Add it, or a part of it, and pass the proposal on.</p>
          <SideForm key={proposal} initial={() => sideFor(view.open)} {...ADDING} />
        </section>
      )}
      {complete && mustSign && <SignForm key={proposal} swap={swap} view={view} />}
      {complete && !mustSign && <PushForm key={proposal} swap={swap} view={view} onOpen={onOpen} />}
      {takesPart && <PassOn swap={swap} hint={hintOf(complete, own !== undefined)} />}
      {!complete && takesPart && (
        <details class="card">
          <summary>Give or want more</summary>
          <SideForm key={proposal} initial={newSide} {...ADDING} />
        </details>
      )}
      <section class="card" aria-labelledby="take-title">
        <h2 id="take-title">What the others answer</h2>
        <TakeForm key={proposal} label="Proposal or signatures" hint="What they have added, signed, or both." />
      </section>
      <GiveUp swap={swap} />
    </>
  );
}

const ADDING = { question: "Add this to the proposal?", verb: "Add it" };

function hintOf(complete: boolean, signed: boolean): string {
  if (!complete) return "Whoever takes what you give, and gives what you want, adds that to it and passes it back.";
  return signed ? "It has your signatures: whoever has those of all others can carry it out." : "It is complete: the others can sign it.";
}

function Summary({ view }: { view: SwapView }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const missing = view.open.filter(({ amount }) => amount > 0n);
  const left = view.open.filter(({ amount }) => amount < 0n);
  return (
    <section class="card" aria-labelledby="swap-title">
      <h2 id="swap-title" ref={heading} tabIndex={-1}>
        The swap
      </h2>
      <Exchange effect={view.effect}>
        {missing.length > 0 && (
          <>
            <dt>Still to give</dt>
            <dd class="stacked">
              {missing.map(({ token, amount }) => (
                <TokenAmount key={token} cents={amount} token={token} />
              ))}
            </dd>
          </>
        )}
        {left.length > 0 && (
          <>
            <dt>Still to take</dt>
            <dd class="stacked">
              {left.map(({ token, amount }) => (
                <TokenAmount key={token} cents={-amount} token={token} />
              ))}
            </dd>
          </>
        )}
        <dt>With</dt>
        <dd class="stacked">
          <Others view={view} />
        </dd>
      </Exchange>
      <details>
        <summary>Everything that is in it</summary>
        <div class="columns">
          <Parts title="Spends" parts={view.inputs} none="Nothing." />
          <Parts title="Makes" parts={view.outputs} none="Nothing." />
        </div>
      </details>
    </section>
  );
}

function GiveUp({ swap }: { swap: Swap }) {
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!asking) {
    return (
      <div class="actions">
        <button type="button" class="button" onClick={() => setAsking(true)}>
          Give it up
        </button>
      </div>
    );
  }
  return (
    <section class="card" aria-label="Give it up?">
      <p>
        {swap.own === undefined
          ? "What you give is free again for other things."
          : "You have signed it, and the others may have your signatures: until you spend otherwise what you give, they can carry it out."}
      </p>
      <ErrorMessage error={error} />
      <div class="actions">
        <button type="button" class="button" onClick={() => setAsking(false)}>
          Keep it
        </button>
        <button type="button" class="button primary" onClick={() => void giveUp(swap).catch(setError)}>
          Give it up
        </button>
      </div>
    </section>
  );
}
