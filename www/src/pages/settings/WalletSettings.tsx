// The open wallet: its name, its words and its xpub, its password, and removing it from this device.
import { useState } from "preact/hooks";
import { call } from "../../engine/client";
import { CopyButton } from "../../parts/CopyButton";
import { CheckField, TextField } from "../../parts/Field";
import { useEngine } from "../../parts/useEngine";
import { notify } from "../../state/notices";
import { isWatchOnly } from "../../state/wallet";
import { openKept, removeKept, rename } from "../../state/wallets";
import { Choice } from "./Choice";
import { PasswordForm } from "./PasswordForm";
import { ShownWords } from "./ShownWords";

type Doing = "nothing" | "words" | "xpub" | "password" | "removing";

export function WalletSettings() {
  const [doing, setDoing] = useState<Doing>("nothing");
  const rest = (): void => setDoing("nothing");
  const wallet = openKept.value;
  const start = (what: Doing, title: string) => (
    <button type="button" class="button" onClick={() => setDoing(what)}>
      {title}
    </button>
  );
  return (
    <fieldset class="plain">
      <legend>This wallet</legend>
      {wallet && <Name />}
      {doing === "nothing" && (
        <div class="actions start">
          {!isWatchOnly.value && start("words", "Show the words")}
          {start("xpub", "Show the xpub")}
          {start("password", wallet ? "Change the password" : "Keep it on this device")}
          {wallet && start("removing", "Remove from this device")}
        </div>
      )}
      {doing === "words" && (
        <ShownWords yes="Show the words" onNo={rest}>
          <div class="actions">
            <button type="button" class="button primary" onClick={rest}>
              Hide them
            </button>
          </div>
        </ShownWords>
      )}
      {doing === "xpub" && <Xpub onDone={rest} />}
      {doing === "password" && <PasswordForm onDone={rest} />}
      {doing === "removing" && (isWatchOnly.value ? <Removal onDone={rest} has="I have its words, or its xpub" /> : <Removing onDone={rest} />)}
    </fieldset>
  );
}

function Name() {
  const wallet = openKept.value;
  const [name, setName] = useState(wallet?.name ?? "");
  if (!wallet) return null;
  return (
    <TextField
      label="Name"
      value={name}
      onInput={(text) => {
        setName(text);
        if (text.trim() !== "") rename(wallet.id, text.trim());
      }}
      problem={name.trim() === "" ? "Enter a name." : undefined}
    />
  );
}

function Xpub({ onDone }: { onDone(): void }) {
  const xpub = useEngine(() => call("xpub"), []).value ?? "";
  return (
    <div class="nested">
      <p>Whoever has the xpub can see all that the wallet has received and sent and ever will, and can't spend it.</p>
      <p class="mono with-copy">
        {xpub}
        <CopyButton text={xpub} what="xpub" small />
      </p>
      <div class="actions">
        <button type="button" class="button primary" onClick={onDone}>
          Hide it
        </button>
      </div>
    </div>
  );
}

/** Nothing is removed whose words have not been seen before. */
function Removing({ onDone }: { onDone(): void }) {
  return (
    <ShownWords yes="Show the words first" onNo={onDone}>
      <Removal onDone={onDone} has="I have these words on paper" />
    </ShownWords>
  );
}

function Removal({ onDone, has }: { onDone(): void; has: string }) {
  const [agreed, setAgreed] = useState(false);
  const wallet = openKept.value;
  return (
    <>
      <p class="hint">Without them, nobody can open the wallet again. Its labels and notes on this device are removed, too.</p>
      <CheckField label={has} checked={agreed} onChange={setAgreed} />
      <Choice
        danger
        onNo={onDone}
        yes="Remove from this device"
        ready={agreed}
        onYes={() => {
          if (wallet) removeKept(wallet.id);
          onDone();
          notify("The wallet is gone from this device. It is open until you lock it or leave the page.", "good");
        }}
      />
    </>
  );
}
