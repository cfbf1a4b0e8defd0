// wasm-bindgen names each import after a hash, twice: in the WebAssembly file and in the JavaScript beside it. Nothing compresses
// worse, so both get numbers instead. (The format: "Modules" in the WebAssembly core specification, 5.5.)

export const HEADER = 8;
export const IMPORTS = 2;
const FUNCTION = 0;

/** Numbers for the names of the imports: in the file `wasm`, a Buffer, and in `js`, whose exports they are and which is called `from` there. */
export function shortImports(wasm, js, from) {
  const { start, payload, end } = importSection(wasm);
  const names = new Map();
  const [count, first] = leb(wasm, payload);
  const entries = [writeLeb(count)];
  let at = first;
  for (let i = 0; i < count; i++) {
    const [module, afterModule] = text(wasm, at);
    const [name, kind] = text(wasm, afterModule);
    const [type, next] = leb(wasm, kind + 1);
    if (wasm[kind] !== FUNCTION || module !== from) {
      throw new Error(`import ${name} of ${module} is no function of wasm-bindgen's`);
    }
    names.set(name, `_${i}`);
    entries.push(writeText("./bindings.js"), writeText(`_${i}`), Buffer.of(FUNCTION), writeLeb(type));
    at = next;
  }
  const section = Buffer.concat(entries);
  return {
    wasm: Buffer.concat([wasm.subarray(0, start), Buffer.of(IMPORTS), writeLeb(section.length), section, wasm.subarray(end)]),
    js: js.replace(/\b__wb\w+/g, (name) => names.get(name) ?? name),
  };
}

/** Where the section of the imports starts, where its content starts, and where it ends. */
function importSection(wasm) {
  for (let start = HEADER; start < wasm.length; ) {
    const [size, payload] = leb(wasm, start + 1);
    if (wasm[start] === IMPORTS) {
      return { start, payload, end: payload + size };
    }
    start = payload + size;
  }
  throw new Error("the WebAssembly file imports nothing");
}

/** An integer of variable length, and where it ends. */
export function leb(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      return [value, at];
    }
  }
}

function text(bytes, at) {
  const [length, start] = leb(bytes, at);
  return [bytes.toString("utf8", start, start + length), start + length];
}

export function writeLeb(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) {
    bytes.push((value & 0x7f) | 0x80);
  }
  return Buffer.from([...bytes, value]);
}

export const writeText = (text) => Buffer.concat([writeLeb(Buffer.byteLength(text)), Buffer.from(text)]);
