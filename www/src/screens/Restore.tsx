// A wallet from its words, which are checked as they are typed.
import { useEffect, useState } from "preact/hooks";
import { call } from "../engine/client";
import { CheckField, TextField } from "../parts/Field";
import { WordGrid, COUNT } from "../parts/WordGrid";
import { plural } from "../text";
import { BackButton } from "./BackButton";
import { Frame } from "./Frame";
import { KeepWords } from "./KeepWords";

const NONE = Array.from({ length: COUNT }, () => "");

/** What stands in the way of these words, in one sentence; nothing if they are a wallet's. */
function verdict(words: string[], list: Set<string>, valid: boolean | undefined): { text: string; bad: boolean } {
  const filled = words.filter((word) => word !== "").length;
  const unknown = words.flatMap((word, at) => (list.size > 0 && word !== "" && !list.has(word) ? [at + 1] : []));
  if (unknown.length > 0 && filled === COUNT) {
    const which = unknown.length === 1 ? `Word ${unknown[0]} is` : `Words ${unknown.slice(0, -1).join(", ")} and ${unknown.at(-1)} are`;
    return { text: `${which} not in the list of words. Check the spelling.`, bad: true };
  }
  if (filled < COUNT) return { text: `${filled} of ${COUNT} words. You can paste them all at once.`, bad: false };
  if (valid === undefined) return { text: "Checking…", bad: false };
  if (!valid) {
    return { text: "All words are known, but they don't belong together. Check their order, and look for one that is mistaken for another.", bad: true };
  }
  return { text: `✓ ${plural(COUNT, "word")}, and they belong together.`, bad: false };
}

export function Restore() {
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

  if (done) return <KeepWords keys={{ words: words.join(" "), passphrase }} onBack={() => setDone(false)} />;

  const says = verdict(words, new Set(list), valid);
  const submit = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    if (valid) setDone(true);
  };

  return (
    <Frame wide title="Restore a wallet" lead="Type its 24 words in their order. Each is checked as you type.">
      <form onSubmit={submit} noValidate>
        <WordGrid words={words} list={list} hidden={hidden} onChange={setWords} />
        <p class={says.bad || (tried && !valid) ? "verdict problem" : valid ? "verdict good" : "verdict"} role="status">
          {says.text}
        </p>
        <CheckField label="Hide the words" checked={hidden} onChange={setHidden} />
        <details>
          <summary>The wallet has a passphrase besides its words</summary>
          <TextField
            label="Passphrase"
            type="password"
            hint="Another passphrase is another wallet: a wrong one opens an empty wallet, with no error."
            value={passphrase}
            onInput={setPassphrase}
          />
        </details>
        <div class="actions">
          <BackButton />
          <button type="submit" class="button primary" disabled={!valid}>
            Continue
          </button>
        </div>
      </form>
    </Frame>
  );
}
