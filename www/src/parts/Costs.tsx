// What a transaction costs in HTR, as a fact.
import type { Cost } from "headless-wallet";
import { HTR } from "headless-wallet/rules";
import { Amount } from "./Amount";
import { t } from "../words";

/** `cost` is missing while it is not known. Melting gives a deposit back: then it is no cost. */
export function Costs({ cost }: { cost: Cost | undefined }) {
  const parts: [what: string, cents: bigint][] = cost
    ? [
        [cost.deposit < 0n ? t.history.depositGivenBack : t.history.deposit, cost.deposit < 0n ? -cost.deposit : cost.deposit],
        [t.history.fee, cost.fee],
        [t.history.data, cost.data],
      ]
    : [];
  const paid = parts.filter(([, cents]) => cents !== 0n);
  const isFree = cost !== undefined && paid.length === 0;
  return (
    <>
      <dt>{isFree ? t.common.networkFee : t.common.cost}</dt>
      <dd class="stacked">
        {cost === undefined ? "…" : isFree && t.history.none}
        {paid.map(([what, cents]) => (
          <span key={what}>
            <Amount cents={cents} token={HTR.uid} /> ({what})
          </span>
        ))}
      </dd>
    </>
  );
}
