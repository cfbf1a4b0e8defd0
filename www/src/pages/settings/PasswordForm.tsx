// Keeping the open wallet on this device, or giving the one that is kept another password.
import { useState } from "preact/hooks";
import { TextField } from "../../parts/Field";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { passwordProblem } from "../../screens/KeepWords";
import { keepBook } from "../../state/book";
import { notify } from "../../state/notices";
import { isWatchOnly } from "../../state/wallet";
import { changePassword, keepKeys, openKept } from "../../state/wallets";
import { Choice } from "./Choice";

export function PasswordForm({ onDone }: { onDone(): void }) {
  const wallet = openKept.value;
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>();
  const weak = passwordProblem(password);
  const different = again === password ? undefined : "The two are not the same.";

  const save = async (): Promise<void> => {
    setTried(true);
    setError(undefined);
    if (weak || different) return;
    try {
      if (wallet) await changePassword(wallet, old, password);
      else {
        await keepKeys(password, isWatchOnly.value);
        keepBook();
      }
      onDone();
      notify(wallet ? "The password is changed." : "The wallet is kept on this device, encrypted.", "good");
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <div class="nested">
      {wallet && (
        <TextField
          label="Password until now"
          type="password"
          autocomplete="current-password"
          value={old}
          onInput={(text) => {
            setOld(text);
            setError(undefined);
          }}
        />
      )}
      <TextField
        label={wallet ? "New password" : "Password"}
        type="password"
        autocomplete="new-password"
        hint="At least 10 characters. Nobody can reset it."
        value={password}
        onInput={setPassword}
        problem={tried || password !== "" ? weak : undefined}
      />
      <TextField
        label={wallet ? "New password again" : "Password again"}
        type="password"
        autocomplete="new-password"
        value={again}
        onInput={setAgain}
        problem={tried || again.length >= password.length ? (again || tried ? different : undefined) : undefined}
      />
      <Choice onNo={onDone} yes={wallet ? "Change the password" : "Keep the wallet"} onYes={save} />
      <ErrorMessage error={error} />
    </div>
  );
}
