// Which token: those of the wallet that are accepted, with what there is of each.
import { formatAmount } from "../money";
import { acceptedTokens, needsUid } from "../state/acceptance";
import { isKnown, tokenOf } from "../state/wallet";
import type { Token } from "../engine/api";
import { clean, shortId } from "../text";
import { Labelled } from "./Field";

interface Props {
  label: string;
  value: string;
  onInput(uid: string): void;
  /** Which of the tokens can be chosen; all if left out. */
  among?: (token: Token) => boolean;
  /** Another choice at the top, whose value is empty. */
  empty?: string;
  problem?: string | undefined;
}

export function TokenField({ label, value, onInput, among = () => true, empty, problem }: Props) {
  const accepted = acceptedTokens.value;
  const isAside = value !== "" && isKnown(value) && !accepted.some(({ uid }) => uid === value);
  const offered = [...accepted, ...(isAside ? [tokenOf(value)] : [])].filter(among);
  return (
    <Labelled label={label} problem={problem}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          {empty && <option value="">{empty}</option>}
          {offered.map((token) => (
            <option key={token.uid} value={token.uid}>
              {optionOf(token)}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export function optionOf({ uid, symbol, name, available, nft }: Token): string {
  const which = needsUid(uid) ? ` ${shortId(uid)}` : "";
  return `${clean(symbol)} · ${clean(name)}${which} (${formatAmount(available, nft === undefined ? 2 : 0)})`;
}
