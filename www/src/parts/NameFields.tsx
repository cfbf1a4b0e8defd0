// Name and symbol of a new token.
import { nameProblem, symbolProblem } from "../pages/tokenNames";
import { TextField } from "./Field";

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
        label="Name"
        placeholder={example[0]}
        value={name}
        onInput={onName}
        problem={tried || name !== "" ? nameProblem(name) : undefined}
      />
      <TextField
        label="Symbol"
        placeholder={example[1]}
        value={symbol}
        onInput={(text) => onSymbol(text.toUpperCase())}
        problem={tried || symbol !== "" ? symbolProblem(symbol) : undefined}
      />
    </div>
  );
}
