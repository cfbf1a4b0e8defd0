// What a transaction that participants of a multisig wallet are to sign means to the wallet, as the page shows it.
import type { TransactionEffect } from "headless-wallet";
import { HTR } from "headless-wallet/rules";
import type { ProposalView } from "./api";
import { effectOf, partOf } from "./swap";

export function proposalView(decoded: TransactionEffect, carriedOut: string | undefined): Omit<ProposalView, "names"> {
  const { inputs, outputs, fees = [] } = decoded.tx;
  return {
    effect: effectOf(decoded),
    pays: outputs.filter(({ mine }) => !mine).map(partOf),
    fees: fees.map(({ token = HTR.uid, amount }) => ({ token, amount })),
    inputs: inputs.map(partOf),
    outputs: outputs.map(partOf),
    isOurs: inputs.length > 0 && inputs.every(({ mine }) => mine),
    carriedOut,
  };
}
