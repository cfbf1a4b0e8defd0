// What the wallet that creates a token may do with it later.
import { CheckField } from "./Field";
import { t } from "../words";

export interface Rights {
  mint: boolean;
  melt: boolean;
}

interface Props {
  rights: Rights;
  /** Of a token that is counted in whole units. */
  nft?: boolean;
  onChange(rights: Rights): void;
}

export function RightsFields({ rights, nft = false, onChange }: Props) {
  return (
    <fieldset class="plain">
      <legend>{t.tokens.whatThisWalletMayDo}</legend>
      <CheckField label={t.tokens.mintMoreOfIt} checked={rights.mint} onChange={(mint) => onChange({ ...rights, mint })} />
      <CheckField label={nft ? t.tokens.meltUnits : t.tokens.meltItAndGetThe} checked={rights.melt} onChange={(melt) => onChange({ ...rights, melt })} />
    </fieldset>
  );
}

/** The rights in the words of a list of facts. */
export function tellRights({ mint, melt }: Rights): string {
  return [mint && t.tokens.moreCanBeMinted, melt && t.tokens.itCanBeMelted].filter(Boolean).join(", ") || t.tokens.itsAmountIsFixedFor;
}
