// Some of the words are asked for: who can't tell them has not written them down.
import { useMemo, useState } from "preact/hooks";
import { TextField } from "../parts/Field";
import { Frame } from "./Frame";
import { t } from "../words";

const ASKED = 4;

function somePlaces(count: number): number[] {
  const places = Array.from({ length: count }, (_, place) => place);
  const random = crypto.getRandomValues(new Uint32Array(count));
  places.sort((a, b) => random[a]! - random[b]!);
  return places.slice(0, ASKED).sort((a, b) => a - b);
}

interface Props {
  words: string[];
  onBack(): void;
  onDone(): void;
}

export function ConfirmWords({ words, onBack, onDone }: Props) {
  const places = useMemo(() => somePlaces(words.length), [words.length]);
  const [typed, setTyped] = useState<string[]>(() => places.map(() => ""));
  const [tried, setTried] = useState(false);

  const right = (at: number): boolean => typed[at]!.trim().toLowerCase() === words[places[at]!];
  /** While a word is being typed, a right beginning is no mistake. */
  const wrong = (at: number): boolean => {
    const text = typed[at]!.trim().toLowerCase();
    return tried ? !right(at) : text !== "" && !words[places[at]!]!.startsWith(text);
  };

  const check = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    if (places.every((_, at) => right(at))) onDone();
  };

  return (
    <Frame title={t.before.areTheyWrittenDown} lead={t.before.lookAtYourPaperAnd}>
      <form onSubmit={check} noValidate class="confirm-words">
        {places.map((place, at) => (
          <TextField
            key={place}
            label={t.common.word(place + 1)}
            autofocus={at === 0}
            value={typed[at]!}
            onInput={(text) => setTyped(typed.map((old, index) => (index === at ? text : old)))}
            problem={wrong(at) ? t.before.thatIsNotWordLook(place + 1) : undefined}
            hint={right(at) ? t.before.right : undefined}
            look={right(at) ? "right" : ""}
          />
        ))}
        <div class="actions">
          <button type="button" class="button" onClick={onBack}>{t.before.showTheWordsAgain}</button>
          <button type="submit" class="button primary">{t.before.continue}</button>
        </div>
      </form>
    </Frame>
  );
}
