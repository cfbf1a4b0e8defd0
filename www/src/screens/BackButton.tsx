// Back to the first screen.
import { screen } from "../state/wallet";
import { t } from "../words";

export function BackButton() {
  const back = (): void => {
    screen.value = "welcome";
  };
  return (
    <button type="button" class="button" onClick={back}>{t.common.back}</button>
  );
}
