// What a transaction costs in HTR, as lines of a fact.
import type { Cost } from "headless-wallet";
import { HTR } from "headless-wallet/rules";
import { Amount } from "./Amount";
import { t } from "../words";

/** Melting gives a deposit back: then it is no cost. */
export function Costs({ cost, none }: { cost: Cost; none: string }) {
  const parts: [what: string, cents: bigint][] = [
    [cost.deposit < 0n ? t.history.depositGivenBack : t.history.deposit, cost.deposit < 0n ? -cost.deposit : cost.deposit],
    [t.history.fee, cost.fee],
    [t.history.data, cost.data],
  ];
  const paid = parts.filter(([, cents]) => cents !== 0n);
  if (paid.length === 0) return <>{none}</>;
  return (
    <>
      {paid.map(([what, cents]) => (
        <span key={what}>
          <Amount cents={cents} token={HTR.uid} /> ({what})
        </span>
      ))}
    </>
  );
}
