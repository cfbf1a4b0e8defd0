// A text as QR codes one after the other, for a camera that watches until it has all of them.
import { useEffect, useMemo, useState } from "preact/hooks";
import { mayMove } from "../state/theme";
import { t } from "../words";
import { framesOf } from "./frames";
import { MAX_QR_TEXT, QrCode } from "./QrCode";

/** Long enough for any camera to see each, whose frames come some 30 times a second. */
const FRAME_MS = 350;

/** A short text is one code. */
export function QrText({ text, label }: { text: string; label: string }) {
  return text.length <= MAX_QR_TEXT ? <QrCode text={text} label={label} /> : <QrFrames key={text} text={text} label={label} />;
}

function QrFrames({ text, label }: { text: string; label: string }) {
  const frames = useMemo(() => framesOf(text), [text]);
  const [at, setAt] = useState(0);
  const [moving, setMoving] = useState(mayMove);
  const next = (): void => setAt((last) => (last + 1) % frames.length);
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(next, FRAME_MS);
    return () => clearInterval(timer);
  }, [moving]);
  return (
    <div class="qr-frames">
      <QrCode text={frames[at] ?? ""} label={label} />
      <div class="actions start">
        <span>{t.swap.codeOf(at + 1, frames.length)}</span>
        <button type="button" class="button small" onClick={() => setMoving(!moving)}>
          {moving ? t.swap.stopHere : t.swap.showOneAfterTheOther}
        </button>
        <button type="button" class="button small" onClick={next}>
          {t.swap.nextCode}
        </button>
      </div>
      <p class="hint">{t.swap.letTheCameraWatch}</p>
    </div>
  );
}
