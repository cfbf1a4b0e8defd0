import { t } from "../../words";
// The end of a question in the settings: no, or yes.
interface Props {
  yes: string;
  onYes(): void;
  onNo(): void;
  ready?: boolean;
  danger?: boolean;
}

export function Choice({ yes, onYes, onNo, ready = true, danger = false }: Props) {
  return (
    <div class="actions">
      <button type="button" class="button" onClick={onNo}>{t.common.cancel}</button>
      <button type="button" class={danger ? "button danger" : "button primary"} disabled={!ready} onClick={onYes}>
        {yes}
      </button>
    </div>
  );
}
