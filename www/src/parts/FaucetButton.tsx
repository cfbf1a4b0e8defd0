// Coins for nothing, where the network gives them.
import { useState } from "preact/hooks";
import { fund, hasFaucet } from "../state/faucet";
import { notify } from "../state/notices";
import { view } from "../state/wallet";
import { Icon } from "./Icon";
import { t } from "../words";

const GIFT_CENTS = 100_00;

/** As the first thing to do of a wallet that has nothing, it stands out. */
export function FaucetButton({ primary = false }: { primary?: boolean }) {
  const [busy, setBusy] = useState(false);
  const address = view.value?.address;
  if (!hasFaucet.value || address === undefined) return null;
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      await fund(address, GIFT_CENTS);
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), "bad");
    }
    setBusy(false);
  };
  return (
    <button type="button" class={primary ? "button primary" : "button"} disabled={busy} onClick={ask}>
      <Icon name="drop" />
      {t.shell.getTestCoins}
    </button>
  );
}
