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
import { Opened } from "./Opened";
import { t } from "../../words";

export function PasswordForm({ onDone }: { onDone(): void }) {
  const wallet = openKept.value;
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>();
  const weak = passwordProblem(password);
  const different = again === password ? undefined : t.common.theTwoAreNotThe;

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
      notify(wallet ? t.settings.thePasswordIsChanged : t.settings.theWalletIsKeptOn, "good");
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Opened>
      {wallet && (
        <TextField
          label={t.settings.passwordUntilNow}
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
        label={wallet ? t.settings.newPassword : t.common.password}
        type="password"
        autocomplete="new-password"
        hint={t.settings.atLeast10CharactersNobody}
        value={password}
        onInput={setPassword}
        problem={tried || password !== "" ? weak : undefined}
      />
      <TextField
        label={wallet ? t.settings.newPasswordAgain : t.common.passwordAgain}
        type="password"
        autocomplete="new-password"
        value={again}
        onInput={setAgain}
        problem={tried || again.length >= password.length ? (again || tried ? different : undefined) : undefined}
      />
      <Choice onNo={onDone} yes={wallet ? t.settings.changeThePassword : t.settings.keepTheWallet} onYes={save} />
      <ErrorMessage error={error} />
    </Opened>
  );
}
