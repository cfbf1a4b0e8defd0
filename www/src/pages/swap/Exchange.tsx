// What one gives and what one gets in a swap, in words.
import type { ComponentChildren } from "preact";
import type { SwapChange, SwapView } from "../../engine/api";
import { TokenAmount, TokenId } from "../../parts/TokenAmount";
import { tokenOf } from "../../state/wallet";
import { clean, plural } from "../../text";

/** `children` are facts that stand below, in the same list. */
export function Exchange({ effect, children }: Pick<SwapView, "effect"> & { children?: ComponentChildren }) {
  return (
    <dl class="facts">
      <dt>You give</dt>
      <dd class="stacked exchanged">
        <Changes effect={effect} sign={-1n} />
      </dd>
      <dt>You get</dt>
      <dd class="stacked exchanged">
        <Changes effect={effect} sign={1n} />
      </dd>
      {children}
    </dl>
  );
}

/** With whom it is. */
export function Others({ view }: { view: SwapView }) {
  if (view.others.length === 0) return <>nobody yet</>;
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
  if (amounts.length + rights.length === 0) return <>nothing</>;
  return (
    <>
      {amounts.map(({ token, amount }) => (
        <TokenAmount key={token} cents={amount * sign} token={token} />
      ))}
      {rights.map(({ token, what, count }) => (
        <span key={token + what}>
          {plural(Number(count), "right")} to {what} <bdi>{clean(tokenOf(token).symbol)}</bdi> <TokenId token={token} />
        </span>
      ))}
    </>
  );
}
