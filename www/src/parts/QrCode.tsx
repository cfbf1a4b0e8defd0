// A QR code, drawn as one path. Always dark on light: scanners of phones want it so.
import { useMemo } from "preact/hooks";
import { encode } from "uqr";

const MARGIN = 3;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const { data } = encode(text, { ecc: "M", border: MARGIN });
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
