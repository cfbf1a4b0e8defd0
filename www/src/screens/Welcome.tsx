// The first screen: a new wallet, or one that there is already.
import { Icon, type IconName } from "../parts/Icon";
import { place } from "../state/place";
import { lockedBecause, type Screen, screen } from "../state/wallet";
import { kept } from "../state/wallets";
import { Frame } from "./Frame";
import { t } from "../words";

const go = (to: Screen) => () => {
  screen.value = to;
};

export function Welcome() {
  return (
    <Frame title={t.before.yourWalletInThisPage} lead={t.before.aWalletForTheHathor}>
      {lockedBecause.value && (
        <p class="hint" role="status">
          {lockedBecause.value}
        </p>
      )}
      {kept.value.length > 0 && (
        <div class="choices">
          <Choice icon="lock" title={t.before.openAWalletThatIs} about={kept.value.map(({ name }) => name).join(", ")} to="unlock" />
        </div>
      )}
      <div class="welcome-ways">
        <button type="button" class="button primary" onClick={go("create")}>{t.before.createAWallet}</button>
        <button type="button" class="button" onClick={go("restore")}>{t.before.restoreAWallet}</button>
      </div>
      <details>
        <summary>{t.before.otherWays}</summary>
        <div class="choices">
          <Choice icon="eye" title={t.before.watchAWallet} about={t.before.byItsXpubYouSee} to="watch" />
          <Choice icon="people" title={t.multisig.aWalletOfSeveral} about={t.multisig.someMustSign} to="shared" />
        </div>
      </details>
      <p class="hint trust">{t.before.openSource(import.meta.env["VERSION"] as string, new URL(place.value.nodeUrl).host)}</p>
    </Frame>
  );
}

function Choice({ icon, title, about, to }: { icon: IconName; title: string; about: string; to: Screen }) {
  return (
    <button type="button" class="choice" onClick={go(to)}>
      <Icon name={icon} />
      <span>
        <strong>{title}</strong>
        <small>{about}</small>
      </span>
    </button>
  );
}
