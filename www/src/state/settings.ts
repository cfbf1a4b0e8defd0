// Whether the settings are open.
import { signal } from "@preact/signals";

export const settingsOpen = signal(false);

export const openSettings = (): void => {
  settingsOpen.value = true;
};

export const closeSettings = (): void => {
  settingsOpen.value = false;
};
