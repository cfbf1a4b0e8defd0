// The wallet that is kept on this device, behind its password.
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import { ErrorMessage } from "../parts/ErrorMessage";
import { forgetWords, sealed } from "../state/vault";
import { screen, startWallet } from "../state/wallet";
import { Frame } from "./Frame";

export function Unlock() {
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [forgetting, setForgetting] = useState(false);

  const unlock = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await call("unlock", sealed.value ?? "", password);
      await startWallet();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <Frame title="Welcome back" lead="This device keeps a wallet's words, encrypted. Its password opens it.">
      <form onSubmit={unlock} noValidate>
        <TextField
          label="Password"
          type="password"
          autocomplete="current-password"
          autofocus
          value={password}
          onInput={(text) => {
            setPassword(text);
            setError(undefined);
          }}
        />
        <ErrorMessage error={error} />
        <div class="actions">
          <button type="button" class="button" disabled={busy} onClick={() => setForgetting(true)}>
            Use another wallet
          </button>
          <button type="submit" class="button primary" disabled={busy || password === ""}>
            {busy ? "Checking …" : "Unlock"}
          </button>
        </div>
      </form>
      {forgetting && (
        <Dialog title="Forget the wallet that is kept here?" onClose={() => setForgetting(false)}>
          <p>
            Its words will be gone from this device. Its money is not lost, if you have the 24 words on paper: without them, nobody can
            bring it back.
          </p>
          <div class="actions">
            <button type="button" class="button" onClick={() => setForgetting(false)}>
              Keep it
            </button>
            <button
              type="button"
              class="button danger"
              onClick={() => {
                forgetWords();
                screen.value = "welcome";
              }}
            >
              Forget it
            </button>
          </div>
        </Dialog>
      )}
    </Frame>
  );
}
