// Has the words, and signs for a wallet in another thread: as it should, or as `manner` says.
import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import bitcore from "bitcore-lib";
import Mnemonic from "bitcore-mnemonic";

const root = new Mnemonic(workerData.words).toHDPrivateKey("");
const account = root.deriveNonCompliantChild(workerData.several ? "m/45'/280'/0'/0" : "m/44'/280'/0'/0");
const shown = workerData.several ? root.deriveNonCompliantChild("m/45'/280'/0'") : account;
const sha256 = (bytes) => createHash("sha256").update(bytes).digest();

/** That library's own way leaves out a leading byte of zero. */
const bytes32 = (number) => number.toString(16).padStart(64, "0");

function signed(digest, index) {
  const { r, s } = bitcore.crypto.ECDSA.sign(Buffer.from(digest, "hex"), account.deriveNonCompliantChild(index).privateKey);
  return bytes32(r) + bytes32(s);
}

parentPort.on("message", ({ id, request, manner }) => {
  const { digest, indexes } = request;
  const answer = (signatures) => parentPort.postMessage({ id, signatures });
  switch (manner) {
    case "silent":
      return;
    case "refuses":
      return parentPort.postMessage({ id, error: "the button was not pressed" });
    case "another digest":
      return answer(indexes.map((index) => signed(sha256(digest).toString("hex"), index)));
    case "another key":
      return answer(indexes.map((index) => signed(digest, index + 1)));
    case "too few":
      return answer(indexes.slice(1).map((index) => signed(digest, index)));
    case "nonsense":
      return answer(indexes.map(() => "30"));
    default:
      return answer(indexes.map((index) => signed(digest, index)));
  }
});
parentPort.postMessage({ xpub: shown.hdPublicKey.xpubkey });
