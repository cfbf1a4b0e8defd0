// Goes through system, light and dark.
import { type Theme, theme } from "../state/theme";
import { Icon } from "./Icon";
import { t } from "../words";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: "system", light: "sun", dark: "moon" } as const;
const names = (): Record<Theme, string> => ({ system: t.shell.asTheSystem, light: t.shell.light, dark: t.shell.dark });

export function ThemeButton() {
  const label = t.shell.coloursChangeTo(names()[theme.value], names()[NEXT[theme.value]]);
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
