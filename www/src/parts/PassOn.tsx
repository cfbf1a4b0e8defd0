// A text for others: to copy, as a whole and in parts, and as QR codes where it is not far too long.
import { useId, useState } from "preact/hooks";
import { t } from "../words";
import { CopyButton } from "./CopyButton";
import { Labelled } from "./Field";
import { fitsFrames } from "./frames";
import { QrText } from "./QrFrames";

interface Copied {
  text: string;
  /** What it is, for the notice, and what its button says. */
  what: string;
  label: string;
}

interface Props {
  /** What the others are to do with it. */
  hint: string;
  /** What the text is called, and the QR code. */
  label: string;
  qrLabel: string;
  whole: Copied;
  parts: Copied[];
}

export function PassOn({ hint, label, qrLabel, whole, parts }: Props) {
  const [showing, setShowing] = useState(false);
  const id = useId();
  const fits = fitsFrames(whole.text);
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{t.swap.passItOn}</h2>
      <p class="quiet-text">{hint}</p>
      <Labelled label={label}>{(control) => <textarea {...control} class="mono" rows={4} readOnly value={whole.text} />}</Labelled>
      {showing && fits && <QrText text={whole.text} label={qrLabel} />}
      <div class="actions start">
        <CopyButton {...whole} />
        {fits && (
          <button type="button" class="button" aria-expanded={showing} onClick={() => setShowing(!showing)}>
            {showing ? t.swap.hideTheQRCode : t.swap.showAsAQRCode}
          </button>
        )}
        {parts.map((part) => (
          <CopyButton key={part.label} {...part} />
        ))}
      </div>
      {!fits && <p class="hint">{t.swap.itIsTooLongFor}</p>}
    </section>
  );
}
