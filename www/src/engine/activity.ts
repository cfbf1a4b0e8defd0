// What a transaction means to the wallet, as the page shows it: the wallet says what it did.
import type { HistoryAmount, HistoryInput, HistoryOutput, HistoryTransaction, WalletEffect } from "headless-wallet";
import { AUTHORITY, HTR } from "headless-wallet/rules";
import type { Activity, Detail, Kind, TransactionPart } from "./api";


/** Whom a script pays. */
export function payee({ decoded }: HistoryAmount): string | undefined {
  return "address" in decoded ? decoded.address : undefined;
}

/** The text that a script keeps on the ledger. */
export function dataOf({ decoded }: HistoryAmount): string | undefined {
  return "data" in decoded ? decoded.data : undefined;
}

/** What others do is to the wallet what comes in by it. */
function kindOf({ direction, kind }: WalletEffect): Kind {
  if (kind === "reward") return kind;
  if (direction === "received") return direction;
  if (kind !== "payment") return kind;
  return direction === "sent" ? "sent" : "moved";
}

export function describe(tx: HistoryTransaction): Activity {
  const { net, ownOutputs } = tx.effect;
  const others = tx.outputs.filter((_, place) => !ownOutputs.includes(place)).map(payee);
  return {
    id: tx.tx_id,
    time: tx.timestamp,
    kind: kindOf(tx.effect),
    voided: tx.is_voided,
    changes: Object.entries(net)
      .filter(([, amount]) => amount !== 0n)
      // HTR last: beside other tokens it is the deposit or the price of data.
      .sort(([a], [b]) => Number(a === HTR.uid) - Number(b === HTR.uid))
      .map(([token, amount]) => ({ token, amount })),
    to: [...new Set(others.filter((address) => address !== undefined))],
    data: tx.outputs.map(dataOf).filter((data) => data !== undefined),
  };
}

export function detail(tx: HistoryTransaction): Detail {
  const { cost, ownInputs, ownOutputs, changeOutputs } = tx.effect;
  const part = (of: HistoryInput | HistoryOutput, whose: TransactionPart["whose"]): TransactionPart => ({
    token: of.token,
    amount: of.value,
    authority: authority(of),
    address: payee(of),
    data: dataOf(of),
    timelock: "timelock" in of.decoded ? (of.decoded.timelock ?? undefined) : undefined,
    whose,
    spentBy: "spent_by" in of ? (of.spent_by ?? undefined) : undefined,
  });
  const whoseOutput = (place: number): TransactionPart["whose"] =>
    changeOutputs.includes(place) ? "change" : ownOutputs.includes(place) ? "yours" : undefined;
  return {
    ...describe(tx),
    cost: cost ?? undefined,
    inputs: tx.inputs.map((input, place) => part(input, ownInputs.includes(place) ? "yours" : undefined)),
    outputs: tx.outputs.map((output, place) => part(output, whoseOutput(place))),
  };
}

function authority({ token_data, value }: HistoryAmount): TransactionPart["authority"] {
  if (!(token_data & AUTHORITY.tokenData)) return undefined;
  if (value === AUTHORITY.mint) return "mint";
  return value === AUTHORITY.melt ? "melt" : "both";
}
