// The open wallet: its name, its words and its xpub, its password, and removing it from this device.
import { useState } from "preact/hooks";
import { call } from "../../engine/client";
import { CopyButton } from "../../parts/CopyButton";
import { CheckField, TextField } from "../../parts/Field";
import { useEngine } from "../../parts/useEngine";
import { notify } from "../../state/notices";
import { isWatchOnly, multisig } from "../../state/wallet";
import { openKept, removeKept, rename } from "../../state/wallets";
import { Choice } from "./Choice";
import { Opened } from "./Opened";
import { PasswordForm } from "./PasswordForm";
import { ShownWords } from "./ShownWords";
import { t } from "../../words";

type Doing = "nothing" | "words" | "xpub" | "password" | "removing";

export function WalletSettings() {
  const [doing, setDoing] = useState<Doing>("nothing");
  const rest = (): void => setDoing("nothing");
  const wallet = openKept.value;
  const start = (what: Doing, title: string) => (
    <button type="button" class={what === "removing" ? "button danger" : "button"} onClick={() => setDoing(what)}>
      {title}
    </button>
  );
  return (
    <>
      <section class="card" aria-labelledby="wallet-title">
        <h2 id="wallet-title">{t.settings.thisWallet}</h2>
        {wallet && <Name />}
        {(doing === "nothing" || doing === "removing") && (
          <div class="actions start">
            {!isWatchOnly.value && start("words", t.common.showTheWords)}
            {start("xpub", t.settings.showTheXpub)}
            {start("password", wallet ? t.settings.changeThePassword : t.settings.keepItOnThisDevice)}
          </div>
        )}
        {doing === "words" && (
          <ShownWords yes={t.common.showTheWords} onNo={rest}>
            <div class="actions">
              <button type="button" class="button primary" onClick={rest}>{t.settings.hideThem}</button>
            </div>
          </ShownWords>
        )}
        {doing === "xpub" && <Xpub onDone={rest} />}
        {doing === "password" && <PasswordForm onDone={rest} />}
      </section>
      {wallet && (
        <section class="card" aria-label={t.settings.removeFromThisDevice}>
          {doing !== "removing" && start("removing", t.settings.removeFromThisDevice)}
          {doing === "removing" && (isWatchOnly.value ? <Removal onDone={rest} has={t.settings.iHaveItsWordsOr} /> : <Removing onDone={rest} />)}
        </section>
      )}
    </>
  );
}

function Name() {
  const wallet = openKept.value;
  const [name, setName] = useState(wallet?.name ?? "");
  if (!wallet) return null;
  return (
    <TextField
      label={t.common.name}
      value={name}
      onInput={(text) => {
        setName(text);
        if (text.trim() !== "") rename(wallet.id, text.trim());
      }}
      problem={name.trim() === "" ? t.common.enterAName : undefined}
    />
  );
}

function Xpub({ onDone }: { onDone(): void }) {
  const xpub = useEngine(() => call("xpub"), []).value ?? "";
  return (
    <Opened>
      <p>{multisig.value ? t.multisig.whoeverHasAllXpubs : t.settings.whoeverHasTheXpubCan}</p>
      <p class="mono with-copy">
        {xpub}
        <CopyButton text={xpub} what="xpub" small />
      </p>
      <div class="actions">
        <button type="button" class="button primary" onClick={onDone}>{t.settings.hideIt}</button>
      </div>
    </Opened>
  );
}

/** Nothing is removed whose words have not been seen before. */
function Removing({ onDone }: { onDone(): void }) {
  return (
    <ShownWords yes={t.settings.showTheWordsFirst} onNo={onDone} lead={t.settings.beforeItIsRemoved}>
      <Removal onDone={onDone} has={t.settings.iHaveTheseWordsOn} />
    </ShownWords>
  );
}

function Removal({ onDone, has }: { onDone(): void; has: string }) {
  const [agreed, setAgreed] = useState(false);
  const wallet = openKept.value;
  return (
    <>
      <p class="words-warning">{t.settings.withoutThemNobodyCanOpen}</p>
      <CheckField label={has} checked={agreed} onChange={setAgreed} />
      <Choice
        danger
        onNo={onDone}
        yes={t.settings.removeFromThisDevice}
        ready={agreed}
        onYes={() => {
          if (wallet) removeKept(wallet.id);
          onDone();
          notify(t.settings.theWalletIsGoneFrom, "good");
        }}
      />
    </>
  );
}
