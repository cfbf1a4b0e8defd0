// The unspent outputs that the balances are made of, with the filters of the interface.
import type { UtxosRequest } from "headless-wallet";
import { HTR, limits } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { adviceOn } from "../advice";
import { call } from "../engine/client";
import { parseAmount } from "../money";
import { AddressField } from "../parts/AddressField";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { CheckField, TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { Title } from "../parts/Title";
import { TokenField } from "../parts/TokenField";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { book, freeze, thaw } from "../state/book";
import { notify } from "../state/notices";
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
  { name: "total", label: "Total up to", inputMode: "decimal", placeholder: "no limit" },
  { name: "count", label: "Limit", inputMode: "numeric", placeholder: String(limits.inputs) },
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
  const [checked, setChecked] = useState<{ address: string; problem: string | undefined }>({ address: "", problem: undefined });
  const addressSound = typed.address === "" || (checked.address === typed.address && checked.problem === undefined);
  const sound = Object.keys(problems).length === 0 && addressSound;
  const found = useEngine(async () => (sound ? call("utxos", filter) : undefined), [sound ? JSON.stringify(typed) : ""]);
  // What is listed is what matches, or nothing.
  const list = sound ? found.value : undefined;
  const { token: _, ...others } = typed;
  const count = Object.values(others).filter((one) => one !== "" && one !== false).length;

  return (
    <>
      <Title lead="Balances are made of unspent outputs. Each is spent as a whole; what is too much comes back as change. What you freeze is not spent until you free it.">UTXOs</Title>
      <section class="card" aria-label="Filters">
        <TokenField label="Token" value={typed.token} onInput={(token) => change({ token })} />
        <details>
          <summary>{count === 0 ? "Filters" : `Filters (${count})`}</summary>
          <AddressField
            label="At address"
            value={typed.address}
            tried={false}
            optional
            onInput={(address) => change({ address })}
            onChecked={(problem) => setChecked({ address: typed.address, problem })}
          />
          <div class="filters">
            {BOUNDS.map(({ name, ...look }) => (
              <TextField key={name} {...look} value={typed[name]} onInput={(text) => change({ [name]: text })} problem={problems[name]} />
            ))}
          </div>
          <CheckField label="Leave out what is locked" checked={typed.onlyAvailable} onChange={(onlyAvailable) => change({ onlyAvailable })} />
          <div class="actions start">
            <button type="button" class="button" disabled={count === 0} onClick={() => setTyped({ ...NO_FILTER, token: typed.token })}>
              Clear
            </button>
          </div>
        </details>
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
        <ErrorMessage error={sound ? found.error : undefined} />
        {list && list.utxos.length === (filter.maxUtxos ?? limits.inputs) && <p class="hint">There may be more: so many are shown at most.</p>}
        {list?.utxos.length === 0 && <p class="quiet-text">{count > 0 ? "None matches. Clear a filter to see more." : "There are none of this token."}</p>}
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
                    <td class="utxo-state">
                      <FreezeButton id={tx_id} index={index} />
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

function FreezeButton({ id, index }: { id: string; index: number }) {
  const outpoint = `${id}:${index}`;
  const isFrozen = outpoint in book.value.frozen;
  const toggle = (): void => {
    (isFrozen ? thaw(outpoint) : freeze(id, index)).catch((error: unknown) => {
      const { title, todo } = adviceOn(error);
      notify(`${title}. ${todo}`, "bad");
    });
  };
  const verb = isFrozen ? "Unfreeze" : "Freeze";
  return (
    <>
      <button type="button" class="button small" aria-label={`${verb} output ${index} of ${shortId(id)}`} onClick={toggle}>
        {verb}
      </button>
      {isFrozen && <em class="tag tag-quiet">frozen</em>}
    </>
  );
}
