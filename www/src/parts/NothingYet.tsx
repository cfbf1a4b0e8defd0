// What stands where coins are missing: that there are none, and where they would be paid to.
import { Icon } from "./Icon";
import { linkTo } from "../state/route";
import { t } from "../words";

export function NothingYet({ text }: { text: string }) {
  return (
    <>
      <p class="quiet-text">{text}</p>
      <div class="actions start">
        <a class="button" href={linkTo("receive")}>
          <Icon name="receive" />
          {t.history.showMyAddress}
        </a>
      </div>
    </>
  );
}
