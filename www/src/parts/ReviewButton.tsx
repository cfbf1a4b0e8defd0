import { t } from "../words";
// The end of a form that sends something: nothing is sent before it was looked over.
export function ReviewButton() {
  return (
    <button type="submit" class="button primary">{t.send.review}</button>
  );
}
