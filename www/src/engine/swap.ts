// What a proposal of a swap means to the wallet, as the page shows it. The wallet has compared what it says of its inputs with the full node.
import type { HistoryTransaction, InputInWords, OutputInWords, TransactionEffect } from "headless-wallet";
import { sumOf } from "../exact";
import { authorityOf } from "./activity";
import type { SwapChange, SwapView, TransactionPart } from "./api";

const isNothing = ({ amount, exact, rights }: SwapChange): boolean => amount === 0n && exact === undefined && rights.mint === 0n && rights.melt === 0n;

/** What a transaction changes for the wallet, token by token. */
export function effectOf({ balance }: TransactionEffect): SwapChange[] {
  const effect = Object.entries(balance).map(([token, { tokens, authorities: { mint, melt } }]): SwapChange => {
    const { cents, exact } = sumOf({ cents: tokens.available, exact: tokens.available_str }, { cents: tokens.locked, exact: tokens.locked_str });
    return { token, amount: cents, exact, rights: { mint: mint.available + mint.locked, melt: melt.available + melt.locked } };
  });
  return effect.filter((change) => !isNothing(change));
}

export function swapView(decoded: TransactionEffect, carriedOut: string | undefined): Omit<SwapView, "names"> {
  const { tx } = decoded;
  const notMine = (parts: (InputInWords | OutputInWords)[]): string[] =>
    parts.filter(({ mine }) => !mine).map((part) => partOf(part).address).filter((address) => address !== undefined);
  const [givers, takers] = [notMine(tx.inputs), notMine(tx.outputs)];
  return {
    effect: effectOf(decoded),
    open: openAmounts(tx.inputs, tx.outputs),
    inputs: tx.inputs.map(partOf),
    outputs: tx.outputs.map(partOf),
    own: tx.inputs.filter(({ mine }) => mine).map(outpoint),
    others: [...new Set(givers.length > 0 ? givers : takers)],
    carriedOut,
  };
}

const outpoint = ({ txId, index }: InputInWords): string => `${txId}:${index}`;

/** Of each token what comes out less what goes in, where that is not nothing. Authorities are no amounts. */
function openAmounts(inputs: InputInWords[], outputs: OutputInWords[]): SwapView["open"] {
  const sums = new Map<string, bigint>();
  const count = (part: InputInWords | OutputInWords, sign: bigint): void => {
    if (part.token === undefined || authorityOf(part)) return;
    sums.set(part.token, (sums.get(part.token) ?? 0n) + sign * part.value);
  };
  outputs.forEach((output) => count(output, 1n));
  inputs.forEach((input) => count(input, -1n));
  return [...sums].filter(([, amount]) => amount !== 0n).map(([token, amount]) => ({ token, amount }));
}

export function partOf(part: InputInWords | OutputInWords): TransactionPart {
  const { decoded } = part;
  return {
    token: part.token ?? "",
    amount: part.value,
    exact: part.value_str,
    authority: authorityOf(part),
    address: "address" in decoded ? decoded.address : undefined,
    data: undefined,
    timelock: "timelock" in decoded ? (decoded.timelock ?? undefined) : undefined,
    whose: part.mine ? "yours" : undefined,
    spentBy: undefined,
  };
}

/** The transaction of a history that carried a proposal out: it spends just what the proposal does. */
export function carriedOutBy(history: HistoryTransaction[], { tx }: TransactionEffect): string | undefined {
  // Without inputs, it would be like every block.
  if (tx.inputs.length === 0) return undefined;
  const spends = tx.inputs.map(outpoint).sort().join();
  const found = history.find(({ is_voided, inputs }) => {
    if (is_voided || inputs.length !== tx.inputs.length) return false;
    return inputs.map(({ tx_id, index }) => `${tx_id}:${index}`).sort().join() === spends;
  });
  return found?.tx_id;
}
