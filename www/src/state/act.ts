// Sending something, as every form does it: it is looked at once more, then it goes, then it is there.
import { useRef, useState } from "preact/hooks";
import { adviceOn } from "../advice";
import { notify } from "./notices";

export type Stage = "form" | "review" | "sending" | "done";

export interface Act<T> {
  stage: Stage;
  result: T | undefined;
  error: unknown;
  review(): void;
  back(): void;
  send(): Promise<void>;
  /** Lets the send go on by itself; a notice tells how it ends. */
  leave(): void;
  /** Begins anew. */
  again(): void;
}

export function useAct<T>(run: () => Promise<T>): Act<T> {
  const [stage, setStage] = useState<Stage>("form");
  const [result, setResult] = useState<T>();
  const [error, setError] = useState<unknown>();
  const left = useRef(false);
  return {
    stage,
    result,
    error,
    review() {
      setError(undefined);
      setStage("review");
    },
    back() {
      setStage("form");
    },
    async send() {
      setError(undefined);
      setStage("sending");
      left.current = false;
      try {
        const sent = await run();
        if (left.current) return notify("What was left to itself is sent: the history has it.", "good");
        setResult(sent);
        setStage("done");
      } catch (problem) {
        const { title, todo } = adviceOn(problem);
        if (left.current) return notify(`What was left to itself was not sent. ${title}. ${todo}`, "bad");
        setError(problem);
        setStage("review");
      }
    },
    leave() {
      left.current = true;
      setStage("form");
    },
    again() {
      setResult(undefined);
      setError(undefined);
      setStage("form");
    },
  };
}
