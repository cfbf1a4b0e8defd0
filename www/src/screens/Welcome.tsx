// The first screen: a new wallet, or one that there is already.
import { Icon } from "../parts/Icon";
import { lockedBecause, screen } from "../state/wallet";
import { kept } from "../state/wallets";
import { Frame } from "./Frame";

export function Welcome() {
  const go = (to: "create" | "restore" | "watch" | "unlock") => () => {
    screen.value = to;
  };
  return (
    <Frame
      title="Your wallet, in this page alone"
      lead="A wallet for the Hathor network. Keys are made and used here, in your browser. Nobody else has them, and nobody can bring them back: you keep 24 words."
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
              <strong>Open a wallet that is kept here</strong>
              <small>{kept.value.map(({ name }) => name).join(", ")}</small>
            </span>
          </button>
        )}
        <button type="button" class="choice" onClick={go("create")}>
          <Icon name="plus" />
          <span>
            <strong>Create a wallet</strong>
            <small>Takes a minute. Have pen and paper ready.</small>
          </span>
        </button>
        <button type="button" class="choice" onClick={go("restore")}>
          <Icon name="history" />
          <span>
            <strong>Restore a wallet</strong>
            <small>From its 24 words.</small>
          </span>
        </button>
        <button type="button" class="choice" onClick={go("watch")}>
          <Icon name="eye" />
          <span>
            <strong>Watch a wallet</strong>
            <small>By its xpub: you see it, and can't spend.</small>
          </span>
        </button>
      </div>
    </Frame>
  );
}
