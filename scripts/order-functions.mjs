// The order of a WebAssembly file's functions. gzip finds what comes again within 32 kB and nothing farther
// away, so the file that is sent is smaller by a thirty-fifth where functions that are alike are neighbours.

import { HEADER, IMPORTS, leb, writeLeb, writeText } from "./short-imports.mjs";

/** Kinds of sections, and of a part of the one called "name". */
const CUSTOM = 0;
const CODE = 10;
const FUNCTION_NAMES = 1;

/** How many bytes count as a piece of code, and in how many functions one may be and still say something. */
const PIECE = 5;
const COMMON = 200;
/** How far back, in bytes, likeness counts: less than gzip's window, of which the rest is for what comes between. */
const BACK = 12_000;

/** The sections of a file: the number of each, and its content. */
function sectionsOf(wasm) {
  const sections = [];
  for (let at = HEADER; at < wasm.length; ) {
    const [size, start] = leb(wasm, at + 1);
    sections.push({ id: wasm[at], content: wasm.subarray(start, start + size) });
    at = start + size;
  }
  return sections;
}

/** How many functions are imported: all imports are, and shortImports would refuse others. */
const imports = (sections) => leb(sections.find(({ id }) => id === IMPORTS).content, 0)[0];

/** The code of each function. */
function bodiesIn({ content }) {
  const [count, first] = leb(content, 0);
  const bodies = [];
  for (let at = first; bodies.length < count; ) {
    const [size, start] = leb(content, at);
    bodies.push(content.subarray(start, start + size));
    at = start + size;
  }
  return bodies;
}

/** The pieces of each function that are in others, too. */
function piecesOf(bodies) {
  const of = bodies.map((body) => {
    const pieces = new Set();
    for (let at = 0; at + PIECE <= body.length; at++) {
      let hash = 0;
      for (let i = at; i < at + PIECE; i++) {
        hash = Math.imul(hash, 16_777_619) ^ body[i];
      }
      pieces.add(hash);
    }
    return [...pieces];
  });
  const holders = new Map();
  of.forEach((pieces, index) => pieces.forEach((piece) => holders.get(piece)?.push(index) ?? holders.set(piece, [index])));
  const shared = ({ length }) => length > 1 && length < COMMON;
  return of.map((pieces) => pieces.map((piece) => holders.get(piece)).filter(shared));
}

/** The places of functions, each next to those that it has most in common with. */
function order(bodies) {
  const pieces = piecesOf(bodies);
  const likeness = new Float64Array(bodies.length);
  const inReach = new Map();
  const count = (index, by) => {
    for (const holders of pieces[index]) {
      const times = (inReach.get(holders) ?? 0) + by;
      inReach.set(holders, times);
      if (times === Math.max(by, 0)) {
        holders.forEach((other) => (likeness[other] += by / Math.log2(1 + holders.length)));
      }
    }
  };
  const left = new Set(bodies.keys());
  const ordered = [];
  let [next] = [...left].sort((one, other) => bodies[other].length - bodies[one].length || one - other);
  for (let reach = 0, first = 0; left.size > 0; ) {
    left.delete(next);
    ordered.push(next);
    count(next, 1);
    for (reach += bodies[next].length; reach > BACK && first < ordered.length - 1; first++) {
      count(ordered[first], -1);
      reach -= bodies[ordered[first]].length;
    }
    let best = -Infinity;
    for (const index of left) {
      // Of a long function, more is like others by chance.
      const of = likeness[index] / Math.sqrt(bodies[index].length + 30);
      if (of > best) {
        [best, next] = [of, index];
      }
    }
  }
  return ordered;
}

/** The file with names for its functions that give, sorted, the order in which they are best. */
export function nameByOrder(wasm) {
  const sections = sectionsOf(wasm);
  const bodies = bodiesIn(sections.find(({ id }) => id === CODE));
  const section = (id, ...content) => [Buffer.of(id), sized(...content)];
  const named = order(bodies).map((index, place) => [imports(sections) + index, String(place).padStart(6, "0")]);
  named.sort(([one], [other]) => one - other);
  const names = named.flatMap(([index, name]) => [writeLeb(index), writeText(name)]);
  return Buffer.concat([
    wasm.subarray(0, HEADER),
    ...sections.filter(({ id }) => id !== CUSTOM).flatMap(({ id, content }) => section(id, content)),
    ...section(CUSTOM, writeText("name"), ...section(FUNCTION_NAMES, writeLeb(named.length), ...names)),
  ]);
}

function sized(...parts) {
  const content = Buffer.concat(parts);
  return Buffer.concat([writeLeb(content.length), content]);
}
