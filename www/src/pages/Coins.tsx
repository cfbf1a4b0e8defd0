// The unspent outputs that the balances are made of, with the filters of the interface.
import type { UtxosRequest } from "headless-wallet";
import { HTR, limits } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { parseAmount } from "../money";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { CheckField, TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { Title } from "../parts/Title";
import { TokenField } from "../parts/TokenField";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { tokenOf } from "../state/wallet";
import { plural, shortId } from "../text";

interface Typed {
  token: string;
  address: string;
  bigger: string;
  smaller: string;
  total: string;
  count: string;
  onlyAvailable: boolean;
}

const NO_FILTER: Typed = { token: HTR.uid, address: "", bigger: "", smaller: "", total: "", count: "", onlyAvailable: false };

/** The filters that are numbers. */
const BOUNDS = [
  { name: "bigger", label: "More than", inputMode: "decimal", placeholder: "any" },
  { name: "smaller", label: "Less than", inputMode: "decimal", placeholder: "any" },
  { name: "total", label: "At most, in all", inputMode: "decimal", placeholder: "no limit" },
  { name: "count", label: "At most so many", inputMode: "numeric", placeholder: String(limits.inputs) },
] as const;

type Bound = (typeof BOUNDS)[number]["name"];
type Problems = Partial<Record<Bound, string>>;

/** What is typed as the wallet takes it, and what is wrong with it. */
function read(typed: Typed): { filter: UtxosRequest; problems: Problems } {
  const problems: Problems = {};
  const decimals = tokenOf(typed.token).nft === undefined ? 2 : 0;
  const amount = (name: Exclude<Bound, "count">): bigint | undefined => {
    if (typed[name].trim() === "") return undefined;
    const parsed = parseAmount(typed[name], decimals);
    if (parsed.problem !== undefined) problems[name] = parsed.problem;
    return parsed.amount;
  };
  let count: number | undefined;
  if (typed.count.trim() !== "") {
    count = /^\d{1,3}$/.test(typed.count.trim()) ? Number(typed.count) : NaN;
    if (!(count >= 1 && count <= limits.inputs)) {
      problems.count = `Enter a number from 1 to ${limits.inputs}.`;
      count = undefined;
    }
  }
  const filter: UtxosRequest = {
    token: typed.token,
    filterAddress: typed.address.trim() || undefined,
    amountBiggerThan: amount("bigger"),
    amountSmallerThan: amount("smaller"),
    maximumAmount: amount("total"),
    maxUtxos: count,
    onlyAvailableUtxos: typed.onlyAvailable,
  };
  return { filter, problems };
}

export function Coins({ onOpen }: PageProps) {
  const [typed, setTyped] = useState(NO_FILTER);
  const change = (to: Partial<Typed>): void => setTyped({ ...typed, ...to });
  const { filter, problems } = read(typed);
  const sound = Object.keys(problems).length === 0;
  const found = useEngine(() => call("utxos", filter), [sound ? JSON.stringify(typed) : ""]);
  const list = found.value;
  const active = JSON.stringify({ ...typed, token: NO_FILTER.token }) !== JSON.stringify(NO_FILTER);

  return (
    <>
      <Title lead="Balances are made of unspent outputs. Each is spent as a whole; what is too much comes back as change.">Coins</Title>
      <section class="card" aria-labelledby="filters-title">
        <header class="card-head">
          <h2 id="filters-title">Filters</h2>
          <button type="button" class="button quiet" disabled={!active} onClick={() => setTyped({ ...NO_FILTER, token: typed.token })}>
            Clear
          </button>
        </header>
        <div class="filters">
          <TokenField label="Token" value={typed.token} onInput={(token) => change({ token })} />
          <TextField label="At address" look="mono" placeholder="any" value={typed.address} onInput={(address) => change({ address })} />
          {BOUNDS.map(({ name, ...look }) => (
            <TextField key={name} {...look} value={typed[name]} onInput={(text) => change({ [name]: text })} problem={problems[name]} />
          ))}
        </div>
        <CheckField label="Leave out what is locked" checked={typed.onlyAvailable} onChange={(onlyAvailable) => change({ onlyAvailable })} />
      </section>
      <section class="card" aria-labelledby="coins-title">
        <header class="card-head">
          <h2 id="coins-title" aria-live="polite">
            {list ? plural(list.utxos.length, "output") : "Outputs"}
          </h2>
          {list && (
            <p class="totals" data-testid="totals">
              <Amount cents={list.total_amount_available} token={typed.token} />
              {list.total_utxos_locked > 0 && (
                <>
                  {" and "}
                  <Amount cents={list.total_amount_locked} token={typed.token} /> locked
                </>
              )}
            </p>
          )}
        </header>
        <ErrorMessage error={found.error} />
        {list && list.utxos.length === (filter.maxUtxos ?? limits.inputs) && <p class="hint">There may be more: so many are shown at most.</p>}
        {list?.utxos.length === 0 && <p class="quiet-text">{active ? "None matches. Clear a filter to see more." : "There are none of this token."}</p>}
        {list && list.utxos.length > 0 && (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th class="number">Amount</th>
                  <th>Address</th>
                  <th>Transaction</th>
                  <th class="number">Output</th>
                  <th>
                    <span class="visually-hidden">State</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.utxos.map(({ tx_id, index, address, amount, locked }) => (
                  <tr key={`${tx_id}:${index}`}>
                    <td class="number">
                      <Amount cents={amount} token={typed.token} />
                    </td>
                    <td class="mono">{address}</td>
                    <td class="mono with-copy">
                      <button type="button" class="link" onClick={() => onOpen(tx_id)}>
                        {shortId(tx_id)}
                      </button>
                      <CopyButton text={tx_id} what="Transaction identifier" small />
                    </td>
                    <td class="number">{index}</td>
                    <td>
                      {locked && (
                        <em class="tag tag-quiet">
                          <Icon name="lock" /> locked
                        </em>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </>
  );
}
