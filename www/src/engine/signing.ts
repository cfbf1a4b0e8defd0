// Signing files of a multisig wallet. Participants know signatures by accounts, as `mySignatures` writes them; a file knows them by the
// keys of the spent addresses, which stand in redeem scripts in the order of the accounts' keys.
import { isWalletError, type SigningFile, type Wallet } from "headless-wallet";

/** What a file brings: a transaction, and one text of each participant who has signed. */
export interface FromFile {
  txHex: string;
  signatures: string[];
}

/** With all signatures of a proposal. */
export async function fileOf(wallet: Wallet, txHex: string, signatures: string[]): Promise<string> {
  const file = await wallet.signingFile({ txHex });
  const accounts = accountsOf(file);
  const theirs = signatures.flatMap((text) => {
    const [account = "", ...signed] = text.split("|");
    return signed.map((one) => {
      const [place, signature = ""] = one.split(":");
      const input = Number(place);
      return { input, publicKey: keysOf(file, input)[accounts.indexOf(account)] ?? "", signature };
    });
  });
  theirs.sort((a, b) => a.input - b.input || (a.publicKey < b.publicKey ? -1 : 1));
  return JSON.stringify({ ...file, signatures: theirs });
}

/** `open` is the proposal that a file must be of, if there is one. Nothing if it is of another. */
export async function readFile(wallet: Wallet, text: string, open: string | undefined): Promise<FromFile | undefined> {
  const given = JSON.parse(text) as SigningFile;
  const own = await wallet.signingFile({ txHex: open ?? given.transaction });
  if (own.hash !== given.hash) {
    if (open === undefined) throw new Error("`hash` is not that of `transaction`");
    return undefined;
  }
  await check(wallet, [own, given]);
  const accounts = accountsOf(own);
  const texts = new Map<string, string>();
  for (const { input, publicKey, signature } of given.signatures) {
    const account = accounts[keysOf(own, input).indexOf(publicKey)] ?? "";
    texts.set(account, `${texts.get(account) ?? account}|${input}:${signature}`);
  }
  return { txHex: open ?? own.transaction, signatures: [...texts.values()] };
}

/** The package reads files strictly, and checks each signature; that others are missing yet is no fault. */
async function check(wallet: Wallet, files: SigningFile[]): Promise<void> {
  try {
    await wallet.pushSigningFile({ files }, { dryRun: true });
  } catch (error) {
    if (!isWalletError(error) || !/^Invalid signing file: input \d+ has \d+ of \d+ signatures$/.test(error.message)) throw error;
  }
}

/** The public keys of the participants' accounts, in their order. */
const accountsOf = ({ account }: SigningFile): string[] => (account.participants ?? []).map(keyOf).sort();

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const KEY_DIGITS = 66;
const CHECKSUM_DIGITS = 8;

/** An xpub ends with its key and a checksum. */
function keyOf(xpub: string): string {
  const number = [...xpub].reduce((sum, digit) => sum * 58n + BigInt(BASE58.indexOf(digit)), 0n);
  return number.toString(16).slice(-KEY_DIGITS - CHECKSUM_DIGITS, -CHECKSUM_DIGITS);
}

/** The keys of an input's redeem script, which has each behind a byte of its length. */
function keysOf({ inputs }: SigningFile, place: number): string[] {
  const { redeemScript = "" } = inputs.find(({ index }) => index === place) ?? {};
  return [...redeemScript.slice(2).matchAll(/21(0[23][0-9a-f]{64})/gy)].map(([, key = ""]) => key);
}
