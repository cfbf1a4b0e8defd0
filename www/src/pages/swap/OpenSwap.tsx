// The swap under way: what it does, what is missing, and what can be done next.
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../engine/client";
import type { SwapView } from "../../engine/api";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { PassOn } from "../../parts/PassOn";
import { Parts } from "../../parts/Parts";
import { TakeForm } from "../../parts/TakeForm";
import { TokenAmount } from "../../parts/TokenAmount";
import { useEngine } from "../../parts/useEngine";
import type { PageProps } from "../../shell";
import { giveUp, type Swap, takeText, textOf } from "../../state/swap";
import { learnNames } from "../../state/wallet";
import { Exchange, Others } from "./Exchange";
import { PushForm } from "./PushForm";
import { newSide, sideFor } from "./side";
import { SideForm } from "./SideForm";
import { SignForm } from "./SignForm";
import { Swapped } from "./Swapped";
import { t } from "../../words";

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
      <Summary view={view} takesPart={takesPart} />
      <ErrorMessage error={read.error} />
      {!complete && !takesPart && (
        <section class="card" aria-labelledby="answer-title">
          <h2 id="answer-title">{t.swap.yourAnswer}</h2>
          <p class="quiet-text">{t.swap.thisIsWhatIsMissing}</p>
          <SideForm key={proposal} initial={() => sideFor(view.open)} {...adding()} />
        </section>
      )}
      {complete && mustSign && <SignForm key={proposal} swap={swap} view={view} />}
      {complete && !mustSign && <PushForm key={proposal} swap={swap} view={view} onOpen={onOpen} />}
      {takesPart && <PassOn {...passedOn(swap)} hint={hintOf(complete, own !== undefined)} />}
      {!complete && takesPart && (
        <details class="card">
          <summary>{t.swap.giveOrWantMore}</summary>
          <SideForm key={proposal} initial={newSide} {...adding()} />
        </details>
      )}
      <section class="card" aria-labelledby="take-title">
        <h2 id="take-title">{t.swap.whatTheOthersAnswer}</h2>
        <TakeForm key={proposal} label={t.swap.proposalOrSignatures} hint={t.swap.whatTheyHaveAddedSigned} placeholder="PartialTx|…" onText={takeText} />
      </section>
      <GiveUp swap={swap} />
    </>
  );
}

const adding = () => ({ question: t.swap.addThisToTheProposal, verb: t.swap.addIt });

const passedOn = (swap: Swap): Omit<Parameters<typeof PassOn>[0], "hint"> => ({
  label: t.swap.theSwapAsText,
  qrLabel: t.swap.qrCodeOfTheSwap,
  whole: {
    text: textOf(swap),
    what: t.common.swap,
    label: swap.signatures.length > 0 ? t.swap.copyAllOfIt : t.swap.copyTheProposal,
  },
  parts: [
    ...(swap.signatures.length > 0 ? [{ text: swap.proposal, what: t.swap.proposal, label: t.swap.copyTheProposalAlone }] : []),
    ...(swap.own ? [{ text: swap.own, what: t.swap.signatures, label: t.swap.copyYourSignaturesAlone }] : []),
  ],
});

function hintOf(complete: boolean, signed: boolean): string {
  if (!complete) return t.swap.whoeverTakesWhatYouGive;
  return signed ? t.swap.itHasYourSignaturesWhoever : t.swap.itIsCompleteTheOthers;
}

/** What is open is left to the others by who takes part, and asked of whoever only reads it. */
function Summary({ view, takesPart }: { view: SwapView; takesPart: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const missing = view.open.filter(({ amount }) => amount > 0n);
  const left = view.open.filter(({ amount }) => amount < 0n);
  return (
    <section class="card" aria-labelledby="swap-title">
      <h2 id="swap-title" ref={heading} tabIndex={-1}>{t.swap.theSwap}</h2>
      <Exchange effect={view.effect}>
        {missing.length > 0 && (
          <>
            <dt>{takesPart ? t.swap.othersStillGive : t.swap.youAreAskedFor}</dt>
            <dd class="stacked">
              {missing.map(({ token, amount }) => (
                <TokenAmount key={token} cents={amount} token={token} />
              ))}
            </dd>
          </>
        )}
        {left.length > 0 && (
          <>
            <dt>{takesPart ? t.swap.othersStillGet : t.swap.youAreOffered}</dt>
            <dd class="stacked">
              {left.map(({ token, amount }) => (
                <TokenAmount key={token} cents={-amount} token={token} />
              ))}
            </dd>
          </>
        )}
        <dt>{t.common.withWhom}</dt>
        <dd class="stacked">
          <Others view={view} />
        </dd>
      </Exchange>
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

function GiveUp({ swap }: { swap: Swap }) {
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!asking) {
    return (
      <div class="actions">
        <button type="button" class="button" onClick={() => setAsking(true)}>{t.swap.giveItUp}</button>
      </div>
    );
  }
  return (
    <section class="card" aria-label={t.swap.giveItUpAsked}>
      <p>
        {swap.own === undefined
          ? t.swap.whatYouGiveIsFree
          : t.swap.youHaveSignedItAnd}
      </p>
      <ErrorMessage error={error} />
      <div class="actions">
        <button type="button" class="button" onClick={() => setAsking(false)}>{t.swap.keepIt}</button>
        <button type="button" class="button primary" onClick={() => void giveUp(swap).catch(setError)}>{t.swap.giveItUp}</button>
      </div>
    </section>
  );
}
