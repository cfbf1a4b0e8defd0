// A time before which a payment can't be spent. It may be left out, but not begun and left so: who has chosen
// a date believes that it is locked.
import { zone } from "../words/formats";
import { Labelled } from "./Field";
import { t } from "../words";

/** What stands for a time of which a part is missing: the browser gives nothing for it. */
const INCOMPLETE = "?";
/** In Unix seconds, as the ledger can write it. */
const LATEST = 2 ** 32 - 1;

/** In Unix seconds; NaN of what is no time. */
export const secondsOf = (typed: string): number => Date.parse(typed) / 1_000;

/** What is wrong with a time that was chosen. */
export function lockProblem(typed: string): string | undefined {
  if (typed === "") return undefined;
  const seconds = secondsOf(typed);
  return seconds > Date.now() / 1_000 && seconds <= LATEST ? undefined : t.send.enterATimeToCome;
}

export function LockField({ value, onInput }: { value: string; onInput(typed: string): void }) {
  const take = ({ currentTarget: { validity, value: typed } }: { currentTarget: HTMLInputElement }): void =>
    onInput(validity.badInput ? INCOMPLETE : typed);
  return (
    <Labelled label={t.send.lockedUntil} hint={t.send.untilThenNobodyCanSpend(zone())} problem={lockProblem(value)}>
      {(control) => (
        // Nothing is told of a part that is typed: the keys tell.
        <input {...control} type="datetime-local" value={value === INCOMPLETE ? "" : value} onInput={take} onKeyUp={take} onBlur={take} />
      )}
    </Labelled>
  );
}
