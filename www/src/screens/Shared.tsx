// A multisig wallet, of which several must sign: everybody takes part with words of their own.
import { useState } from "preact/hooks";
import { Icon } from "../parts/Icon";
import { t } from "../words";
import { BackButton } from "./BackButton";
import { Create } from "./Create";
import { Frame } from "./Frame";
import { Participants } from "./Participants";
import { Restore } from "./Restore";

export function Shared() {
  const [way, setWay] = useState<"new" | "own">();
  if (way === "new") return <Create last={Participants} />;
  if (way === "own") return <Restore last={Participants} />;
  return (
    <Frame title={t.multisig.aWalletOfSeveral} lead={t.multisig.whatItIs}>
      <div class="choices">
        <button type="button" class="choice" onClick={() => setWay("new")}>
          <Icon name="plus" />
          <span>
            <strong>{t.multisig.withNewWords}</strong>
            <small>{t.multisig.keepThemApart}</small>
          </span>
        </button>
        <button type="button" class="choice" onClick={() => setWay("own")}>
          <Icon name="history" />
          <span>
            <strong>{t.multisig.withMyWords}</strong>
            <small>{t.multisig.orComeBack}</small>
          </span>
        </button>
      </div>
      <div class="actions">
        <BackButton />
      </div>
    </Frame>
  );
}
