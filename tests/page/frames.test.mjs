// Long texts as rows of QR codes: read in any order, with repeats, a torn one among them, and frames of another text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

let vite;
let frames;

before(async () => {
  const configFile = fileURLToPath(new URL("../../www/vite.config.mjs", import.meta.url));
  vite = await createServer({ configFile, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
  frames = await vite.ssrLoadModule("/src/parts/frames.ts");
});

after(() => vite?.close());

/** 1,301 characters of one, two, three and four bytes. */
const TEXT = `${"aé€🦦".repeat(325)}.`;

test("a frame says its number, the count, and a checksum of the whole", () => {
  const all = frames.framesOf("7".repeat(1_001));
  // CRC-32, as zlib has it.
  assert.deepEqual(
    all.map((frame) => frame.replace(/7{2,}/, (run) => `7 × ${run.length}`)),
    ["HWF1|8c4ab31d|1/3|7c384979|7 × 500", "HWF1|d2a4dd7e|2/3|7c384979|7 × 500", "HWF1|34292b9d|3/3|7c384979|7"],
  );
  assert.ok(all.every(frames.isFrame) && !frames.isFrame("HWF2|") && !frames.isFrame("00010001"));
  assert.deepEqual([50_000, 50_001].map((length) => frames.fitsFrames("7".repeat(length))), [true, false]);
});

test("frames are put together in any order, with repeats, and without a torn one", () => {
  const [one, two, three] = frames.framesOf(TEXT);
  const reader = new frames.Frames();
  const torn = [one.slice(0, -3), one.replace("aé", "éa"), one.replace("1/3", "2/3"), "HWF1|", "HWF1|00000000|1/3|00000000|x"];
  assert.equal(reader.add(three), undefined);
  for (const frame of [...torn, three]) assert.equal(reader.add(frame), undefined);
  assert.deepEqual(reader.read, { read: 1, count: 3 });
  assert.equal(reader.add(two), undefined);
  assert.equal(reader.add(two), undefined);
  assert.deepEqual(reader.read, { read: 2, count: 3 });
  assert.equal(reader.add(one), TEXT);
  assert.deepEqual(reader.read, { read: 0, count: 0 });
});

test("frames of another text begin anew, and are not mixed with those before", () => {
  const [first, second] = [TEXT, TEXT.toUpperCase()].map(frames.framesOf);
  const reader = new frames.Frames();
  reader.add(first[0]);
  reader.add(first[1]);
  assert.equal(reader.add(second[2]), undefined);
  assert.deepEqual(reader.read, { read: 1, count: 3 });
  reader.add(second[1]);
  assert.equal(reader.add(second[0]), TEXT.toUpperCase());
});
