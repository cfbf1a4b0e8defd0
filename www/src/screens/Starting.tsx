// While the wallet loads, and when it could not.
import { Trouble } from "../parts/Trouble";
import { openSettings } from "../state/settings";
import { closeWallet, failure, progress, startWallet } from "../state/wallet";
import { plural } from "../text";
import { Frame } from "./Frame";

export function Starting() {
  const { addresses, transactions } = progress.value;
  return (
    <Frame title="Opening your wallet" lead="Its history is being read from the full node.">
      <progress aria-label="Reading the history" />
      <p class="counts" role="status">
        {plural(addresses, "address", "addresses")} looked at, {plural(transactions, "transaction")} found
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={closeWallet}>
          Cancel
        </button>
      </div>
    </Frame>
  );
}

export function Failed() {
  return (
    <Frame title="The wallet could not be opened">
      <Trouble error={failure.value} />
      <div class="actions">
        <button type="button" class="button" onClick={closeWallet}>
          Close
        </button>
        <button type="button" class="button" onClick={openSettings}>
          Settings
        </button>
        <button type="button" class="button primary" onClick={startWallet}>
          Try again
        </button>
      </div>
    </Frame>
  );
}
