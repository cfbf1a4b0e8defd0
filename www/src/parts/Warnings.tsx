// What should make one wary: of a token, or of whom one pays.
import { Icon } from "./Icon";

export function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div class="error-message error-message-mild warnings">
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
