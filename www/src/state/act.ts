// Sending something, as every form does it: it is looked at once more, then it goes, then it is there.
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { adviceOn, mayHaveSent } from "../advice";
import { notify } from "./notices";
import { t } from "../words";

/** How many sends are under way: a wallet that is locked meanwhile would leave them to chance. */
export const sending = signal(0);

export type Stage = "form" | "review" | "sending" | "done";

export interface Act<T> {
  stage: Stage;
  /** The form was sent off before: from then on it shows what is missing, too. */
  tried: boolean;
  result: T | undefined;
  error: unknown;
  /** The form is sent off: a sound one is looked over, any other goes to its first mistake. */
  submit(event: SubmitEvent, sound: boolean): void;
  back(): void;
  send(): Promise<void>;
  /** Lets the send go on by itself; a notice tells how it ends. */
  leave(): void;
  /** Begins anew. */
  again(): void;
}

/** `told` is said of one that was left to itself, once it is done. */
export function useAct<T>(run: () => Promise<T>, told = t.send.sentInTheBackgroundThe): Act<T> {
  const [stage, setStage] = useState<Stage>("form");
  const [tried, setTried] = useState(false);
  const [result, setResult] = useState<T>();
  const [error, setError] = useState<unknown>();
  /** The send that the form waits for; one that was left to itself is an earlier one, and a notice tells of its end. */
  const awaited = useRef(0);
  /** The form waits for a send: a second click of its button, which may be on its way already, is none. */
  const busy = useRef(false);
  const leave = (): void => {
    awaited.current += 1;
    busy.current = false;
  };
  useEffect(() => leave, []);
  return {
    stage,
    tried,
    result,
    error,
    submit(event, sound) {
      event.preventDefault();
      setTried(true);
      if (sound) {
        setError(undefined);
        setStage("review");
      } else {
        // Marked once the page is drawn anew.
        queueMicrotask(() => document.querySelector<HTMLElement>("main [aria-invalid=true]")?.focus());
      }
    },
    back() {
      setStage("form");
    },
    async send() {
      if (busy.current) return;
      busy.current = true;
      setError(undefined);
      setStage("sending");
      const mine = (awaited.current += 1);
      const isLeft = (): boolean => awaited.current !== mine;
      const askFirst = (event: Event): void => event.preventDefault();
      addEventListener("beforeunload", askFirst);
      sending.value += 1;
      try {
        const sent = await run();
        if (isLeft()) return void notify(told, "good");
        setResult(sent);
        setStage("done");
      } catch (problem) {
        const { title, todo } = adviceOn(problem);
        const outcome = mayHaveSent(problem) ? "" : t.send.theSendInTheBackground;
        if (isLeft()) return void notify(`${outcome}${title}. ${todo}`, "bad");
        setError(problem);
        setStage("review");
      } finally {
        if (!isLeft()) busy.current = false;
        sending.value -= 1;
        removeEventListener("beforeunload", askFirst);
      }
    },
    leave() {
      leave();
      setStage("form");
    },
    again() {
      setTried(false);
      setResult(undefined);
      setError(undefined);
      setStage("form");
    },
  };
}
