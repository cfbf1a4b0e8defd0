// It was carried out, by whomever.
import type { SwapView } from "../../engine/api";
import { Done } from "../../parts/Done";
import type { PageProps } from "../../shell";
import { swap } from "../../state/swap";
import { Exchange } from "./Exchange";

export function Swapped({ id, view, onOpen }: PageProps & { id: string; view: SwapView }) {
  const again = (): void => {
    swap.value = undefined;
  };
  return (
    <Done title="Swapped" id={id} onOpen={onOpen} again="Another swap" onAgain={again}>
      <Exchange effect={view.effect} />
    </Done>
  );
}
