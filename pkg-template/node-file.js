// The WebAssembly file in Node, where it can be read without waiting.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** A function that reads the file from the first of these places where it is. */
export const readFrom = (places, otherwise) => () => {
  const missing = [];
  for (const place of places) {
    try {
      return readFileSync(place());
    } catch (error) {
      missing.push(error);
    }
  }
  const { message } = missing.find(({ path }) => path) ?? missing[0];
  throw new Error(`${message}: copy it from the package to there, ${otherwise}`);
};

export const open = (from) => {
  if (!URL.canParse(from)) return readFile(from);
  const url = new URL(from);
  return url.protocol === "file:" ? readFile(url) : fetch(url);
};
