// Whether the wallet is kept on this device, under which password; then it opens.
import { useState } from "preact/hooks";
import type { Keys } from "../engine/api";
import { call } from "../engine/client";
import { CheckField, TextField } from "../parts/Field";
import { ErrorMessage } from "../parts/ErrorMessage";
import { keepingIsRisky } from "../state/place";
import { startWallet } from "../state/wallet";
import { keepKeys } from "../state/wallets";
import { Frame } from "./Frame";

export const MIN_PASSWORD = 10;

/** What is wrong with a new password, if it is long enough to be looked at. */
export function passwordProblem(password: string): string | undefined {
  const missing = MIN_PASSWORD - password.length;
  if (missing > 0) return `Use at least ${MIN_PASSWORD} characters: ${missing} more.`;
  return new Set(password).size < 5 ? "Use more different characters." : undefined;
}

interface Props {
  keys: Keys;
  onBack(): void;
}

export function KeepWords({ keys, onBack }: Props) {
  const watchOnly = "xpub" in keys;
  const what = watchOnly ? "xpub" : "words";
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
      await call("hold", keys);
      if (keep) await keepKeys(password, watchOnly);
      await startWallet();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <Frame
      title={`Keep the ${what} on this device?`}
      lead={`If you do, a password opens the wallet from now on, and quickly. If not, you need the ${watchOnly ? "xpub" : "24 words"} each time: after locking, after loading the page anew, after closing it.`}
    >
      <form onSubmit={open} noValidate>
        <CheckField
          label={`Keep ${watchOnly ? "it" : "them"} here, encrypted with a password`}
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
        {keep && <p class="hint">The history is kept with {watchOnly ? "it" : "them"}, encrypted, too.</p>}
        <ErrorMessage error={error} />
        <div class="actions">
          <button type="button" class="button" onClick={onBack} disabled={busy}>
            Back
          </button>
          <button type="submit" class="button primary" disabled={busy}>
            {busy ? "Opening…" : "Open the wallet"}
          </button>
        </div>
      </form>
    </Frame>
  );
}
