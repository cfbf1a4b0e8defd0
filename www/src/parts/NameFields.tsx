// Name and symbol of a new token.
import { nameProblem, symbolProblem } from "../pages/tokenNames";
import { TextField } from "./Field";
import { t } from "../words";

interface Props {
  name: string;
  symbol: string;
  onName(name: string): void;
  onSymbol(symbol: string): void;
  tried: boolean;
  example: [name: string, symbol: string];
}

export function NameFields({ name, symbol, onName, onSymbol, tried, example }: Props) {
  return (
    <div class="two">
      <TextField
        label={t.common.name}
        placeholder={example[0]}
        value={name}
        onInput={onName}
        problem={tried || name !== "" ? nameProblem(name) : undefined}
      />
      <TextField
        label={t.tokens.symbol}
        placeholder={example[1]}
        value={symbol}
        onInput={(text) => onSymbol(text.toUpperCase())}
        problem={tried || symbol !== "" ? symbolProblem(symbol) : undefined}
      />
    </div>
  );
}
