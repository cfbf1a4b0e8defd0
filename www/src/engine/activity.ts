// What a transaction means to the wallet.
import type { HistoryAmount, HistoryInput, HistoryOutput, HistoryTransaction } from "headless-wallet";
import type { Activity, Detail, Kind, Piece } from "./api";
import { dataOf, isAuthority, nftData, payee } from "./ledger";

type Mine = (piece: HistoryAmount) => boolean;
type Sums = Map<string, bigint>;

const BLOCKS = new Set([0, 3, 5]);

/** Outputs less inputs, token by token. Authorities are no amounts: a token of which only they moved has 0. */
function sums(tx: HistoryTransaction, counts: Mine): Sums {
  const sums: Sums = new Map();
  const add = (piece: HistoryAmount, sign: bigint): void => {
    if (!counts(piece)) return;
    const amount = isAuthority(piece) ? 0n : piece.value;
    sums.set(piece.token, (sums.get(piece.token) ?? 0n) + sign * amount);
  };
  tx.outputs.forEach((output) => add(output, 1n));
  tx.inputs.forEach((input) => add(input, -1n));
  return sums;
}

/** What came into the wallet, less what went out. */
export function change(tx: HistoryTransaction, mine: Mine, token: string): bigint {
  return sums(tx, mine).get(token) ?? 0n;
}

export function describe(tx: HistoryTransaction, mine: Mine): Activity {
  const net = sums(tx, mine);
  const others = tx.outputs.filter((output) => payee(output) !== undefined && !mine(output));
  return {
    id: tx.tx_id,
    time: tx.timestamp,
    kind: kind(tx, mine, others.length > 0),
    voided: tx.is_voided,
    changes: [...net]
      .filter(([, amount]) => amount !== 0n)
      // HTR last: beside other tokens it is the deposit or the price of data.
      .sort(([a], [b]) => Number(a === "00") - Number(b === "00"))
      .map(([token, amount]) => ({ token, amount })),
    to: [...new Set(others.map((output) => payee(output) ?? ""))],
    data: tx.outputs.map(dataOf).filter((data) => data !== undefined),
  };
}

function kind(tx: HistoryTransaction, mine: Mine, paysOthers: boolean): Kind {
  if (BLOCKS.has(tx.version)) return "reward";
  if (!tx.inputs.some(mine)) return "received";
  if (tx.version === 2) return nftData(tx) === undefined ? "created" : "nft";
  const whole = [...sums(tx, () => true)].filter(([token]) => token !== "00");
  if (whole.some(([, amount]) => amount < 0n)) return "melted";
  if (whole.some(([, amount]) => amount > 0n)) return "minted";
  if (paysOthers) return "sent";
  return tx.outputs.some((output) => dataOf(output) !== undefined) ? "data" : "moved";
}

export function detail(tx: HistoryTransaction, mine: Mine): Detail {
  const piece = (of: HistoryInput | HistoryOutput): Piece => ({
    token: of.token,
    amount: of.value,
    authority: isAuthority(of) ? authority(of.value) : undefined,
    address: payee(of),
    data: dataOf(of),
    timelock: "timelock" in of.decoded ? (of.decoded.timelock ?? undefined) : undefined,
    mine: mine(of),
    spentBy: "spent_by" in of ? (of.spent_by ?? undefined) : undefined,
  });
  return { ...describe(tx, mine), inputs: tx.inputs.map(piece), outputs: tx.outputs.map(piece) };
}

function authority(bits: bigint): "mint" | "melt" | "both" {
  if (bits === 1n) return "mint";
  return bits === 2n ? "melt" : "both";
}
