// What a call brings into a contract, or takes out of it.
import { parseAmount } from "../../money";
import { AmountField } from "../../parts/AmountField";
import { AnyTokenField } from "../../parts/AnyTokenField";
import { Icon } from "../../parts/Icon";
import { tokenOf } from "../../state/wallet";
import { t } from "../../words";

export interface ActionDraft {
  key: number;
  type: "deposit" | "withdrawal";
  /** Its uid; empty while none is chosen. */
  token: string;
  amount: string;
}

export const amountOf = ({ token, amount }: ActionDraft): bigint | undefined =>
  parseAmount(amount, tokenOf(token).nft === undefined ? 2 : 0).amount;

/** Only what is there can be brought in. */
function problemOf(draft: ActionDraft): string | undefined {
  const amount = amountOf(draft);
  const isMissing = draft.type === "deposit" && amount !== undefined && amount > tokenOf(draft.token).available;
  return isMissing ? t.common.thatIsMoreThanThere : undefined;
}

export const isSound = (draft: ActionDraft): boolean => draft.token !== "" && amountOf(draft) !== undefined && problemOf(draft) === undefined;

interface Props {
  draft: ActionDraft;
  tried: boolean;
  onChange(to: Partial<ActionDraft>): void;
  onRemove(): void;
}

export function ActionRow({ draft, tried, onChange, onRemove }: Props) {
  const title = draft.type === "deposit" ? t.contract.bringIn : t.contract.takeOut;
  return (
    <fieldset class="plain">
      <legend>{title}</legend>
      <div class="swap-row">
        <AnyTokenField
          label={t.common.token}
          value={draft.token}
          tried={tried}
          problem={tried && draft.token === "" ? t.swap.chooseAToken : undefined}
          onInput={(token) => onChange({ token })}
        />
        <AmountField
          label={t.common.amount}
          token={draft.token}
          value={draft.amount}
          tried={tried}
          all={draft.type === "deposit" && draft.token !== "" ? tokenOf(draft.token).available : undefined}
          problem={problemOf(draft)}
          onInput={(amount) => onChange({ amount })}
        />
        <button type="button" class="icon-button" aria-label={t.contract.leaveThisOut} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      </div>
    </fieldset>
  );
}
