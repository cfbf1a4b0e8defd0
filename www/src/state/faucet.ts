// A local network hands out coins to whoever asks: its node has a control interface beside its API.
import { effect, signal } from "@preact/signals";
import { place } from "./place";
import { t } from "../words";

/** Whether the network in use hands out coins. */
export const hasFaucet = signal(false);

const control = (path: string): string => new URL(`/devnet/${path}`, place.value.nodeUrl).href;

/** Finds out, now and whenever the wallet is pointed elsewhere. */
export function lookForFaucet(): void {
  effect(() => {
    const asked = place.value;
    hasFaucet.value = false;
    if (asked.network !== "privatenet") return;
    fetch(control("status"))
      .then((answer) => {
        if (place.value === asked) hasFaucet.value = answer.ok;
      })
      .catch(() => {});
  });
}

/** Asks for coins. */
export async function fund(address: string, cents: number): Promise<void> {
  const response = await fetch(control("fund"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ address, amount: cents }),
  }).catch(() => {
    throw new Error(t.shell.theLocalNetworkDoesNot);
  });
  if (!response.ok) {
    const { error } = (await response.json().catch(() => ({}))) as { error?: string };
    throw new Error(t.shell.gaveNoCoins(error ?? t.shell.itAnsweredWithStatus(response.status)));
  }
}
