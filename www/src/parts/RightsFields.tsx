// What the wallet that creates a token may do with it later.
import { CheckField } from "./Field";

export interface Rights {
  mint: boolean;
  melt: boolean;
}

interface Props {
  rights: Rights;
  onChange(rights: Rights): void;
}

export function RightsFields({ rights, onChange }: Props) {
  return (
    <fieldset class="plain">
      <legend>What this wallet may do with it later</legend>
      <CheckField label="Mint more of it" checked={rights.mint} onChange={(mint) => onChange({ ...rights, mint })} />
      <CheckField label="Melt it, and get the deposit back" checked={rights.melt} onChange={(melt) => onChange({ ...rights, melt })} />
    </fieldset>
  );
}

/** The rights in the words of a list of facts. */
export function tellRights({ mint, melt }: Rights): string {
  return [mint && "can be minted", melt && "can be melted"].filter(Boolean).join(", ") || "its amount is fixed for ever";
}
