// Has the words, and signs for a wallet in another thread: as it should, or as `manner` says.
import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import bitcore from "bitcore-lib";
import Mnemonic from "bitcore-mnemonic";

const root = new Mnemonic(workerData.words).toHDPrivateKey("");
const account = root.deriveNonCompliantChild(workerData.several ? "m/45'/280'/0'/0" : "m/44'/280'/0'/0");
const shown = workerData.several ? root.deriveNonCompliantChild("m/45'/280'/0'") : account;
const sha256 = (bytes) => createHash("sha256").update(bytes).digest();

function signed(digest, index) {
  const { r, s } = bitcore.crypto.ECDSA.sign(Buffer.from(digest, "hex"), account.deriveNonCompliantChild(index).privateKey);
  return Buffer.concat([r.toBuffer({ size: 32 }), s.toBuffer({ size: 32 })]).toString("hex");
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
