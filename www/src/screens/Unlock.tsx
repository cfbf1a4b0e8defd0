// The wallets that are kept on this device, each behind its password.
import { useState } from "preact/hooks";
import { Labelled, TextField } from "../parts/Field";
import { ErrorMessage } from "../parts/ErrorMessage";
import { lockedBecause, screen, startWallet } from "../state/wallet";
import { choose, chosen, kept, unlockKept } from "../state/wallets";
import { Frame } from "./Frame";

export function Unlock() {
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const wallet = chosen.value;
  const type = (text: string): void => {
    setPassword(text);
    setError(undefined);
  };

  const unlock = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!wallet) return;
    setBusy(true);
    setError(undefined);
    try {
      await unlockKept(wallet, password);
      await startWallet();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <Frame title="Welcome back" lead="This device keeps your wallet, encrypted. Its password opens it.">
      <form onSubmit={unlock} noValidate>
        {lockedBecause.value && (
          <p class="hint" role="status">
            {lockedBecause.value}
          </p>
        )}
        {kept.value.length > 1 && (
          <Labelled label="Wallet">
            {(control) => (
              <select
                {...control}
                value={wallet?.id}
                onChange={(event) => {
                  choose(event.currentTarget.value);
                  type("");
                }}
              >
                {kept.value.map(({ id, name, watchOnly }) => (
                  <option key={id} value={id}>
                    {watchOnly ? `${name} (watch-only)` : name}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        <TextField label="Password" type="password" autocomplete="current-password" autofocus value={password} onInput={type} />
        <ErrorMessage error={error} />
        <div class="actions">
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={() => {
              screen.value = "welcome";
            }}
          >
            Use another wallet
          </button>
          <button type="submit" class="button primary" disabled={busy || password === ""}>
            {busy ? "Checking…" : "Unlock"}
          </button>
        </div>
        <details>
          <summary>Forgot the password?</summary>
          <p class="hint">
            Nobody can reset it. Restore the wallet from its 24 words and keep it with a new password: that takes the place of what is kept
            here.
          </p>
        </details>
      </form>
    </Frame>
  );
}
