// The swap as a text for the others: to copy, and as a QR code where it is short enough.
import { useId, useState } from "preact/hooks";
import { CopyButton } from "../../parts/CopyButton";
import { Labelled } from "../../parts/Field";
import { MAX_QR_TEXT, QrCode } from "../../parts/QrCode";
import { type Swap, textOf } from "../../state/swap";

interface Props {
  swap: Swap;
  /** What the others are to do with it. */
  hint: string;
}

export function PassOn({ swap, hint }: Props) {
  const [showing, setShowing] = useState(false);
  const id = useId();
  const text = textOf(swap);
  const fits = text.length <= MAX_QR_TEXT;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>Pass it on</h2>
      <p class="quiet-text">{hint}</p>
      <Labelled label="The swap as text">{(control) => <textarea {...control} class="mono" rows={4} readOnly value={text} />}</Labelled>
      {showing && fits && <QrCode text={text} label="QR code of the swap" />}
      <div class="actions start">
        <CopyButton text={text} what="Swap" label={swap.signatures.length > 0 ? "Copy all of it" : "Copy the proposal"} />
        {fits && (
          <button type="button" class="button" aria-expanded={showing} onClick={() => setShowing(!showing)}>
            {showing ? "Hide the QR code" : "Show as a QR code"}
          </button>
        )}
        {swap.signatures.length > 0 && <CopyButton text={swap.proposal} what="Proposal" label="Copy the proposal alone" />}
        {swap.own && <CopyButton text={swap.own} what="Signatures" label="Copy your signatures alone" />}
      </div>
      {!fits && <p class="hint">It is too long for a QR code.</p>}
    </section>
  );
}
