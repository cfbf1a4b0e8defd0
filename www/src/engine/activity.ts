// What a transaction means to the wallet, as the page shows it: the wallet says what it did.
import type { HistoryAmount, HistoryInput, HistoryOutput, HistoryTransaction, Wallet, WalletEffect } from "headless-wallet";
import { AUTHORITY, HTR } from "headless-wallet/rules";
import type { Activity, ContractCall, Detail, Filter, Kind, KindGroup, TransactionPart } from "./api";
import { type Blueprint, blueprints, Lookup } from "./names";

/** Whom a script pays. */
export function payee({ decoded }: HistoryAmount): string | undefined {
  return "address" in decoded ? decoded.address : undefined;
}

/** The text that a script keeps on the ledger. */
export function dataOf({ decoded }: HistoryAmount): string | undefined {
  return "data" in decoded ? decoded.data : undefined;
}

/** What others do is to the wallet what comes in by it. Calls and blueprints may spend and pay nothing. */
function kindOf({ direction, kind }: WalletEffect): Kind {
  if (kind === "reward" || kind === "call" || kind === "blueprint") return kind;
  if (direction === "received") return direction;
  if (kind !== "payment") return kind;
  return direction === "sent" ? "sent" : "moved";
}

const GROUPS: Record<Kind, KindGroup> = {
  received: "received",
  reward: "received",
  sent: "sent",
  moved: "moved",
  swap: "swap",
  call: "contracts",
  blueprint: "contracts",
  creation: "tokens",
  nft: "tokens",
  mint: "tokens",
  melt: "tokens",
  data: "data",
};

/** Whether a filter leaves a transaction, as far as it asks for more than a token. */
export function matches(tx: HistoryTransaction, { kind, words, also }: Filter): boolean {
  if (kind !== undefined && GROUPS[kindOf(tx.effect)] !== kind) return false;
  if (words === "") return true;
  const parts: HistoryAmount[] = [...tx.inputs, ...tx.outputs];
  const texts = [tx.tx_id, tx.nc_id, tx.token_name, tx.token_symbol, ...parts.flatMap((part) => [payee(part), dataOf(part)])];
  return texts.some((text) => text !== undefined && (text.toLowerCase().includes(words) || also.includes(text)));
}

/** Describes transactions, with what the history alone does not tell of them. */
export class Describer {
  readonly #blueprints: Lookup<Blueprint>;
  readonly #isMine: Lookup<boolean>;
  readonly #whenFound: () => void;

  /** `whenFound` is called when there is more to tell. */
  constructor(wallet: Wallet, whenFound: () => void) {
    this.#blueprints = blueprints(wallet);
    this.#isMine = new Lookup(async (address) => (await wallet.addressIndex(address)) !== undefined);
    this.#whenFound = whenFound;
  }

  async describe(tx: HistoryTransaction): Promise<Activity> {
    return { ...describe(tx), call: await this.#call(tx) };
  }

  async detail(tx: HistoryTransaction): Promise<Detail> {
    return { ...(await this.describe(tx)), ...partsOf(tx) };
  }

  async #call(tx: HistoryTransaction): Promise<ContractCall | undefined> {
    const { nc_id: contract, nc_execution: execution, nc_context: context } = tx;
    if (contract === undefined || execution === undefined || context === undefined) return undefined;
    // A contract that this very call makes is there once it is executed.
    const exists = contract !== tx.tx_id || execution === "success";
    return {
      contract,
      execution,
      method: tx.nc_method ?? "",
      blueprint: exists ? this.#blueprints.find(contract, this.#whenFound) : undefined,
      caller: context.address,
      mine: (await this.#isMine.get(context.address)) ?? false,
      actions: context.actions,
      args: tx.nc_args ?? "",
    };
  }
}

function describe(tx: HistoryTransaction): Omit<Activity, "call"> {
  const { kind, ownInputs, ownOutputs } = tx.effect;
  const [parts, own] = kind === "swap" ? [tx.inputs, ownInputs] : [tx.outputs, ownOutputs];
  const others = parts.filter((_, place) => !own.includes(place)).map(payee);
  return {
    id: tx.tx_id,
    time: tx.timestamp,
    kind: kindOf(tx.effect),
    voided: tx.is_voided,
    changes: changesOf(tx),
    to: [...new Set(others.filter((address) => address !== undefined))],
    data: tx.outputs.map(dataOf).filter((data) => data !== undefined),
    cost: tx.effect.cost ?? undefined,
  };
}

export function changesOf({ effect: { net, net_str: exact = {} } }: HistoryTransaction): Activity["changes"] {
  return (
    Object.entries(net)
      .filter(([token, amount]) => amount !== 0n || token in exact)
      // HTR last: beside other tokens it is the deposit or the price of data.
      .sort(([a], [b]) => Number(a === HTR.uid) - Number(b === HTR.uid))
      .map(([token, amount]) => ({ token, amount, exact: exact[token] }))
  );
}

function partsOf(tx: HistoryTransaction): Omit<Detail, keyof Activity> {
  const { ownInputs, ownOutputs, changeOutputs } = tx.effect;
  const part = (of: HistoryInput | HistoryOutput, whose: TransactionPart["whose"]): TransactionPart => ({
    token: of.token,
    amount: of.value,
    exact: of.value_str,
    authority: authorityOf(of),
    address: payee(of),
    data: dataOf(of),
    timelock: "timelock" in of.decoded ? (of.decoded.timelock ?? undefined) : undefined,
    whose,
    spentBy: "spent_by" in of ? (of.spent_by ?? undefined) : undefined,
  });
  const whoseOutput = (place: number): TransactionPart["whose"] =>
    changeOutputs.includes(place) ? "change" : ownOutputs.includes(place) ? "yours" : undefined;
  return {
    inputs: tx.inputs.map((input, place) => part(input, ownInputs.includes(place) ? "yours" : undefined)),
    outputs: tx.outputs.map((output, place) => part(output, whoseOutput(place))),
  };
}

/** Which rights an input or output is about, if it is no amount. */
export function authorityOf({ token_data, value }: Pick<HistoryAmount, "token_data" | "value">): TransactionPart["authority"] {
  if (!(token_data & AUTHORITY.tokenData)) return undefined;
  if (value === AUTHORITY.mint) return "mint";
  return value === AUTHORITY.melt ? "melt" : "both";
}
