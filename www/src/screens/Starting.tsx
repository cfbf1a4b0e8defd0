// While the wallet loads, and when it could not.
import { ErrorMessage } from "../parts/ErrorMessage";
import { beside } from "../state/settings";
import { closeWallet, failure, progress, startedAt, startWallet } from "../state/wallet";
import { Frame } from "./Frame";
import { t } from "../words";

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
    <Frame title={t.before.openingYourWallet} lead={t.before.itsHistoryIsBeingRead}>
      <progress aria-label={t.before.readingTheHistory} value={over} />
      <p class="counts" role="status">
        {t.before.lookedAt(addresses, transactions)}
        {left !== undefined && t.before.toGo(left)}
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={closeWallet}>{t.common.cancel}</button>
      </div>
    </Frame>
  );
}

export function Failed() {
  const openNetwork = (): void => {
    beside.value = "network";
  };
  return (
    <Frame title={t.before.theWalletCouldNotBe}>
      <ErrorMessage error={failure.value} />
      <div class="actions">
        <button type="button" class="button" onClick={closeWallet}>{t.common.close}</button>
        <button type="button" class="button" onClick={openNetwork}>{t.settings.network}</button>
        <button type="button" class="button primary" onClick={startWallet}>{t.common.tryAgain}</button>
      </div>
    </Frame>
  );
}
