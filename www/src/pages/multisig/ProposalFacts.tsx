// What a proposal of a multisig wallet pays to whom, and what it costs.
import type { ComponentChildren } from "preact";
import type { ProposalView } from "../../engine/api";
import { Payee } from "../../parts/AddressText";
import { Amount } from "../../parts/Amount";
import { LockedUntil } from "../../parts/LockedUntil";
import { TokenAmount } from "../../parts/TokenAmount";
import { tokenOf } from "../../state/wallet";
import { clean } from "../../text";
import { t } from "../../words";

/** `children` are facts that stand below, in the same list. */
export function ProposalFacts({ view, done = false, children }: { view: ProposalView; done?: boolean; children?: ComponentChildren }) {
  return (
    <dl class="facts">
      <dt>{done ? t.multisig.paid : t.multisig.pays}</dt>
      <dd class="stacked">
        {view.pays.length === 0 && t.multisig.nobodyElse}
        {view.pays.map(({ token, amount, exact, authority, address, timelock }, at) => (
          // Outputs never move.
          <span key={at}>
            {authority ? t.multisig.aRightOf(<bdi>{clean(tokenOf(token).symbol)}</bdi>) : <TokenAmount cents={amount} exact={exact} token={token} />}{" "}
            {address !== undefined && (
              <span class="review-where">
                {t.send.to(<Payee address={address} />)}
              </span>
            )}
            {timelock !== undefined && <LockedUntil time={timelock} />}
          </span>
        ))}
      </dd>
      <dt>{t.common.networkFee}</dt>
      <dd class="stacked">
        {view.fees.length === 0 && t.history.none}
        {view.fees.map(({ token, amount }) => (
          <Amount key={token} cents={amount} token={token} />
        ))}
      </dd>
      <dt>{t.history.effect}</dt>
      <dd class="stacked">
        {view.effect.length === 0 && t.common.nothingInLine}
        {view.effect.map(({ token, amount, exact }) => (
          <Amount key={token} cents={amount} exact={exact} token={token} signed />
        ))}
      </dd>
      {children}
    </dl>
  );
}
