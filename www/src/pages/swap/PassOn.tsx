// The swap as a text for the others: to copy, and as a QR code where it is short enough.
import { useId, useState } from "preact/hooks";
import { CopyButton } from "../../parts/CopyButton";
import { Labelled } from "../../parts/Field";
import { MAX_QR_TEXT, QrCode } from "../../parts/QrCode";
import { type Swap, textOf } from "../../state/swap";
import { t } from "../../words";

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
      <h2 id={id}>{t.swap.passItOn}</h2>
      <p class="quiet-text">{hint}</p>
      <Labelled label={t.swap.theSwapAsText}>{(control) => <textarea {...control} class="mono" rows={4} readOnly value={text} />}</Labelled>
      {showing && fits && <QrCode text={text} label={t.swap.qrCodeOfTheSwap} />}
      <div class="actions start">
        <CopyButton text={text} what={t.common.swap} label={swap.signatures.length > 0 ? t.swap.copyAllOfIt : t.swap.copyTheProposal} />
        {fits && (
          <button type="button" class="button" aria-expanded={showing} onClick={() => setShowing(!showing)}>
            {showing ? t.swap.hideTheQRCode : t.swap.showAsAQRCode}
          </button>
        )}
        {swap.signatures.length > 0 && <CopyButton text={swap.proposal} what={t.swap.proposal} label={t.swap.copyTheProposalAlone} />}
        {swap.own && <CopyButton text={swap.own} what={t.swap.signatures} label={t.swap.copyYourSignaturesAlone} />}
      </div>
      {!fits && <p class="hint">{t.swap.itIsTooLongFor}</p>}
    </section>
  );
}
