// Says that an open wallet has lost its node, and when it looks for it next.
import { useEffect, useState } from "preact/hooks";
import { call } from "../engine/client";
import { lostNode } from "../state/wallet";
import { Details } from "./ErrorMessage";
import { Icon } from "./Icon";
import { t } from "../words";

export function LostNode() {
  return (
    <div role="status">
      {lostNode.value && (
        <div class="error-message error-message-mild">
          <Icon name="alert" />
          <div>
            <strong>{t.shell.theWalletHasLostIts}</strong>
            <p>{t.shell.whatYouSeeHereMay}</p>
            <Details texts={[lostNode.value.words]} />
            {!lostNode.value.forGood && <NextTry time={lostNode.value.nextTry} />}
          </div>
        </div>
      )}
    </div>
  );
}

/** Counts down, which is nothing to be read out every second. */
function NextTry({ time }: { time: number | undefined }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return (
    <p class="next-try" aria-live="off">
      <button type="button" class="button" onClick={() => void call("reconnect")}>{t.shell.tryNow}</button>
      <span>
        {time === undefined
          ? t.shell.trying
          : t.shell.nextTryIn(Math.max(1, Math.ceil(time - now / 1_000)))}
      </span>
    </p>
  );
}
