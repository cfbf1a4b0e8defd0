// Signing a swap: once more what it does, and what one must agree to.
import { useState } from "preact/hooks";
import type { SwapView } from "../../engine/api";
import { CheckField } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { ReviewButton } from "../../parts/ReviewButton";
import { ReviewDialog } from "../../parts/ReviewDialog";
import { useAct } from "../../state/act";
import { isChanged, sign, type Swap } from "../../state/swap";
import { isKnown, tokenOf } from "../../state/wallet";
import { clean } from "../../text";
import { Exchange, Others } from "./Exchange";
import { warningsOf } from "./warnings";
import { t } from "../../words";

export function SignForm({ swap, view }: { swap: Swap; view: SwapView }) {
  /** The warnings that were agreed to: others need another word. */
  const [agreedTo, setAgreedTo] = useState("");
  const [changed, setChanged] = useState(false);
  const act = useAct(async () => {
    try {
      await sign(swap, changed);
    } catch (error) {
      setChanged(changed || isChanged(error));
      throw error;
    }
  }, t.swap.theSwapIsSigned);
  const { title, todo } = t.advice.byCode.SWAP_CHANGED;
  const warnings = [...warningsOf(view), ...(changed ? [`${title}. ${todo}`] : [])];
  const agreed = agreedTo === warnings.join();
  const strange = view.effect.filter(({ token }) => !isKnown(token)).map(({ token }) => clean(tokenOf(token).symbol));
  return (
    <form class="card" onSubmit={(event) => act.submit(event, true)} noValidate>
      <h2>{t.swap.signIt}</h2>
      <p class="quiet-text">{t.swap.itIsCompleteLookAt}</p>
      <div class="actions start">
        <ReviewButton />
      </div>
      <ReviewDialog
        // That it was changed is a warning, to which one can agree.
        act={isChanged(act.error) ? { ...act, error: undefined } : act}
        title={t.swap.signThisSwap}
        verb={t.common.sign}
        back={t.swap.notYet}
        doing="sign"
        ready={warnings.length === 0 || agreed}
      >
        <Exchange effect={view.effect}>
          <dt>{t.common.withWhom}</dt>
          <dd class="stacked">
            <Others view={view} />
          </dd>
        </Exchange>
        {warnings.length > 0 && (
          <div class="error-message error-message-mild" role={changed ? "alert" : undefined}>
            <Icon name="alert" />
            <div>
              {warnings.map((warning) => (
                <p key={warning}>{warning}</p>
              ))}
              <CheckField label={t.swap.iWantItSo} checked={agreed} onChange={(yes) => setAgreedTo(yes ? warnings.join() : "")} />
            </div>
          </div>
        )}
        {strange.length > 0 && (
          <p class="hint">
            {t.swap.newTokens(<bdi>{strange.join(", ")}</bdi>)}
          </p>
        )}
        <p class="hint">{t.swap.whoeverHasAllSignaturesCan}</p>
      </ReviewDialog>
    </form>
  );
}
