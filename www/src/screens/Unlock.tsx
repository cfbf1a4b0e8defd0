// The wallets that are kept on this device, each behind its password.
import { useState } from "preact/hooks";
import { Labelled, TextField } from "../parts/Field";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Select } from "../parts/Select";
import { lockedBecause, screen, startWallet } from "../state/wallet";
import { choose, chosen, kept, unlockKept } from "../state/wallets";
import { Frame } from "./Frame";
import { t } from "../words";

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
    <Frame title={t.before.welcomeBack} lead={t.before.thisDeviceKeepsYourWallet}>
      <form onSubmit={unlock} noValidate>
        {lockedBecause.value && (
          <p class="hint" role="status">
            {lockedBecause.value}
          </p>
        )}
        {kept.value.length > 1 && (
          <Labelled label={t.before.wallet}>
            {(control) => (
              <Select
                control={control}
                value={wallet?.id ?? ""}
                options={kept.value.map(({ id, name, watchOnly }) => ({ value: id, label: watchOnly ? t.before.watchedOnly(name) : name }))}
                onChange={(id) => {
                  choose(id);
                  type("");
                }}
              />
            )}
          </Labelled>
        )}
        <TextField label={t.common.password} type="password" autocomplete="current-password" autofocus value={password} onInput={type} />
        <ErrorMessage error={error} />
        <div class="actions">
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={() => {
              screen.value = "welcome";
            }}
          >{t.before.useAnotherWallet}</button>
          <button type="submit" class="button primary" disabled={busy || password === ""}>
            {busy ? t.before.checking : t.before.unlock}
          </button>
        </div>
        <details>
          <summary>{t.before.forgotThePassword}</summary>
          <p class="hint">{t.before.nobodyCanResetItRestore}</p>
        </details>
      </form>
    </Frame>
  );
}
