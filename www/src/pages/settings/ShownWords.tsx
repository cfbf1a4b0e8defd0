// The words of the open wallet, shown to who has its password.
import { useState } from "preact/hooks";
import { call } from "../../engine/client";
import { TextField } from "../../parts/Field";
import { ErrorMessage } from "../../parts/ErrorMessage";
import { openKept } from "../../state/wallets";
import { Choice } from "./Choice";
import { Opened } from "./Opened";
import { t } from "../../words";

interface Props {
  yes: string;
  onNo(): void;
  /** What stands above them. */
  lead?: string;
  /** What stands below the words once they are shown. */
  children: preact.ComponentChildren;
}

export function ShownWords({ yes, onNo, lead, children }: Props) {
  const [password, setPassword] = useState("");
  const [words, setWords] = useState<string[]>([]);
  const [error, setError] = useState<unknown>();
  const show = async (): Promise<void> => {
    setError(undefined);
    try {
      // Whoever finds the wallet open must not learn the words without the password.
      if (openKept.value) await call("unlock", openKept.value.sealed, password);
      setWords((await call("reveal")).words.split(" "));
    } catch (problem) {
      setError(problem);
    }
  };
  if (words.length > 0) {
    return (
      <Opened key="words">
        {lead && <p>{lead}</p>}
        <ol class="words" lang="en" translate={false}>
          {words.map((word, index) => (
            // The same word can be there twice.
            <li key={index}>{word}</li>
          ))}
        </ol>
        {children}
      </Opened>
    );
  }
  return (
    <Opened>
      <p>{t.settings.whoeverSeesTheWordsCan}</p>
      {openKept.value && (
        <TextField
          label={t.common.password}
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={(text) => {
            setPassword(text);
            setError(undefined);
          }}
        />
      )}
      <Choice onNo={onNo} yes={yes} onYes={show} />
      <ErrorMessage error={error} />
    </Opened>
  );
}
