// A QR code, drawn as one path. Always dark on light: scanners of phones want it so.
import { useMemo } from "preact/hooks";
import encodeQR from "qr";

/** Squares of light around it, as ISO/IEC 18004 asks for. */
const MARGIN = 4;

/** The longest text that phones read without effort. */
export const MAX_QR_TEXT = 1_800;
/** Longer ones give up some of what makes up for dirt and scratches: a screen has none. */
const LONG_TEXT = 300;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const data = encodeQR(text, "raw", { ecc: text.length > LONG_TEXT ? "low" : "medium", border: MARGIN });
    const squares = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
    return { path: squares.join(""), size: data.length };
  }, [text]);
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#14131c" />
    </svg>
  );
}
