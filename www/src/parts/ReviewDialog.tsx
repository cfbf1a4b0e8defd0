// What is about to be sent, once more; then that it is being sent, or why it could not be.
import type { ComponentChildren } from "preact";
import { mayHaveSent } from "../advice";
import type { Act } from "../state/act";
import { goTo } from "../state/route";
import { NetworkChip } from "./Bar";
import { Dialog } from "./Dialog";
import { ErrorMessage } from "./ErrorMessage";
import { t } from "../words";

interface Props<T> {
  act: Act<T>;
  title: string;
  /** What the button says: "Send". */
  verb: string;
  /** Whether all is known and agreed to: nothing is sent before; true if left out. */
  ready?: boolean;
  /** It is likely to be a mistake. */
  danger?: boolean;
  /** What the button says that closes it: "Change", if there is something to be changed. */
  back?: string;
  /** What is done, and how long that takes. */
  working?: string;
  children: ComponentChildren;
}

export function ReviewDialog<T>({ act, title, verb, ready = true, danger = false, back = t.send.change, working = t.send.signingSolvingTheProofOf, children }: Props<T>) {
  if (act.stage !== "review" && act.stage !== "sending") return null;
  const sending = act.stage === "sending";
  const look = (): void => {
    act.back();
    goTo("history");
  };
  return (
    <Dialog title={title} onClose={sending ? act.leave : act.back}>
      <p class="review-network">
        {t.send.on(<NetworkChip />)}
      </p>
      {children}
      <ErrorMessage error={act.error} />
      <div role="status">
        {sending && (
          <div class="working">
            <progress aria-label={t.send.sending} />
            <p>{working}</p>
          </div>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button" autofocus onClick={sending ? act.leave : act.back}>
          {sending ? t.send.continueInTheBackground : back}
        </button>
        {mayHaveSent(act.error) ? (
          <button type="button" class="button primary" onClick={look}>{t.send.lookAtTheHistory}</button>
        ) : (
          <button type="button" class={danger ? "button danger" : "button primary"} disabled={sending || !ready} onClick={act.send}>
            {act.error === undefined ? verb : t.common.tryAgain}
          </button>
        )}
      </div>
    </Dialog>
  );
}
