// What somebody should know before signing a swap, and must agree to.
import type { SwapChange, SwapView } from "../../engine/api";
import { time } from "../../text";
import { t } from "../../words";

const takes = ({ amount, rights }: SwapChange): boolean => amount < 0n || rights.mint < 0n || rights.melt < 0n;
const brings = ({ amount, rights }: SwapChange): boolean => amount > 0n || rights.mint > 0n || rights.melt > 0n;

export function warningsOf({ effect, outputs }: SwapView): string[] {
  const warnings: string[] = [];
  if (effect.some(takes) && !effect.some(brings)) warnings.push(t.swap.youGetNothingForWhat);
  if (effect.some(({ rights }) => rights.mint < 0n || rights.melt < 0n)) {
    warnings.push(t.swap.youGiveARightAway);
  }
  const locks = outputs.filter(({ whose }) => whose).map(({ timelock }) => timelock ?? 0);
  const last = Math.max(0, ...locks);
  if (last * 1_000 > Date.now()) warnings.push(t.swap.someOfWhatYouGet(time(last)));
  return warnings;
}
