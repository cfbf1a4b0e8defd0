// The proposal as a signing file: for the command line, on a machine without a network, and for other programs.
import { useState } from "preact/hooks";
import { call } from "../../engine/client";
import { download } from "../../exporting";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { fitsFrames } from "../../parts/frames";
import { QrText } from "../../parts/QrFrames";
import { useEngine } from "../../parts/useEngine";
import type { Proposal } from "../../state/proposal";
import { t } from "../../words";

const DIGITS_OF_NAME = 8;

export function SigningFile({ proposal: { txHex, signatures } }: { proposal: Proposal }) {
  const [showing, setShowing] = useState(false);
  const file = useEngine(async () => {
    const text = await call("signingFile", txHex, signatures);
    const { hash } = JSON.parse(text) as { hash: string };
    return { text, name: `proposal-${hash.slice(0, DIGITS_OF_NAME)}.json` };
  }, [txHex, signatures]);
  const { value } = file;
  return (
    <section class="card" aria-labelledby="file-title">
      <h2 id="file-title">{t.multisig.signingFile}</h2>
      <p class="quiet-text">{t.multisig.whatASigningFileIs}</p>
      <ErrorMessage error={file.error} />
      {value && showing && <QrText text={value.text} label={t.multisig.qrCodeOfFile} />}
      {value && (
        <div class="actions start">
          <button type="button" class="button" onClick={() => download(value.name, "application/json", value.text)}>
            {t.multisig.saveFile}
          </button>
          {fitsFrames(value.text) && (
            <button type="button" class="button" aria-expanded={showing} onClick={() => setShowing(!showing)}>
              {showing ? t.multisig.hideItsQrCodes : t.multisig.showAsQrCodes}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
