// An amount of a token, in decimals, with a way to take all there is.
import type { Token } from "../engine/api";
import { type Counted, editAmount, formatAmount, parseAmount } from "../money";
import { tokenOf } from "../state/wallet";
import { clean } from "../text";
import { Labelled } from "./Field";
import { TokenSelect } from "./TokenField";
import { t } from "../words";

interface Props {
  label: string;
  token: string;
  /** Another token is chosen, where there is a choice. */
  onToken?: (uid: string) => void;
  among?: (token: Token) => boolean;
  value: string;
  onInput(text: string): void;
  tried: boolean;
  /** What is wrong beyond the number itself. */
  problem?: string | undefined;
  /** All that can be taken, if taking all is offered. */
  all?: bigint | undefined;
  counted?: Counted;
  /** Says what can be done with so much: that it can be spent, if left out. */
  can?: (amount: string) => string;
}

/** `12.50 HTR` as `12.50`: people write it so, and paste it. */
const withoutSymbol = (text: string, symbol: string): string => {
  // A symbol of digits could be a part of the number.
  if (/\d/.test(symbol)) return text;
  const [amount, named, ...more] = text.trim().split(/\s+/);
  return more.length === 0 && named?.toUpperCase() === symbol.toUpperCase() ? (amount ?? "") : text;
};

export function AmountField({ label, token, onToken, among, value, onInput, tried, problem, all, counted, can = t.fields.canBeSpent }: Props) {
  const { symbol, nft } = tokenOf(token);
  const decimals = nft === undefined ? 2 : 0;
  const parsed = parseAmount(value, decimals, counted);
  const shown = value !== "" || tried ? (parsed.problem ?? problem) : undefined;
  const hint = all === undefined ? undefined : can(`${formatAmount(all, decimals)} ${clean(symbol)}`);
  return (
    <Labelled label={label} hint={hint} problem={shown}>
      {(control) => (
        <div class="amount-input">
          <input
            {...control}
            type="text"
            inputMode={decimals === 0 ? "numeric" : "decimal"}
            autocomplete="off"
            placeholder={formatAmount(0n, decimals)}
            value={value}
            onInput={(event) => onInput(withoutSymbol(event.currentTarget.value, symbol))}
          />
          {all !== undefined && all > 0n && (
            <button type="button" class="button small" onClick={() => onInput(editAmount(all, decimals))}>{t.common.all}</button>
          )}
          {onToken && <TokenSelect compact control={{ "aria-label": t.common.token }} value={token} onInput={onToken} among={among} />}
        </div>
      )}
    </Labelled>
  );
}
