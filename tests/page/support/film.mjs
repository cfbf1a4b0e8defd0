// A film of QR codes, which a browser takes for what its camera sees.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import encodeQR from "qr";

const [SIDE, SCALE] = [960, 8];

/** Its place is known before it is made: the browser opens it once it looks. */
export function newFilm() {
  const folder = mkdtempSync(join(tmpdir(), "wallet-film-"));
  const path = join(folder, "code.y4m");
  return {
    path,
    /** Shows the texts one after the other, and begins anew. */
    of(texts) {
      const frames = texts.map(frameOf);
      // One picture is no film.
      if (frames.length === 1) frames.push(frames[0]);
      writeFileSync(path, Buffer.concat([Buffer.from(`YUV4MPEG2 W${SIDE} H${SIDE} F5:1 Ip A1:1 C420jpeg\n`), ...frames]));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function frameOf(text) {
  const code = encodeQR(text, "raw", { ecc: "low", border: 4, scale: SCALE });
  const margin = Math.floor((SIDE - code.length) / 2);
  assert.ok(margin >= 0, "the code is too large for the film");
  const light = Buffer.alloc(SIDE * SIDE, 0xff);
  code.forEach((row, y) => row.forEach((dark, x) => dark && (light[(y + margin) * SIDE + x + margin] = 0)));
  return Buffer.concat([Buffer.from("FRAME\n"), light, Buffer.alloc((SIDE * SIDE) / 2, 0x80)]);
}
