// Copies a text, and says so.
import { notify } from "../state/notices";
import { Icon } from "./Icon";
import { t } from "../words";

interface Props {
  text: string;
  /** What is copied, for the notice and for screen readers: "Address". */
  what: string;
  /** Shows no more than the icon. */
  small?: boolean;
  primary?: boolean;
  /** What the button says, where that is more than "Copy". */
  label?: string;
  onCopied?: () => void;
}

export function CopyButton({ text, what, small = false, primary = false, label, onCopied }: Props) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      notify(t.fields.copied(what), "good");
      onCopied?.();
    } catch {
      notify(t.fields.theBrowserDidNotLet, "bad");
    }
  };
  const name = label ?? t.fields.copy(what.toLowerCase());
  return (
    <button type="button" class={small ? "icon-button" : primary ? "button primary" : "button"} aria-label={name} title={name} onClick={copy}>
      <Icon name="copy" />
      {!small && <span>{label ?? t.common.copy}</span>}
    </button>
  );
}
