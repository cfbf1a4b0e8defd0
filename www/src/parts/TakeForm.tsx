// Takes what others have passed on: pasted, scanned, or read of a picture or of files.
import { useId, useRef, useState } from "preact/hooks";
import { ErrorMessage } from "./ErrorMessage";
import { Labelled } from "./Field";
import { QrButtons } from "./QrButtons";
import { t } from "../words";

interface Props {
  label: string;
  hint: string;
  /** What such a text begins with. */
  placeholder: string;
  /** It may come in files, too. */
  files?: boolean;
  /** Fails if it is none that can be taken. */
  onText(text: string): Promise<void>;
}

export function TakeForm({ label, hint, placeholder, files = false, onText }: Props) {
  const [text, setText] = useState("");
  /** What is wrong with a text: it is told for as long as that very text stands there. */
  const [refused, setRefused] = useState<{ text: string; error: unknown }>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const chosen = useRef<HTMLInputElement>(null);
  const take = async (given: string): Promise<void> => {
    setText(given);
    setRefused(undefined);
    setBusy(true);
    try {
      await onText(given);
      setText("");
    } catch (problem) {
      setRefused({ text: given, error: problem });
      document.getElementById(id)?.querySelector("textarea")?.focus();
    }
    setBusy(false);
  };
  const takeAll = async (given: File[]): Promise<void> => {
    for (const file of given) await take(await file.text());
  };
  return (
    <form
      id={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void take(text);
      }}
    >
      <Labelled label={label} hint={hint}>
        {(control) => (
          <textarea
            {...control}
            class="mono"
            rows={4}
            spellcheck={false}
            autocapitalize="none"
            placeholder={placeholder}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Labelled>
      <ErrorMessage error={refused?.text === text ? refused.error : undefined} />
      <div class="actions start">
        <button type="submit" class="button primary" disabled={busy}>{t.swap.readIt}</button>
        {files && (
          <button type="button" class="button" disabled={busy} onClick={() => chosen.current?.click()}>
            {t.multisig.readFiles}
          </button>
        )}
        <QrButtons onText={(scanned) => void take(scanned)} />
      </div>
      {files && (
        <input
          ref={chosen}
          type="file"
          accept=".json,application/json"
          multiple
          hidden
          aria-label={t.multisig.readFiles}
          onChange={(event) => {
            const { currentTarget: input } = event;
            // The same file can be chosen again.
            void takeAll([...(input.files ?? [])]).finally(() => (input.value = ""));
          }}
        />
      )}
    </form>
  );
}
