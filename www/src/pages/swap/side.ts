// One's own side of a swap while it is typed: what is given, and what is wanted for it.
import type { ProposeSwapRequest } from "headless-wallet";
import type { SwapView } from "../../engine/api";
import { editAmount, formatAmount, parseAmount } from "../../money";
import { tokenOf } from "../../state/wallet";
import { clean } from "../../text";
import { t } from "../../words";

export interface Row {
  key: number;
  /** Its uid; empty while none is chosen. */
  token: string;
  amount: string;
}

export interface Side {
  gives: Row[];
  gets: Row[];
}

let lastKey = 0;
export const newRow = (token = "", amount = ""): Row => ({ key: ++lastKey, token, amount });

const decimalsOf = (token: string): 0 | 2 => (tokenOf(token).nft === undefined ? 2 : 0);

/** Of a new proposal nothing is known. */
export const newSide = (): Side => ({ gives: [newRow()], gets: [newRow()] });

/** Gives what a proposal lacks and takes what it has left over. */
export function sideFor(open: SwapView["open"]): Side {
  const row = ({ token, amount }: SwapView["open"][number]): Row =>
    newRow(token, editAmount(amount < 0n ? -amount : amount, decimalsOf(token)));
  return {
    gives: open.filter(({ amount }) => amount > 0n).map(row),
    gets: open.filter(({ amount }) => amount < 0n).map(row),
  };
}

export const amountOf = ({ token, amount }: Row): bigint | undefined => parseAmount(amount, decimalsOf(token)).amount;

/** What is wrong with giving so much, beyond the number itself. */
export function givingProblem(row: Row): string | undefined {
  if (row.token === "") return undefined;
  const amount = amountOf(row);
  const { available, symbol } = tokenOf(row.token);
  if (amount === undefined || amount <= available) return undefined;
  return t.swap.thatIsMoreThanThere(formatAmount(available, decimalsOf(row.token)), clean(symbol));
}

export function isSound({ gives, gets }: Side): boolean {
  const rows = [...gives, ...gets];
  const whole = rows.every((row) => row.token !== "" && amountOf(row) !== undefined);
  return rows.length > 0 && whole && gives.every((row) => givingProblem(row) === undefined);
}

/** As the wallet takes it. */
export function request({ gives, gets }: Side): Pick<ProposeSwapRequest, "send" | "receive"> {
  const amounts = (rows: Row[]) =>
    rows.length === 0 ? undefined : { tokens: rows.map((row) => ({ token: row.token, value: amountOf(row) ?? 0n })) };
  return { send: amounts(gives), receive: amounts(gets) };
}
