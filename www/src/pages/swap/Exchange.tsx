// What one gives and what one gets in a swap, in words.
import type { ComponentChildren } from "preact";
import type { SwapChange, SwapView } from "../../engine/api";
import { TokenAmount, TokenId } from "../../parts/TokenAmount";
import { tokenOf } from "../../state/wallet";
import { clean } from "../../text";
import { t } from "../../words";

/** `children` are facts that stand below, in the same list; what is `done` has been exchanged. */
export function Exchange({ effect, done = false, children }: Pick<SwapView, "effect"> & { done?: boolean; children?: ComponentChildren }) {
  return (
    <dl class="facts">
      <dt>{done ? t.swap.youGave : t.swap.youGive}</dt>
      <dd class="stacked exchanged">
        <Changes effect={effect} sign={-1n} />
      </dd>
      <dt>{done ? t.swap.youGot : t.swap.youGet}</dt>
      <dd class="stacked exchanged">
        <Changes effect={effect} sign={1n} />
      </dd>
      {children}
    </dl>
  );
}

/** With whom it is. */
export function Others({ view }: { view: SwapView }) {
  if (view.others.length === 0) return <>{t.swap.nobodyYet}</>;
  return (
    <>
      {view.others.map((address) => (
        <span key={address} class="mono">
          {address}
        </span>
      ))}
    </>
  );
}

function Changes({ effect, sign }: { effect: SwapChange[]; sign: bigint }) {
  const amounts = effect.filter(({ amount }) => amount * sign > 0n);
  const rights = effect.flatMap(({ token, rights }) =>
    (["mint", "melt"] as const).map((what) => ({ token, what, count: rights[what] * sign })).filter(({ count }) => count > 0n),
  );
  if (amounts.length + rights.length === 0) return <>{t.common.nothingInLine}</>;
  return (
    <>
      {amounts.map(({ token, amount }) => (
        <TokenAmount key={token} cents={amount * sign} token={token} />
      ))}
      {rights.map(({ token, what, count }) => (
        <span key={token + what}>
          {(what === "mint" ? t.swap.rightsToMint : t.swap.rightsToMelt)(Number(count), <bdi>{clean(tokenOf(token).symbol)}</bdi>)} <TokenId token={token} />
        </span>
      ))}
    </>
  );
}
