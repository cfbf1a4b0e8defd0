// What the full node knows of a contract, as the page shows it: what it holds, what its blueprint lets be called, and values that are asked for.
import type { Wallet } from "headless-wallet";

export interface ContractMethod {
  name: string;
  /** What it takes, in their order. */
  args: { name: string; type: string }[];
}

export interface ContractView {
  id: string;
  blueprint: { id: string; name: string };
  /** What it holds of tokens. */
  balances: { token: string; amount: bigint }[];
  /** Fields, and results of views such as `name(argument)`, with the type that the blueprint gives a field. The node shows no dict as a whole. */
  values: { name: string; value: string | undefined; type: string | undefined }[];
  /** What can be called; not what makes a contract. */
  methods: ContractMethod[];
}

const INITIALIZE = "initialize";
/** The node answers no more at once. */
const MOST_ASKED = 100;

type Json = Record<string, unknown>;

const entriesOf = (value: unknown): [string, Json][] => Object.entries((value ?? {}) as Record<string, Json>);

/** A value as text; amounts in it are as large as they are. */
const tell = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part));

/** `asked` are fields and views; the fields that the blueprint tells of are told in any case. */
export async function readContract(wallet: Wallet, nodeUrl: string, id: string, asked: string[]): Promise<ContractView> {
  const first = (await wallet.contractState({ id })) as Json;
  const blueprint = { id: String(first["blueprint_id"]), name: String(first["blueprint_name"] ?? "") };
  const told = await blueprintOf(nodeUrl, blueprint.id);
  const types = (told["attributes"] ?? {}) as Json;
  const fields = [...new Set([...Object.keys(types), ...asked.filter((one) => !one.includes("("))])];
  const calls = asked.filter((one) => one.includes("("));
  const state = (await wallet.contractState({ id, balances: ["__all__"], fields: fields.slice(0, MOST_ASKED), calls: calls.slice(0, MOST_ASKED) })) as Json;
  const values = [...entriesOf(state["fields"]), ...entriesOf(state["calls"])];
  return {
    id,
    blueprint,
    balances: entriesOf(state["balances"]).map(([token, { value }]) => ({ token, amount: BigInt(String(value)) })),
    values: inOrder(values, [...fields.slice(0, MOST_ASKED), ...calls.slice(0, MOST_ASKED)], asked).map(([name, of]) => ({
      name,
      value: "value" in of ? tell(of["value"]) : undefined,
      type: Object.hasOwn(types, name) ? String(types[name]) : undefined,
    })),
    methods: methodsOf(told),
  };
}

/** What the blueprint tells of first, then what was asked for, as it was; nothing else. */
function inOrder(values: [string, Json][], known: string[], asked: string[]): [string, Json][] {
  const told = new Map(values);
  const names = new Set([...known.filter((name) => !asked.includes(name)), ...asked]);
  return [...names].flatMap((name) => {
    const value = told.get(name);
    return value === undefined ? [] : [[name, value] satisfies [string, Json]];
  });
}

async function blueprintOf(nodeUrl: string, id: string): Promise<Json> {
  const url = new URL(`nano_contract/blueprint/info?blueprint_id=${encodeURIComponent(id)}`, nodeUrl);
  return (await (await fetch(url)).json()) as Json;
}

function methodsOf(told: Json): ContractMethod[] {
  return entriesOf(told["public_methods"])
    .filter(([name]) => name !== INITIALIZE)
    .map(([name, { args }]) => ({
      name,
      args: (Array.isArray(args) ? (args as Json[]) : []).map((arg) => ({ name: String(arg["name"]), type: String(arg["type"]) })),
    }));
}
