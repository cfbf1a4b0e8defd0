// What is about to be sent, once more; then that it is being sent, or why it could not be.
import type { ComponentChildren } from "preact";
import { mayHaveSent } from "../advice";
import type { Act } from "../state/act";
import { goTo } from "../state/route";
import { NetworkChip } from "./Bar";
import { Dialog } from "./Dialog";
import { ErrorMessage } from "./ErrorMessage";
import { t } from "../words";

type Doing = "send" | "sign" | "propose";

/** How the title says that it is being done, and that it was not; and what is done meanwhile. */
const doings = (): Record<Doing, { now: string; failed: string; working: string }> => ({
  send: { now: t.send.sendingNow, failed: t.send.notSent, working: t.send.signingSolvingTheProofOf },
  sign: { now: t.swap.signingNow, failed: t.swap.notSigned, working: t.swap.signing },
  propose: { now: t.swap.makingTheProposalNow, failed: t.swap.notProposed, working: t.swap.makingTheProposal },
});

interface Props<T> {
  act: Act<T>;
  /** Asks whether to do it. */
  title: string;
  /** What the button says: "Send". */
  verb: string;
  /** Whether all is known and agreed to: nothing is sent before; true if left out. */
  ready?: boolean;
  /** It is likely to be a mistake. */
  danger?: boolean;
  /** What the button says that closes it: "Edit", if there is something to be changed. */
  back?: string;
  /** What is done with it; it is sent if left out. */
  doing?: Doing;
  children: ComponentChildren;
}

export function ReviewDialog<T>({ act, title, verb, ready = true, danger = false, back = t.send.edit, doing = "send", children }: Props<T>) {
  if (act.stage !== "review" && act.stage !== "sending") return null;
  const sending = act.stage === "sending";
  const { now, failed, working } = doings()[doing];
  const isOpen = mayHaveSent(act.error);
  const ended = isOpen ? t.send.notKnownWhetherSent : failed;
  const asked = act.error === undefined ? title : ended;
  const look = (): void => {
    act.back();
    goTo("history");
  };
  return (
    <Dialog title={sending ? now : asked} onClose={sending ? act.leave : act.back}>
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
          {sending ? t.send.continueInTheBackground : isOpen ? t.common.close : back}
        </button>
        {isOpen && <button type="button" class="button primary" onClick={look}>{t.send.lookAtTheHistory}</button>}
        {!sending && !isOpen && (
          <button type="button" class={danger ? "button danger" : "button primary"} disabled={!ready} onClick={act.send}>
            {act.error === undefined ? verb : t.common.tryAgain}
          </button>
        )}
      </div>
    </Dialog>
  );
}
