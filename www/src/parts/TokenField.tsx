// Which token: those of the wallet, with what there is of each.
import { formatAmount } from "../money";
import { tokens } from "../state/wallet";
import type { Token } from "../engine/api";
import { clean } from "../text";
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

/** What stands where a token has still to be chosen. */
export const CHOOSE = "Choose a token…";

export function TokenField({ label, value, onInput, among = () => true, empty, problem }: Props) {
  return (
    <Labelled label={label} problem={problem}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          {empty && <option value="">{empty}</option>}
          {tokens.value.filter(among).map((token) => (
            <option key={token.uid} value={token.uid}>
              {`${clean(token.symbol)} · ${clean(token.name)} (${formatAmount(token.available, token.nft === undefined ? 2 : 0)})`}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
