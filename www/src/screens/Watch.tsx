// A wallet that is looked at without its words: it can't send.
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { Labelled } from "../parts/Field";
import { BackButton } from "./BackButton";
import { Frame } from "./Frame";
import { KeepWords } from "./KeepWords";

export function Watch() {
  const [xpub, setXpub] = useState("");
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState(false);
  if (done) return <KeepWords keys={{ xpub }} onBack={() => setDone(false)} />;

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const wrong = await call("checkXpub", xpub).catch(() => "This can't be checked.");
    setProblem(wrong === undefined ? undefined : "This is not an xpub. Check that all of it was copied, and nothing else.");
    if (wrong === undefined) setDone(true);
  };
  return (
    <Frame title="Watch a wallet" lead="Its xpub shows balances and history, and can't spend. A wallet with its words shows its xpub in the settings.">
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
          <button type="submit" class="button primary" disabled={xpub === ""}>
            Continue
          </button>
        </div>
      </form>
    </Frame>
  );
}
