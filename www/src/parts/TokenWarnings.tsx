// What should make one wary of a token.
import { Icon } from "./Icon";

export function TokenWarnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div class="error-message error-message-mild token-warnings">
      <Icon name="alert" />
      <div>
        {warnings.map((warning) => (
          <p key={warning}>
            <bdi>{warning}</bdi>
          </p>
        ))}
      </div>
    </div>
  );
}
