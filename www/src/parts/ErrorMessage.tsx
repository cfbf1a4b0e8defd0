// An error, with what can be done about it. Screen readers read it out at once.
import { adviceOn } from "../advice";
import { Icon } from "./Icon";
import { t } from "../words";

export function ErrorMessage({ error }: { error: unknown }) {
  if (error === undefined) return null;
  const { title, todo, details } = adviceOn(error);
  return (
    <div class="error-message" role="alert">
      <Icon name="alert" />
      <div>
        <strong>{title}</strong>
        <p>{todo}</p>
        {details.length > 0 && <Details texts={details} open={todo.endsWith(t.advice.seeWords)} />}
      </div>
    </div>
  );
}

/** The wallet's own words, which speak of its settings as programs name them, and what else is for few. */
export function Details({ texts, open = false }: { texts: string[]; open?: boolean }) {
  return (
    <details class="words-of-wallet" open={open}>
      <summary>{t.fields.details}</summary>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </details>
  );
}
