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
import { t } from "../words";

export const MIN_PASSWORD = 10;

/** What is wrong with a new password, if it is long enough to be looked at. */
export function passwordProblem(password: string): string | undefined {
  const missing = MIN_PASSWORD - password.length;
  if (missing > 0) return t.before.useAtLeastCharactersMore(MIN_PASSWORD, missing);
  return new Set(password).size < 5 ? t.before.useMoreDifferentCharacters : undefined;
}

interface Props {
  keys: Keys;
  onBack(): void;
}

export function KeepWords({ keys, onBack }: Props) {
  const watchOnly = "xpub" in keys;
  const [keep, setKeep] = useState(false);
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  const weak = keep ? passwordProblem(password) : undefined;
  const different = keep && again !== password ? t.common.theTwoAreNotThe : undefined;

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
      title={watchOnly ? t.before.keepTheXpub : t.before.keepTheWords}
      lead={watchOnly ? t.before.ifYouDoXpub : t.before.ifYouDoWords}
    >
      <form onSubmit={open} noValidate>
        <CheckField
          label={t.before.keepHere}
          checked={keep}
          onChange={(checked) => {
            setKeep(checked);
            setTried(false);
          }}
        />
        {keep && (
          <>
            <TextField
              label={t.common.password}
              type="password"
              autocomplete="new-password"
              hint={t.before.whoeverHasThisDeviceCan}
              value={password}
              onInput={setPassword}
              problem={tried || password.length > 0 ? weak : undefined}
            />
            <TextField
              label={t.common.passwordAgain}
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
            {t.before.betterNot(location.host)}
          </p>
        )}
        {keep && <p class="hint">{t.before.historyWithIt}</p>}
        {"words" in keys && keys.multisig && <p class="hint">{t.multisig.xpubsToo}</p>}
        <ErrorMessage error={error} />
        <div class="actions">
          <button type="button" class="button" onClick={onBack} disabled={busy}>{t.common.back}</button>
          <button type="submit" class="button primary" disabled={busy}>
            {busy ? t.before.opening : t.before.openTheWallet}
          </button>
        </div>
      </form>
    </Frame>
  );
}
