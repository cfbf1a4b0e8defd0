// Light, dark, or as the system has it.
import { effect, signal } from "@preact/signals";
import { readText, writeText } from "./storage";

export type Theme = "system" | "light" | "dark";

const KEY = "theme";
const kept = readText(KEY);
const system = matchMedia("(prefers-color-scheme: dark)");

export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "system");

/** Whether the page is dark by now; pictures that are drawn look at it. */
export const isDark = signal(false);

function look(): void {
  isDark.value = theme.value === "system" ? system.matches : theme.value === "dark";
}

system.addEventListener("change", look);
effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  writeText(KEY, theme.value);
  look();
});

/** Not for who wants nothing to move by itself. */
export const mayMove = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;
