// Messages signed with the key of an address: they prove whose it is. Nothing of it goes to the network.
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { AddressField } from "../parts/AddressField";
import { CopyButton } from "../parts/CopyButton";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Labelled, TextField } from "../parts/Field";
import { isWatchOnly, multisig, view } from "../state/wallet";
import { t } from "../words";

function MessageField({ value, onInput, problem }: { value: string; onInput(text: string): void; problem: string | undefined }) {
  return (
    <Labelled label={t.receive.message} problem={problem}>
      {(control) => <textarea {...control} rows={3} value={value} onInput={(event) => onInput(event.currentTarget.value)} />}
    </Labelled>
  );
}

export function Messages() {
  return (
    <>
      {!isWatchOnly.value && !multisig.value && <Sign />}
      <Verify />
    </>
  );
}

function Sign() {
  const [message, setMessage] = useState("");
  const [address, setAddress] = useState(view.value?.address ?? "");
  const [addressProblem, setAddressProblem] = useState<string>();
  const [tried, setTried] = useState(false);
  const [signed, setSigned] = useState<{ of: string; signature: string }>();
  const [error, setError] = useState<unknown>();
  const asked = JSON.stringify([message, address]);

  const sign = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    setError(undefined);
    if (message === "" || addressProblem !== undefined) return;
    try {
      setSigned({ of: asked, signature: await call("signMessage", message, address) });
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <form class="card" onSubmit={sign} noValidate aria-labelledby="sign-title">
      <h2 id="sign-title">{t.receive.signAMessage}</h2>
      <p class="quiet-text">{t.receive.provesThatAnAddressIs}</p>
      <AddressField label={t.receive.yourAddress} value={address} tried={tried} onInput={setAddress} onChecked={setAddressProblem} />
      <MessageField value={message} onInput={setMessage} problem={tried && message === "" ? t.receive.enterAMessage : undefined} />
      <div class="actions">
        <button type="submit" class="button primary">{t.common.sign}</button>
      </div>
      <ErrorMessage error={error} />
      {signed?.of === asked && (
        <div role="status">
          <p>{t.receive.theSignature}</p>
          <p class="address mono with-copy" data-testid="signature">
            {signed.signature}
            <CopyButton text={signed.signature} what={t.receive.signature} small />
          </p>
        </div>
      )}
    </form>
  );
}

function Verify() {
  const [message, setMessage] = useState("");
  const [address, setAddress] = useState("");
  const [signature, setSignature] = useState("");
  const [addressProblem, setAddressProblem] = useState<string>();
  const [tried, setTried] = useState(false);
  const [found, setFound] = useState<{ of: string; valid: boolean }>();
  const [error, setError] = useState<unknown>();
  const asked = JSON.stringify([message, address, signature]);

  const verify = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    setError(undefined);
    if (signature === "" || addressProblem !== undefined) return;
    try {
      setFound({ of: asked, valid: await call("verifyMessage", message, address, signature) });
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <form class="card" onSubmit={verify} noValidate aria-labelledby="verify-title">
      <h2 id="verify-title">{t.receive.verifyAMessage}</h2>
      <p class="quiet-text">{t.receive.saysWhetherSomebodyHasSigned}</p>
      <AddressField label={t.receive.theirAddress} value={address} tried={tried} onInput={setAddress} onChecked={setAddressProblem} />
      <MessageField value={message} onInput={setMessage} problem={undefined} />
      <TextField
        label={t.receive.signature}
        look="mono"
        value={signature}
        onInput={(text) => setSignature(text.trim())}
        problem={tried && signature === "" ? t.receive.enterTheSignature : undefined}
      />
      <div class="actions">
        <button type="submit" class="button primary">{t.receive.verify}</button>
      </div>
      <ErrorMessage error={error} />
      <p role="status" class={found?.valid ? "verdict good" : "verdict problem"}>
        {found?.of === asked && (found.valid ? t.receive.whoHasThisAddressHas : t.receive.thisIsNoSignatureOf)}
      </p>
    </form>
  );
}
