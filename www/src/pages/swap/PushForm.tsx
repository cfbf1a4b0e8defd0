// Carrying a swap out, once everybody's signatures are there.
import { call } from "../../engine/client";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { ReviewButton } from "../../parts/ReviewButton";
import { ReviewDialog } from "../../parts/ReviewDialog";
import { useEngine } from "../../parts/useEngine";
import type { PageProps } from "../../shell";
import { useAct } from "../../state/act";
import { isUnfinished, type Swap } from "../../state/swap";
import type { SwapView } from "../../engine/api";
import { Exchange } from "./Exchange";
import { Swapped } from "./Swapped";

interface Props {
  swap: Swap;
  view: SwapView;
}

export function PushForm({ swap: { proposal, signatures }, view, onOpen }: PageProps & Props) {
  const checked = useEngine(async () => {
    await call("checkSwap", proposal, signatures);
    return signatures;
  }, [proposal, signatures]);
  const ready = checked.value === signatures && checked.error === undefined;
  const act = useAct(() => call("pushSwap", proposal, signatures));
  // Who takes no part in it has it in no history.
  if (act.stage === "done" && act.result) return <Swapped id={act.result} view={view} onOpen={onOpen} />;
  return (
    <form class="card" onSubmit={(event) => act.submit(event, ready)} noValidate>
      <h2>Carry it out</h2>
      <div role="status">
        {ready ? (
          <p>All signatures are there.</p>
        ) : (
          <p class="quiet-text">Signatures of others are missing. Add them when you have them, or let somebody else carry it out.</p>
        )}
      </div>
      {!isUnfinished(checked.error) && <ErrorMessage error={checked.error} />}
      {ready && (
        <div class="actions start">
          <ReviewButton />
        </div>
      )}
      <ReviewDialog act={act} title="Carry out this swap?" verb="Carry it out" back="Not yet">
        <Exchange effect={view.effect} />
        <p class="hint">A transaction can't be taken back.</p>
      </ReviewDialog>
    </form>
  );
}
