// What the bars of all screens have: whose page it is, and on which network the wallet is.
import { place, placeTitle } from "../state/place";
import { beside } from "../state/settings";
import { connection } from "../state/wallet";
import { Icon } from "./Icon";
import { t } from "../words";

export function Brand() {
  return (
    <span class="brand">
      <Icon name="brand" />
      <span>{t.shell.brand}</span>
    </span>
  );
}

/** Says which network the wallet is on, and how that does; leads to the others. */
export function PlaceButton() {
  const open = (): void => {
    beside.value = "network";
  };
  return (
    <button type="button" class="place-button" onClick={open} aria-label={t.shell.networkIs(placeTitle.value)}>
      <NetworkChip dot />
    </button>
  );
}

const DOTS = { up: "dot-good", down: "dot-bad", unknown: "dot-unknown" };

/** The network's name: where money is real, it looks otherwise than where it is play money. */
export function NetworkChip({ dot = false }: { dot?: boolean }) {
  const isReal = place.value.network === "mainnet";
  return (
    <span class={isReal ? "network network-real" : "network"}>
      {dot && <span class={`dot ${DOTS[connection.value]}`} />}
      <span class="place">{placeTitle.value}</span>
      {dot && <Icon name="down" />}
    </span>
  );
}
