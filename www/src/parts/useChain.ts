// Where a transaction is on the chain, followed for as long as that is shown.
import { useEffect, useState } from "preact/hooks";
import type { ChainFacts } from "../engine/api";
import { call } from "../engine/client";

const LOOK_AGAIN_MS = 3_000;

/** Nothing until the node has told it. A look that fails leaves what is known. */
export function useChain(id: string): ChainFacts | undefined {
  const [facts, setFacts] = useState<ChainFacts>();
  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
      // Nobody sees a hidden page: its next look comes soon enough after it is shown.
      const told = document.hidden ? undefined : await call("chainFacts", id).catch(() => undefined);
      if (!current) return;
      if (told) setFacts(told);
      timer = setTimeout(look, LOOK_AGAIN_MS);
    };
    setFacts(undefined);
    void look();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [id]);
  return facts;
}
