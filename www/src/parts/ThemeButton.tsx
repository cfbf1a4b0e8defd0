// Goes through system, light and dark.
import { type Theme, theme } from "../state/theme";
import { Icon } from "./Icon";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: "system", light: "sun", dark: "moon" } as const;
const NAMES: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };

export function ThemeButton() {
  const label = `Colours: ${NAMES[theme.value]}. Change to ${NAMES[NEXT[theme.value]]}`;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => {
        theme.value = NEXT[theme.value];
      }}
    >
      <Icon name={ICONS[theme.value]} />
    </button>
  );
}
