// It was carried out, by whomever.
import type { SwapView } from "../../engine/api";
import { Done } from "../../parts/Done";
import type { PageProps } from "../../shell";
import { swap } from "../../state/swap";
import { Exchange } from "./Exchange";
import { t } from "../../words";

export function Swapped({ id, view, onOpen }: PageProps & { id: string; view: SwapView }) {
  const again = (): void => {
    swap.value = undefined;
  };
  return (
    <Done title={t.common.swapped} id={id} onOpen={onOpen} again={t.swap.anotherSwap} onAgain={again}>
      <Exchange effect={view.effect} done />
    </Done>
  );
}
