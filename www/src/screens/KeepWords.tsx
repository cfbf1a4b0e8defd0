// Whether the words are kept on this device, under which password; then the wallet opens.
import { useState } from "preact/hooks";
import type { Words } from "../engine/api";
import { call } from "../engine/client";
import { CheckField, TextField } from "../parts/Field";
import { ErrorMessage } from "../parts/ErrorMessage";
import { keepingIsRisky } from "../state/place";
import { keepWords } from "../state/vault";
import { openWords } from "../state/wallet";
import { Frame } from "./Frame";

export const MIN_PASSWORD = 10;

/** What is wrong with a new password, if it is long enough to be looked at. */
export function passwordProblem(password: string): string | undefined {
  const missing = MIN_PASSWORD - password.length;
  if (missing > 0) return `Use at least ${MIN_PASSWORD} characters: ${missing} more.`;
  return new Set(password).size < 5 ? "Use more different characters." : undefined;
}

interface Props {
  words: Words;
  onBack(): void;
}

export function KeepWords({ words, onBack }: Props) {
  const [keep, setKeep] = useState(false);
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  const weak = keep ? passwordProblem(password) : undefined;
  const different = keep && again !== password ? "The two are not the same." : undefined;

  const open = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (weak || different) return;
    setBusy(true);
    setError(undefined);
    try {
      if (keep) {
        await call("hold", words);
        await keepWords(password);
      }
      await openWords(words);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <Frame
      title="Keep the words on this device?"
      lead="If you do, a password opens the wallet from now on, and its history is kept beside them, so that it opens quickly. If not, you type the 24 words each time."
    >
      <form onSubmit={open} noValidate>
        <CheckField
          label="Keep them here, encrypted with a password"
          checked={keep}
          onChange={(checked) => {
            setKeep(checked);
            setTried(false);
          }}
        />
        {keep && (
          <>
            <TextField
              label="Password"
              type="password"
              autocomplete="new-password"
              hint="Whoever has this device can try passwords: a few random words make a good one. Nobody can reset it."
              value={password}
              onInput={setPassword}
              problem={tried || password.length > 0 ? weak : undefined}
            />
            <TextField
              label="Password again"
              type="password"
              autocomplete="new-password"
              value={again}
              onInput={setAgain}
              problem={tried || again.length >= password.length ? (again || tried ? different : undefined) : undefined}
            />
          </>
        )}
        {keep && keepingIsRisky.value && (
          <p class="hint" role="alert">
            Better not for real money: this page is served at {location.host}, and any other program that serves pages there later can read
            what is kept, try passwords, and ask you for yours.
          </p>
        )}
        {keep && <p class="hint">The history is not encrypted: whoever has this device can read what came and went, but not spend.</p>}
        <ErrorMessage error={error} />
        <div class="actions">
          <button type="button" class="button" onClick={onBack} disabled={busy}>
            Back
          </button>
          <button type="submit" class="button primary" disabled={busy}>
            {busy ? "Opening …" : "Open the wallet"}
          </button>
        </div>
      </form>
    </Frame>
  );
}
