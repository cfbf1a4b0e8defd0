// The words of the open wallet: showing them, keeping them on this device, forgetting them.
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { TextField } from "../parts/Field";
import { ErrorMessage } from "../parts/ErrorMessage";
import { passwordProblem } from "../screens/KeepWords";
import { notify } from "../state/notices";
import { forgetWords, keepWords, sealed } from "../state/vault";

type Doing = "nothing" | "asking" | "showing" | "keeping" | "forgetting";

export function WordsSettings() {
  const [doing, setDoing] = useState<Doing>("nothing");
  const [password, setPassword] = useState("");
  const [words, setWords] = useState<string[]>([]);
  const [error, setError] = useState<unknown>();

  const rest = (): void => {
    setDoing("nothing");
    setPassword("");
    setWords([]);
    setError(undefined);
  };
  const type = (text: string): void => {
    setPassword(text);
    setError(undefined);
  };
  const attempt = async (run: () => Promise<void>): Promise<void> => {
    setError(undefined);
    try {
      await run();
    } catch (problem) {
      setError(problem);
    }
  };
  const show = (): Promise<void> =>
    attempt(async () => {
      // Whoever finds the wallet open must not learn the words without the password.
      if (sealed.value) await call("unlock", sealed.value, password);
      const { words: held } = await call("reveal");
      setWords(held.split(" "));
      setDoing("showing");
    });
  const keep = (): Promise<void> =>
    attempt(async () => {
      const weak = passwordProblem(password);
      if (weak) throw new Error(weak);
      await keepWords(password);
      rest();
      notify("The words are kept on this device, encrypted.", "good");
    });

  return (
    <fieldset class="plain">
      <legend>The 24 words</legend>
      {doing === "nothing" && (
        <div class="actions start">
          <button type="button" class="button" onClick={() => setDoing("asking")}>
            Show the words
          </button>
          {sealed.value ? (
            <button type="button" class="button" onClick={() => setDoing("forgetting")}>
              Forget them on this device
            </button>
          ) : (
            <button type="button" class="button" onClick={() => setDoing("keeping")}>
              Keep them on this device
            </button>
          )}
        </div>
      )}
      {doing === "asking" && (
        <div class="nested">
          <p>Whoever sees the words can take everything. Make sure that nobody looks, and that no screen is shared.</p>
          {sealed.value && (
            <TextField label="Password" type="password" autocomplete="current-password" value={password} onInput={type} />
          )}
          <Choice onNo={rest} yes="Show the words" onYes={show} />
        </div>
      )}
      {doing === "showing" && (
        <div class="nested">
          <ol class="words">
            {words.map((word, index) => (
              // The same word can be there twice.
              <li key={index}>{word}</li>
            ))}
          </ol>
          <div class="actions">
            <button type="button" class="button primary" onClick={rest}>
              Hide them
            </button>
          </div>
        </div>
      )}
      {doing === "keeping" && (
        <div class="nested">
          <TextField
            label="Password"
            type="password"
            autocomplete="new-password"
            hint="At least 10 characters. Nobody can reset it."
            value={password}
            onInput={type}
          />
          <Choice onNo={rest} yes="Keep the words" onYes={keep} />
        </div>
      )}
      {doing === "forgetting" && (
        <div class="nested">
          <p>You will need the 24 words to open the wallet again. Do you have them on paper?</p>
          <Choice
            onNo={rest}
            yes="Forget them here"
            onYes={() => {
              forgetWords();
              rest();
              notify("The words are gone from this device.", "good");
            }}
          />
        </div>
      )}
      <ErrorMessage error={error} />
    </fieldset>
  );
}

function Choice({ yes, onYes, onNo }: { yes: string; onYes(): void; onNo(): void }) {
  return (
    <div class="actions">
      <button type="button" class="button" onClick={onNo}>
        Cancel
      </button>
      <button type="button" class="button primary" onClick={onYes}>
        {yes}
      </button>
    </div>
  );
}
