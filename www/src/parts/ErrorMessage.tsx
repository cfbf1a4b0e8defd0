// An error, with what can be done about it. Screen readers read it out at once.
import { adviceOn } from "../advice";
import { Icon } from "./Icon";

export function ErrorMessage({ error }: { error: unknown }) {
  if (error === undefined) return null;
  const { title, todo, words } = adviceOn(error);
  return (
    <div class="error-message" role="alert">
      <Icon name="alert" />
      <div>
        <strong>{title}</strong>
        <p>{todo}</p>
        {words && <p class="words-of-wallet">{words}</p>}
      </div>
    </div>
  );
}
