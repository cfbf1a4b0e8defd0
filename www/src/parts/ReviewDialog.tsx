// What is about to be sent, once more; then that it is being sent, or why it could not be.
import type { ComponentChildren } from "preact";
import { mayHaveSent } from "../advice";
import type { Act } from "../state/act";
import { goTo } from "../state/route";
import { Dialog } from "./Dialog";
import { ErrorMessage } from "./ErrorMessage";

interface Props<T> {
  act: Act<T>;
  title: string;
  /** What the button says: "Send". */
  verb: string;
  /** Whether its cost is known: nothing is agreed to before; true if left out. */
  known?: boolean;
  children: ComponentChildren;
}

export function ReviewDialog<T>({ act, title, verb, known = true, children }: Props<T>) {
  if (act.stage !== "review" && act.stage !== "sending") return null;
  const sending = act.stage === "sending";
  const look = (): void => {
    act.back();
    goTo("history");
  };
  return (
    <Dialog title={title} onClose={sending ? act.leave : act.back}>
      {children}
      <ErrorMessage error={act.error} />
      <div role="status">
        {sending && (
          <div class="working">
            <progress aria-label="Sending" />
            <p>Signing, solving the proof of work, sending. That takes seconds, or minutes when the mining service is busy.</p>
          </div>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={sending ? act.leave : act.back}>
          {sending ? "Go on in the background" : "Change"}
        </button>
        {mayHaveSent(act.error) ? (
          <button type="button" class="button primary" onClick={look}>
            Look at the history
          </button>
        ) : (
          <button type="button" class="button primary" disabled={sending || !known} onClick={act.send}>
            {act.error === undefined ? verb : "Try again"}
          </button>
        )}
      </div>
    </Dialog>
  );
}
