// What an output pays, from the bytes of its script: with Node's own hashes, not the package's.
import { createHash } from "node:crypto";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest();
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The address of a hash of 20 bytes: of one key or of several, on the local network. */
export function addressOf(version, hash) {
  const payload = Buffer.from([version, ...hash]);
  let number = BigInt(`0x${Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]).toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  return text;
}

/** One line: value, token and address or text, as in tests/cases. */
export function output({ value, tokenData: marker, script: hex }) {
  const data = Buffer.from(hex, "hex");
  const token = marker & 127;
  const amount = marker === 0 ? `${value} HTR` : marker < 128 ? `${value} #${token}` : `${value === 1n ? "mint" : "melt"} #${token}`;
  const [, lock, key, group] = hex.match(/^(?:04(.{8})6f)?(?:76a914(.{40})88ac|a914(.{40})87)$/) ?? [];
  if (key ?? group) {
    const address = addressOf(key ? 73 : 135, Buffer.from(key ?? group, "hex"));
    return lock ? `${amount} ${address} until ${Number.parseInt(lock, 16)}` : `${amount} ${address}`;
  }
  return `${amount} data:${data.subarray(data[0] === 76 ? 2 : 1, -1)}`;
}
