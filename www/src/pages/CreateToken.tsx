// A new token.
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { depositFor, formatAmount, parseAmount } from "../money";
import { CopyButton } from "../parts/CopyButton";
import { Done } from "../parts/Done";
import { CheckField, Labelled } from "../parts/Field";
import { NameFields } from "../parts/NameFields";
import { ReviewDialog } from "../parts/ReviewDialog";
import type { PageProps } from "../shell";
import { useAct } from "../state/act";
import { tokenOf } from "../state/wallet";
import { nameProblem, symbolProblem } from "./tokenNames";

export function CreateToken({ onOpen }: PageProps) {
  const [name, setName] = useState("");
  const [symbol, setSymbol] = useState("");
  const [text, setText] = useState("");
  const [canMint, setCanMint] = useState(true);
  const [canMelt, setCanMelt] = useState(true);
  const [tried, setTried] = useState(false);

  const parsed = parseAmount(text);
  const amount = parsed.amount ?? 0n;
  const deposit = depositFor(amount);
  const available = tokenOf("00").available;
  const amountProblem =
    parsed.problem ?? (deposit > available ? `The deposit is ${formatAmount(deposit)} HTR, and there are ${formatAmount(available)}.` : undefined);

  const act = useAct(() =>
    call("createToken", { name: name.trim(), symbol: symbol.trim(), amount, create_mint: canMint, create_melt: canMelt }),
  );

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!nameProblem(name) && !symbolProblem(symbol) && !amountProblem) act.review();
    else queueMicrotask(() => document.querySelector<HTMLElement>("main [aria-invalid=true]")?.focus());
  };

  if (act.stage === "done" && act.result) {
    const { id, configurationString } = act.result;
    const again = (): void => {
      setName("");
      setSymbol("");
      setText("");
      setTried(false);
      act.again();
    };
    return (
      <Done title={`${name.trim()} is there`} id={id} onOpen={onOpen} again="Create another" onAgain={again}>
        <p>Others find the token by this text:</p>
        <p class="mono with-copy configuration">
          {configurationString}
          <CopyButton text={configurationString} what="Configuration string" small />
        </p>
      </Done>
    );
  }

  return (
    <form class="card" onSubmit={submit} noValidate>
      <p class="quiet-text">
        A hundredth of the amount is deposited in HTR. Melting gives it back.
      </p>
      <NameFields name={name} symbol={symbol} onName={setName} onSymbol={setSymbol} tried={tried} example={["Corner Café", "CAFE"]} />
      <Labelled
        label="Amount"
        hint={parsed.problem ? "Two decimals, as all tokens have." : amountProblem ? undefined : `Deposits ${formatAmount(deposit)} HTR.`}
        problem={tried || text !== "" ? amountProblem : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            placeholder="1,000.00"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Labelled>
      <fieldset class="plain">
        <legend>What this wallet may do with it later</legend>
        <CheckField label="Mint more of it" checked={canMint} onChange={setCanMint} />
        <CheckField label="Melt some of it, and get the deposit back" checked={canMelt} onChange={setCanMelt} />
      </fieldset>
      <div class="actions">
        <button type="submit" class="button primary">
          Look it over
        </button>
      </div>
      <ReviewDialog act={act} title="Create this token?" verb="Create">
        <dl class="facts">
          <dt>Name</dt>
          <dd>{name}</dd>
          <dt>Symbol</dt>
          <dd>{symbol}</dd>
          <dt>Amount</dt>
          <dd>
            {formatAmount(amount)} {symbol}
          </dd>
          <dt>Deposit</dt>
          <dd>{formatAmount(deposit)} HTR</dd>
          <dt>Later</dt>
          <dd>{[canMint && "can be minted", canMelt && "can be melted"].filter(Boolean).join(", ") || "its amount is fixed for ever"}</dd>
        </dl>
        <p class="hint">Name and symbol can't be changed later.</p>
      </ReviewDialog>
    </form>
  );
}
