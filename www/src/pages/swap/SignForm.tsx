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
  }, "The swap is signed.");
  const warnings = [...warningsOf(view), ...(changed ? ["The wallet has not put all of this in since it was opened."] : [])];
  const agreed = agreedTo === warnings.join();
  const strange = view.effect.filter(({ token }) => !isKnown(token)).map(({ token }) => clean(tokenOf(token).symbol));
  return (
    <form class="card" onSubmit={(event) => act.submit(event, true)} noValidate>
      <h2>Sign it</h2>
      <p class="quiet-text">It is complete. Look at what you give and get; if that is what you agreed on, sign.</p>
      <div class="actions start">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title="Sign this swap?" verb="Sign" back="Not yet" working="Signing." ready={warnings.length === 0 || agreed}>
        <Exchange effect={view.effect}>
          <dt>With</dt>
          <dd class="stacked">
            <Others view={view} />
          </dd>
        </Exchange>
        {warnings.length > 0 && (
          <div class="error-message error-message-mild">
            <Icon name="alert" />
            <div>
              {warnings.map((warning) => (
                <p key={warning}>{warning}</p>
              ))}
              <CheckField label="I want it so" checked={agreed} onChange={(yes) => setAgreedTo(yes ? warnings.join() : "")} />
            </div>
          </div>
        )}
        {strange.length > 0 && (
          <p class="hint">
            New to this wallet: <bdi>{strange.join(", ")}</bdi>. Names are not unique: compare the identifier with what you agreed on.
          </p>
        )}
        <p class="hint">Whoever has all signatures can carry it out, at any time, until you spend otherwise what you give.</p>
      </ReviewDialog>
    </form>
  );
}
