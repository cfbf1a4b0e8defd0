// What the bars of all screens have: whose page it is, and the way to the settings.
import { place, placeTitle } from "../state/place";
import { openSettings } from "../state/settings";
import { isCutOff } from "../state/wallet";
import { Icon } from "./Icon";
import { t } from "../words";

export function Brand() {
  return (
    <span class="brand">
      <Icon name="wallet" />
      <span>{t.shell.headlessWallet}</span>
    </span>
  );
}

/** Says which network the wallet is on, and how that does. */
export function PlaceButton() {
  return (
    <button type="button" class="button quiet" onClick={openSettings} aria-label={t.shell.settingsNetwork(placeTitle.value)}>
      <NetworkChip dot />
      <Icon name="settings" />
    </button>
  );
}

/** The network's name: where money is real, it looks otherwise than where it is play money. */
export function NetworkChip({ dot = false }: { dot?: boolean }) {
  const isReal = place.value.network === "mainnet";
  return (
    <span class={isReal ? "network network-real" : "network"}>
      {dot && <span class={isCutOff.value ? "dot dot-bad" : "dot"} />}
      <span class="place">{placeTitle.value}</span>
    </span>
  );
}
