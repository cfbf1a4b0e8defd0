// A wallet from its words, which are checked as they are typed.
import { useEffect, useState } from "preact/hooks";
import type { Words } from "../engine/api";
import { call } from "../engine/client";
import { CheckField, TextField } from "../parts/Field";
import { WordGrid, COUNT } from "../parts/WordGrid";
import { BackButton } from "./BackButton";
import { Frame } from "./Frame";
import { KeepWords } from "./KeepWords";
import { t } from "../words";

const NONE = Array.from({ length: COUNT }, () => "");

/** What stands in the way of these words, in one sentence; nothing if they are a wallet's. */
function verdict(words: string[], list: Set<string>, valid: boolean | undefined): { text: string; bad: boolean } {
  const filled = words.filter((word) => word !== "").length;
  const unknown = words.flatMap((word, at) => (list.size > 0 && word !== "" && !list.has(word) ? [at + 1] : []));
  if (unknown.length > 0 && filled === COUNT) {
    return { text: unknown.length === 1 ? t.before.notInList(unknown[0] ?? 0) : t.before.severalNotInList(unknown), bad: true };
  }
  if (filled < COUNT) return { text: t.before.ofWordsYouCanPaste(filled, COUNT), bad: false };
  if (valid === undefined) return { text: t.before.checking, bad: false };
  if (!valid) {
    return { text: t.before.allWordsAreKnownBut, bad: true };
  }
  return { text: t.before.theyBelongTogether(COUNT), bad: false };
}

interface Props {
  /** What follows when the words are there. */
  last?: (props: { keys: Words; onBack(): void }) => preact.JSX.Element;
}

export function Restore({ last: Last = KeepWords }: Props) {
  const [words, setWords] = useState<string[]>(NONE);
  const [list, setList] = useState<string[]>([]);
  const [valid, setValid] = useState<boolean>();
  const [hidden, setHidden] = useState(false);
  const [passphrase, setPassphrase] = useState("");
  const [tried, setTried] = useState(false);
  const [done, setDone] = useState(false);

  useEffect(() => {
    call("wordList").then(setList, () => {});
  }, []);
  useEffect(() => {
    let current = true;
    setValid(undefined);
    if (words.every((word) => word !== "")) {
      call("checkWords", words.join(" ")).then(
        (check) => current && setValid(check.valid),
        () => current && setValid(false),
      );
    }
    return () => {
      current = false;
    };
  }, [words]);

  if (done) return <Last keys={{ words: words.join(" "), passphrase }} onBack={() => setDone(false)} />;

  const says = verdict(words, new Set(list), valid);
  const submit = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    if (valid) setDone(true);
  };

  return (
    <Frame wide title={t.before.restoreAWallet} lead={t.before.typeIts24WordsIn}>
      <form onSubmit={submit} noValidate>
        <WordGrid words={words} list={list} hidden={hidden} onChange={setWords} />
        <p class={says.bad || (tried && !valid) ? "verdict problem" : valid ? "verdict good" : "verdict"} role="status">
          {says.text}
        </p>
        <CheckField label={t.before.hideTheWords} checked={hidden} onChange={setHidden} />
        <details>
          <summary>{t.before.theWalletHasAPassphrase}</summary>
          <TextField
            label={t.before.passphrase}
            type="password"
            hint={t.before.anotherPassphraseIsAnotherWallet}
            value={passphrase}
            onInput={setPassphrase}
          />
        </details>
        <div class="actions">
          <BackButton />
          <button type="submit" class="button primary" disabled={!valid}>{t.before.continue}</button>
        </div>
      </form>
    </Frame>
  );
}
