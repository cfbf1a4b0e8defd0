// Which token: those of the wallet that are accepted, with what there is of each.
import { formatAmount } from "../money";
import { acceptedTokens, needsUid } from "../state/acceptance";
import { isKnown, tokenOf } from "../state/wallet";
import type { Token } from "../engine/api";
import { clean, shortId } from "../text";
import { type Control, Labelled } from "./Field";
import { type Option, Select } from "./Select";
import { TokenSign } from "./TokenSign";

interface Choice {
  value: string;
  onInput(uid: string): void;
  /** Which of the tokens can be chosen; all if left out. */
  among?: ((token: Token) => boolean) | undefined;
  /** Another choice at the top, whose value is empty. */
  empty?: string;
}

export function TokenField({ label, problem, ...choice }: Choice & { label: string; problem?: string | undefined }) {
  return (
    <Labelled label={label} problem={problem}>
      {(control) => <TokenSelect control={control} {...choice} />}
    </Labelled>
  );
}

interface SelectProps extends Choice {
  control: Partial<Control> & { "aria-label"?: string };
  compact?: boolean;
}

export function TokenSelect({ value, onInput, among = () => true, empty, ...rest }: SelectProps) {
  const accepted = acceptedTokens.value;
  const isAside = value !== "" && isKnown(value) && !accepted.some(({ uid }) => uid === value);
  const offered = [...accepted, ...(isAside ? [tokenOf(value)] : [])].filter(among);
  const options = [...(empty ? [{ value: "", label: empty }] : []), ...offered.map(optionOf)];
  return <Select {...rest} options={options} value={value} onChange={onInput} />;
}

export function optionOf(token: Token): Option<string> {
  const { uid, symbol, name, available, nft } = token;
  const which = needsUid(uid) ? ` ${shortId(uid)}` : "";
  return {
    value: uid,
    label: `${clean(symbol)} · ${clean(name)}${which}`,
    short: `${clean(symbol)}${which}`,
    note: formatAmount(available, nft === undefined ? 2 : 0),
    sign: <TokenSign token={token} />,
  };
}
