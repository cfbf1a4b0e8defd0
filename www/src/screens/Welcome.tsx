// The first screen: a new wallet, or one that there is already.
import { Icon } from "../parts/Icon";
import { screen } from "../state/wallet";
import { Frame } from "./Frame";

export function Welcome() {
  const go = (to: "create" | "restore") => () => {
    screen.value = to;
  };
  return (
    <Frame
      title="Your wallet, in this page alone"
      lead="Keys are made and used here, in your browser. Nobody else has them, and nobody can bring them back: you keep 24 words."
    >
      <div class="choices">
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
      </div>
    </Frame>
  );
}
