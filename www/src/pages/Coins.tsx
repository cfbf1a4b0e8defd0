// The unspent outputs that the balances are made of, with the filters of the interface.
import type { UtxoList, UtxosRequest } from "headless-wallet";
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
import { NothingYet } from "../parts/NothingYet";
import { TokenField } from "../parts/TokenField";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import type { PageProps } from "../shell";
import { book, freeze, thaw } from "../state/book";
import { notify } from "../state/notices";
import { tokenOf } from "../state/wallet";
import { shortId } from "../text";
import { t } from "../words";

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
const bounds = () =>
  [
    { name: "bigger", label: t.history.moreThan, inputMode: "decimal", placeholder: t.history.any },
    { name: "smaller", label: t.history.lessThan, inputMode: "decimal", placeholder: t.history.any },
    { name: "total", label: t.history.totalUpTo, inputMode: "decimal", placeholder: t.history.noLimit },
    { name: "count", label: t.history.limit, inputMode: "numeric", placeholder: String(limits.inputs) },
  ] as const;

type Bound = ReturnType<typeof bounds>[number]["name"];
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
      problems.count = t.history.enterANumberFrom1(limits.inputs);
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
  const frozen = list ? frozenOf(list) : 0n;
  const { token: _, ...others } = typed;
  const count = Object.values(others).filter((one) => one !== "" && one !== false).length;

  return (
    <>
      <section class="card" aria-label={t.history.filters}>
        <TokenField label={t.common.token} value={typed.token} onInput={(token) => change({ token })} />
        <details>
          <summary>{count === 0 ? t.history.filters : t.history.filtersSet(count)}</summary>
          <AddressField
            label={t.history.atAddress}
            value={typed.address}
            tried={false}
            optional
            onInput={(address) => change({ address })}
            onChecked={(problem) => setChecked({ address: typed.address, problem })}
          />
          <div class="filters">
            {bounds().map(({ name, ...look }) => (
              <TextField key={name} {...look} value={typed[name]} onInput={(text) => change({ [name]: text })} problem={problems[name]} />
            ))}
          </div>
          <CheckField label={t.history.leaveOutWhatIsLocked} checked={typed.onlyAvailable} onChange={(onlyAvailable) => change({ onlyAvailable })} />
          <div class="actions start">
            <button type="button" class="button" disabled={count === 0} onClick={() => setTyped({ ...NO_FILTER, token: typed.token })}>{t.history.clear}</button>
          </div>
        </details>
      </section>
      <section class="card" aria-labelledby="coins-title">
        <header class="card-head">
          <h2 id="coins-title" aria-live="polite">
            {list ? t.counts.outputs(list.utxos.length) : t.history.outputs}
          </h2>
          {list && (
            <p class="totals" data-testid="totals">
              {frozen === 0n ? (
                <Amount cents={list.total_amount_available} exact={list.total_amount_available_str} token={typed.token} />
              ) : (
                t.history.spendableAndFrozen(
                  <Amount cents={list.total_amount_available - frozen} token={typed.token} />,
                  <Amount cents={frozen} token={typed.token} />,
                )
              )}
              {list.total_utxos_locked > 0 && (
                <>
                  {t.history.andLocked(<Amount cents={list.total_amount_locked} exact={list.total_amount_locked_str} token={typed.token} />)}
                </>
              )}
            </p>
          )}
        </header>
        <ErrorMessage error={sound ? found.error : undefined} />
        {list && list.utxos.length === (filter.maxUtxos ?? limits.inputs) && <p class="hint">{t.history.thereMayBeMoreSo}</p>}
        {list?.utxos.length === 0 && (count > 0 ? <p class="quiet-text">{t.history.noneMatchesClearAFilter}</p> : <NothingYet text={t.history.thereAreNoneOfThis} />)}
        {list && list.utxos.length > 0 && (
          <div class="scroll">
            <table class="utxos">
              <thead>
                <tr>
                  <th class="number">{t.common.amount}</th>
                  <th>{t.common.address}</th>
                  <th>{t.history.transaction}</th>
                  <th class="number">{t.history.output}</th>
                  <th>
                    <span class="visually-hidden">{t.history.state}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.utxos.map(({ tx_id, index, address, amount, amount_str, locked }) => (
                  <tr key={outpointOf(tx_id, index)}>
                    <td class="number">
                      <Amount cents={amount} exact={amount_str} token={typed.token} />
                    </td>
                    <td class="mono">{address}</td>
                    <td class="mono with-copy">
                      <button type="button" class="link" onClick={() => onOpen(tx_id)}>
                        {shortId(tx_id)}
                      </button>
                      <CopyButton text={tx_id} what={t.common.transactionIdentifier} small />
                    </td>
                    <td class="number" data-name={t.history.output}>
                      {index}
                    </td>
                    <td class="utxo-state">
                      {locked && (
                        <em class="tag tag-quiet">
                          <Icon name="lock" /> {t.history.locked}
                        </em>
                      )}
                      <FreezeButton id={tx_id} index={index} />
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

const outpointOf = (id: string, index: number): string => `${id}:${index}`;

/** How much of what is not locked is frozen: the wallet counts that as available. */
const frozenOf = ({ utxos }: UtxoList): bigint =>
  utxos
    .filter(({ tx_id, index, locked }) => !locked && outpointOf(tx_id, index) in book.value.frozen)
    .reduce((sum, { amount }) => sum + amount, 0n);

function FreezeButton({ id, index }: { id: string; index: number }) {
  const outpoint = outpointOf(id, index);
  const isFrozen = outpoint in book.value.frozen;
  const toggle = (): void => {
    (isFrozen ? thaw(outpoint) : freeze(id, index)).catch((error: unknown) => {
      const { title, todo } = adviceOn(error);
      notify(`${title}. ${todo}`, "bad");
    });
  };
  const verb = isFrozen ? t.history.unfreeze : t.history.freeze;
  return (
    <>
      {isFrozen && <em class="tag tag-quiet">{t.history.frozen}</em>}
      <button type="button" class="button small" aria-label={t.history.outputOf(verb, index, shortId(id))} onClick={toggle}>
        {verb}
      </button>
    </>
  );
}
