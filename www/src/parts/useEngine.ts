// What the worker says, asked again whenever the wallet changes.
import { useEffect, useState } from "preact/hooks";
import { view } from "../state/wallet";

interface Asked<T> {
  value: T | undefined;
  error: unknown;
}

/** `ask` is called again when the wallet or one of `inputs` changes; the last answer stands meanwhile. */
export function useEngine<T>(ask: () => Promise<T>, inputs: unknown[]): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ value: undefined, error: undefined });
  useEffect(() => {
    let current = true;
    ask().then(
      (value) => current && setAsked({ value, error: undefined }),
      (error: unknown) => current && setAsked((last) => ({ value: last.value, error })),
    );
    return () => {
      current = false;
    };
  }, [view.value, ...inputs]);
  return asked;
}
