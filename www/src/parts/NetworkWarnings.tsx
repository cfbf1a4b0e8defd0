// Says that the network changes, or has changed, in a way that this version does not know.
import type { FeatureWarning } from "headless-wallet";
import { warnings } from "../state/wallet";
import { Icon } from "./Icon";
import { t } from "../words";

export function NetworkWarnings() {
  return (
    <div role="status">
      {warnings.value.map((warning) => (
        <div key={warning.feature} class="error-message error-message-mild">
          <Icon name="alert" />
          <div>
            <strong>{warning.state === "ACTIVE" ? t.shell.theNetworkHasChanged(warning.feature) : t.shell.theNetworkWillChange(warning.feature)}</strong>
            <p>
              {effectOf(warning)} {t.shell.useANewerVersion}
            </p>
          </div>
        </div>
      ))}
    </div>
  );
}

function effectOf({ feature }: FeatureWarning): string {
  switch (feature) {
    case "TOKEN_AMOUNT_V2":
      return t.shell.wholeCentsOnly;
    case "FEE_POLICY_V2":
      return t.shell.theNetworkRefusesFeeTokens;
    case "TWO_TIER_FINALITY":
      return t.shell.confirmationsMeanSomethingElse;
    case "SHIELDED_TRANSACTIONS":
      return t.shell.shieldedPaymentsAre;
    default:
      return t.shell.paymentsMayBeMissing;
  }
}
