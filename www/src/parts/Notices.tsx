// The notices, in a live region that is always there.
import { dismiss, notices } from "../state/notices";
import { Icon } from "./Icon";
import { t } from "../words";

const ICONS = { good: "check", info: "eye", bad: "alert" } as const;

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, tone }) => (
        <div key={id} class={`notice notice-${tone}`}>
          <Icon name={ICONS[tone]} />
          <span>{text}</span>
          <button type="button" class="icon-button" aria-label={t.shell.dismiss} onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
