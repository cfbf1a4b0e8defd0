// A local network hands out coins to whoever asks: its node has a control interface beside its API.
import { effect, signal } from "@preact/signals";
import { place } from "./place";
import { t } from "../words";

/** Whether the network in use hands out coins. */
export const hasFaucet = signal(false);

/** What the node of a local network has in its version; a node of somebody's private network has not. */
const LOCAL = "-devnet-";

const at = (path: string): string => new URL(path, place.value.nodeUrl).href;

/** Finds out, now and whenever the wallet is pointed elsewhere. */
export function lookForFaucet(): void {
  effect(() => {
    const asked = place.value;
    hasFaucet.value = false;
    if (asked.network !== "privatenet") return;
    fetch(at("version"))
      .then((answer) => answer.json() as Promise<{ version?: unknown }>)
      .then(({ version }) => {
        if (place.value === asked) hasFaucet.value = String(version).includes(LOCAL);
      })
      .catch(() => {});
  });
}

/** Asks for coins. */
export async function fund(address: string, cents: number): Promise<void> {
  const response = await fetch(at("/devnet/fund"), {
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
