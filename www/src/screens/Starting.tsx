// While the wallet loads, and when it could not.
import { ErrorMessage } from "../parts/ErrorMessage";
import { openSettings } from "../state/settings";
import { closeWallet, failure, progress, startedAt, startWallet } from "../state/wallet";
import { plural } from "../text";
import { Frame } from "./Frame";

/** How much of the time is over, and how many seconds are left; neither is known before the first address is read. */
function timing(estimatedEnd: number | undefined): { over?: number; left?: number } {
  if (estimatedEnd === undefined) return {};
  const now = Date.now() / 1_000;
  const left = Math.max(1, Math.ceil(estimatedEnd - now));
  return { over: Math.min(0.95, (now - startedAt.value) / (now + left - startedAt.value)), left };
}

export function Starting() {
  const { addresses, transactions, estimatedEnd } = progress.value;
  const { over, left } = timing(estimatedEnd);
  return (
    <Frame title="Opening your wallet" lead="Its history is being read from the full node.">
      <progress aria-label="Reading the history" value={over} />
      <p class="counts" role="status">
        {plural(addresses, "address", "addresses")} looked at, {plural(transactions, "transaction")} found
        {left !== undefined && `, about ${plural(left, "second")} to go`}
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
      <ErrorMessage error={failure.value} />
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
