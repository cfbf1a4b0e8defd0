// Signing a file as a participant does it who has the command line, and no network.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY } from "./devnet.mjs";

/** The file with the signatures of a participant's words. */
export function signedBy(seed, file) {
  const folder = mkdtempSync(join(tmpdir(), "wallet-signing-"));
  const [given, words, signed] = ["file.json", "words", "signed.json"].map((name) => join(folder, name));
  writeFileSync(given, JSON.stringify(file));
  writeFileSync(words, seed, { mode: 0o600 });
  // Whoever asks for a network there finds none.
  const args = ["wallet", "sign-file", given, "--seed-file", words, "--out", signed];
  execFileSync(BINARY, args, { env: { ...process.env, HEADLESS_URL: "http://127.0.0.1:1" }, stdio: ["ignore", "ignore", "pipe"] });
  const read = JSON.parse(readFileSync(signed, "utf8"));
  rmSync(folder, { recursive: true });
  return read;
}
