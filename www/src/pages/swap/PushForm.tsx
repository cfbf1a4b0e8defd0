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
import { t } from "../../words";

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
      <h2>{t.swap.carryItOut}</h2>
      <div role="status">
        {ready ? (
          <p>{t.swap.allSignaturesAreThere}</p>
        ) : (
          <p class="quiet-text">{t.swap.signaturesOfOthersAreMissing}</p>
        )}
      </div>
      {!isUnfinished(checked.error) && <ErrorMessage error={checked.error} />}
      {ready && (
        <div class="actions start">
          <ReviewButton />
        </div>
      )}
      <ReviewDialog act={act} title={t.swap.carryOutThisSwap} verb={t.swap.carryItOut} back={t.swap.notYet}>
        <Exchange effect={view.effect} />
        <p class="hint">{t.common.aTransactionCantBeTaken}</p>
      </ReviewDialog>
    </form>
  );
}
