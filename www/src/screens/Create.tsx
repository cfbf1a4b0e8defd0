// A new wallet: its words are shown, some are asked for, and then they leave the page.
import { useEffect, useState } from "preact/hooks";
import { call } from "../engine/client";
import { Icon } from "../parts/Icon";
import { ErrorMessage } from "../parts/ErrorMessage";
import { TextField } from "../parts/Field";
import { notify } from "../state/notices";
import { BackButton } from "./BackButton";
import { ConfirmWords } from "./ConfirmWords";
import { Frame } from "./Frame";
import { KeepWords } from "./KeepWords";

type Step = "show" | "confirm" | "keep";

const CLIPBOARD_MS = 60_000;

/** The words in the clipboard are everybody's; after a minute they are gone, if the browser lets the page do that. */
async function copyWords(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
    notify("Copied. Every program can read the clipboard: paste the words where they are safe within a minute.", "bad");
    setTimeout(() => navigator.clipboard.writeText("").catch(() => {}), CLIPBOARD_MS);
  } catch {
    notify("The browser did not let the page copy. Write the words down.", "bad");
  }
}

export function Create() {
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
  if (step === "keep") return <KeepWords keys={{ words, passphrase }} onBack={() => setStep("confirm")} />;

  return (
    <Frame
      wide
      title="Write down these 24 words"
      lead="In this order, on paper. They are the wallet: whoever has them has its money, and without them nobody can bring it back."
    >
      <ErrorMessage error={error} />
      {shown && words ? (
        <ol class="words">
          {words.split(" ").map((word, index) => (
            // The same word can be there twice.
            <li key={index}>{word}</li>
          ))}
        </ol>
      ) : (
        <div class="curtain">
          <Icon name="eye" />
          <p>Make sure that nobody looks over your shoulder, and that no screen is shared.</p>
          <button type="button" class="button primary" disabled={words === ""} onClick={() => setShown(true)}>
            Show the words
          </button>
        </div>
      )}
      {shown && (
        <details>
          <summary>Add a passphrase besides the words</summary>
          <TextField
            label="Passphrase"
            type="password"
            autocomplete="new-password"
            hint="It is needed to restore the wallet, as the words are, and is nowhere kept for you: write it down, at another place than the words."
            value={passphrase}
            onInput={setPassphrase}
          />
          <TextField
            label="Passphrase again"
            type="password"
            autocomplete="new-password"
            problem={different && again !== "" ? "The two are not the same." : undefined}
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
              Copy
            </button>
            <button type="button" class="button primary" disabled={different} onClick={() => setStep("confirm")}>
              I have written them down
            </button>
          </>
        )}
      </div>
    </Frame>
  );
}
