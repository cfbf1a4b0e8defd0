// The first screen: a new wallet, or one that there is already.
import { Icon } from "../parts/Icon";
import { lockedBecause, screen } from "../state/wallet";
import { kept } from "../state/wallets";
import { Frame } from "./Frame";
import { t } from "../words";

export function Welcome() {
  const go = (to: "create" | "restore" | "watch" | "shared" | "unlock") => () => {
    screen.value = to;
  };
  return (
    <Frame
      title={t.before.yourWalletInThisPage}
      lead={t.before.aWalletForTheHathor}
    >
      {lockedBecause.value && (
        <p class="hint" role="status">
          {lockedBecause.value}
        </p>
      )}
      <div class="choices">
        {kept.value.length > 0 && (
          <button type="button" class="choice" onClick={go("unlock")}>
            <Icon name="lock" />
            <span>
              <strong>{t.before.openAWalletThatIs}</strong>
              <small>{kept.value.map(({ name }) => name).join(", ")}</small>
            </span>
          </button>
        )}
        <button type="button" class="choice" onClick={go("create")}>
          <Icon name="plus" />
          <span>
            <strong>{t.before.createAWallet}</strong>
            <small>{t.before.takesAMinuteHavePen}</small>
          </span>
        </button>
        <button type="button" class="choice" onClick={go("restore")}>
          <Icon name="history" />
          <span>
            <strong>{t.before.restoreAWallet}</strong>
            <small>{t.before.fromIts24Words}</small>
          </span>
        </button>
        <button type="button" class="choice" onClick={go("watch")}>
          <Icon name="eye" />
          <span>
            <strong>{t.before.watchAWallet}</strong>
            <small>{t.before.byItsXpubYouSee}</small>
          </span>
        </button>
        <button type="button" class="choice" onClick={go("shared")}>
          <Icon name="people" />
          <span>
            <strong>{t.multisig.aWalletOfSeveral}</strong>
            <small>{t.multisig.someMustSign}</small>
          </span>
        </button>
      </div>
    </Frame>
  );
}
