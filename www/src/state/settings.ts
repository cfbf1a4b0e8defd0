// What of the settings is open beside a screen.
import { signal } from "@preact/signals";

export const beside = signal<"network" | "settings" | undefined>(undefined);

export const closeBeside = (): void => {
  beside.value = undefined;
};
