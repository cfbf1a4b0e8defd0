// A new wallet: its words are shown, some are asked for, and then they leave the page.
import { useEffect, useState } from "preact/hooks";
import type { Words } from "../engine/api";
import { call } from "../engine/client";
import { Icon } from "../parts/Icon";
import { ErrorMessage } from "../parts/ErrorMessage";
import { TextField } from "../parts/Field";
import { notify } from "../state/notices";
import { BackButton } from "./BackButton";
import { ConfirmWords } from "./ConfirmWords";
import { Frame } from "./Frame";
import { KeepWords } from "./KeepWords";
import { t } from "../words";

type Step = "show" | "confirm" | "keep";

const CLIPBOARD_MS = 60_000;

/** The words in the clipboard are everybody's; after a minute they are gone, if the browser lets the page do that. */
async function copyWords(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
    notify(t.before.copiedEveryProgramCanRead, "bad");
    setTimeout(() => navigator.clipboard.writeText("").catch(() => {}), CLIPBOARD_MS);
  } catch {
    notify(t.before.theBrowserDidNotLet, "bad");
  }
}

interface Props {
  /** What follows when the words are there. */
  last?: (props: { keys: Words; onBack(): void }) => preact.JSX.Element;
}

export function Create({ last: Last = KeepWords }: Props) {
  const [words, setWords] = useState("");
  const [shown, setShown] = useState(false);
  const [step, setStep] = useState<Step>("show");
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    call("newWords").then(setWords, setError);
  }, []);

  const different = again !== passphrase;

  if (step === "confirm") {
    return <ConfirmWords words={words.split(" ")} onBack={() => setStep("show")} onDone={() => setStep("keep")} />;
  }
  if (step === "keep") return <Last keys={{ words, passphrase }} onBack={() => setStep("confirm")} />;

  return (
    <Frame
      wide
      title={t.before.writeDownThese24Words}
      lead={t.before.inThisOrderOnPaper}
    >
      <ErrorMessage error={error} />
      {shown && words ? (
        <ol class="words" lang="en" translate={false}>
          {words.split(" ").map((word, index) => (
            // The same word can be there twice.
            <li key={index}>{word}</li>
          ))}
        </ol>
      ) : (
        <div class="curtain">
          <Icon name="eye" />
          <p>{t.before.makeSureThatNobodyLooks}</p>
          <button type="button" class="button primary" disabled={words === ""} onClick={() => setShown(true)}>{t.common.showTheWords}</button>
        </div>
      )}
      {shown && (
        <details>
          <summary>{t.before.addAPassphraseBesidesThe}</summary>
          <TextField
            label={t.before.passphrase}
            type="password"
            autocomplete="new-password"
            hint={t.before.itIsNeededToRestore}
            value={passphrase}
            onInput={setPassphrase}
          />
          <TextField
            label={t.before.passphraseAgain}
            type="password"
            autocomplete="new-password"
            problem={different && again !== "" ? t.common.theTwoAreNotThe : undefined}
            value={again}
            onInput={setAgain}
          />
        </details>
      )}
      <div class="actions">
        <BackButton />
        {shown && (
          <>
            <button type="button" class="button" onClick={() => copyWords(words)}>
              <Icon name="copy" />
              {t.common.copy}
            </button>
            <button type="button" class="button primary" disabled={different} onClick={() => setStep("confirm")}>{t.before.iHaveWrittenThemDown}</button>
          </>
        )}
      </div>
    </Frame>
  );
}
