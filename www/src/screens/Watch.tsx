// A wallet that is looked at without its words: it can't send.
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { Labelled } from "../parts/Field";
import { BackButton } from "./BackButton";
import { Frame } from "./Frame";
import { KeepWords } from "./KeepWords";
import { t } from "../words";

export function Watch() {
  const [xpub, setXpub] = useState("");
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState(false);
  if (done) return <KeepWords keys={{ xpub }} onBack={() => setDone(false)} />;

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const wrong = await call("checkXpub", xpub).catch(() => t.common.thisCantBeChecked);
    setProblem(wrong === undefined ? undefined : t.before.thisIsNotAnXpub);
    if (wrong === undefined) setDone(true);
  };
  return (
    <Frame title={t.before.watchAWallet} lead={t.before.itsXpubShowsBalancesAnd}>
      <form onSubmit={submit} noValidate>
        <Labelled label="xpub" problem={problem}>
          {(control) => (
            <textarea
              {...control}
              class="mono"
              rows={3}
              spellcheck={false}
              autocapitalize="none"
              data-autofocus
              placeholder="xpub6…"
              value={xpub}
              onInput={(event) => {
                setXpub(event.currentTarget.value.trim());
                setProblem(undefined);
              }}
            />
          )}
        </Labelled>
        <div class="actions">
          <BackButton />
          <button type="submit" class="button primary" disabled={xpub === ""}>{t.before.continue}</button>
        </div>
      </form>
    </Frame>
  );
}
