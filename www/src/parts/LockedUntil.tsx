// Until when nobody can spend a payment, for who looks it over. Of a long time it is said that it is one: a year
// is soon mistyped.
import { timeAndZone } from "../text";
import { t } from "../words";
import { Icon } from "./Icon";

/** In seconds. */
const A_YEAR = 366 * 86_400;

/** `time` is in Unix seconds. */
export function LockedUntil({ time }: { time: number }) {
  const years = Math.floor((time - Date.now() / 1_000) / A_YEAR);
  return (
    <span class="review-lock">
      <Icon name="lock" /> {t.history.lockedUntil(timeAndZone(time))}
      {years > 0 && (
        <>
          {" "}
          <em class="tag tag-warn">{t.send.forMoreThan(t.counts.years(years))}</em>
        </>
      )}
    </span>
  );
}
