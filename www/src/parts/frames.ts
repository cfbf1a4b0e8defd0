// A long text as a row of QR codes. Each frame says which of how many it is, and has checksums: one of the whole text, by which frames of
// one text are known, and one of its own, by which a torn one is left out. They may be read in any order.

const MARK = "HWF1";
/** Of a frame's text: codes of this size are read at once by any camera. */
const FRAME_CHARACTERS = 500;
/** Who films a screen is patient for a minute, not for more. */
const MOST_FRAMES = 100;

/** Whether a text is short enough for that. */
export const fitsFrames = (text: string): boolean => text.length <= MOST_FRAMES * FRAME_CHARACTERS;

export function framesOf(text: string): string[] {
  // Cut between characters: halves of one are no text.
  const characters = [...text];
  const count = Math.ceil(characters.length / FRAME_CHARACTERS);
  const whole = checksum(text);
  return Array.from({ length: count }, (_, at) => {
    const body = `${at + 1}/${count}|${whole}|${characters.slice(at * FRAME_CHARACTERS, (at + 1) * FRAME_CHARACTERS).join("")}`;
    return `${MARK}|${checksum(body)}|${body}`;
  });
}

export const isFrame = (text: string): boolean => text.startsWith(`${MARK}|`);

/** Puts frames together. */
export class Frames {
  #whole = "";
  #count = 0;
  readonly #parts = new Map<number, string>();

  /** How many frames of the text there are, and how many of them have been read. */
  get read(): { read: number; count: number } {
    return { read: this.#parts.size, count: this.#count };
  }

  /** The text, once the last of its frames is there. Frames of another text begin anew. */
  add(frame: string): string | undefined {
    const [, own, body] = /^HWF1\|([0-9a-f]{8})\|(.*)$/s.exec(frame) ?? [];
    if (body === undefined || own !== checksum(body)) return undefined;
    const [, number, total, whole = "", part = ""] = /^(\d{1,3})\/(\d{1,3})\|([0-9a-f]{8})\|(.*)$/s.exec(body) ?? [];
    const [at, count] = [Number(number), Number(total)];
    if (!(at >= 1 && at <= count && count <= MOST_FRAMES)) return undefined;
    if (whole !== this.#whole || count !== this.#count) this.#begin(whole, count);
    this.#parts.set(at, part);
    return this.#parts.size === count ? this.#end() : undefined;
  }

  #begin(whole: string, count: number): void {
    this.#parts.clear();
    this.#whole = whole;
    this.#count = count;
  }

  #end(): string | undefined {
    const text = Array.from({ length: this.#count }, (_, at) => this.#parts.get(at + 1)).join("");
    const whole = this.#whole;
    this.#begin("", 0);
    return checksum(text) === whole ? text : undefined;
  }
}

/** CRC-32, in eight digits: it is chance that tears frames, and what was read is looked over like any text. */
function checksum(text: string): string {
  let sum = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (~sum >>> 0).toString(16).padStart(8, "0");
}
