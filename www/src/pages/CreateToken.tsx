// A new token.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { formatAmount, parseAmount } from "../money";
import { CopyButton } from "../parts/CopyButton";
import { Done } from "../parts/Done";
import { Labelled } from "../parts/Field";
import { ReviewButton } from "../parts/ReviewButton";
import { NameFields } from "../parts/NameFields";
import { ReviewDialog } from "../parts/ReviewDialog";
import { type Rights, RightsFields, tellRights } from "../parts/RightsFields";
import { useDeposit } from "../parts/useDeposit";
import type { PageProps } from "../shell";
import { useAct } from "../state/act";
import { tokenOf } from "../state/wallet";
import { nameProblem, symbolProblem } from "./tokenNames";

export function CreateToken({ onOpen }: PageProps) {
  const [name, setName] = useState("");
  const [symbol, setSymbol] = useState("");
  const [text, setText] = useState("");
  const [rights, setRights] = useState<Rights>({ mint: true, melt: true });

  const parsed = parseAmount(text);
  const amount = parsed.amount ?? 0n;
  const deposit = useDeposit(amount).value?.deposit;
  const available = tokenOf(HTR.uid).available;
  const amountProblem =
    parsed.problem ??
    (deposit !== undefined && deposit > available
      ? `The deposit is ${formatAmount(deposit)} HTR, and there are ${formatAmount(available)}.`
      : undefined);
  const shownDeposit = deposit === undefined ? "…" : formatAmount(deposit);

  const sound = !nameProblem(name) && !symbolProblem(symbol) && !amountProblem;
  const act = useAct(() =>
    call("createToken", { name: name.trim(), symbol: symbol.trim(), amount, createMint: rights.mint, createMelt: rights.melt }),
  );

  if (act.stage === "done" && act.result) {
    const { id, configurationString } = act.result;
    const again = (): void => {
      setName("");
      setSymbol("");
      setText("");
      act.again();
    };
    return (
      <Done title={`${name.trim()} created`} id={id} onOpen={onOpen} again="Create another" onAgain={again}>
        <p>Others find the token by this text:</p>
        <p class="mono with-copy configuration">
          {configurationString}
          <CopyButton text={configurationString} what="Configuration string" small />
        </p>
      </Done>
    );
  }

  return (
    <form class="card" onSubmit={(event) => act.submit(event, sound)} noValidate>
      <p class="quiet-text">
        A hundredth of the amount is deposited in HTR. Melting gives it back.
      </p>
      <NameFields name={name} symbol={symbol} onName={setName} onSymbol={setSymbol} tried={act.tried} example={["Corner Café", "CAFE"]} />
      <Labelled
        label="Amount"
        hint={parsed.problem ? "Two decimals, as all tokens have." : amountProblem ? undefined : `Deposits ${shownDeposit} HTR.`}
        problem={act.tried || text !== "" ? amountProblem : undefined}
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
      <RightsFields rights={rights} onChange={setRights} />
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title="Create this token?" verb="Create" ready={deposit !== undefined}>
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
          <dd>{shownDeposit} HTR</dd>
          <dt>Later</dt>
          <dd>{tellRights(rights)}</dd>
        </dl>
        <p class="hint">Name and symbol can't be changed later.</p>
      </ReviewDialog>
    </form>
  );
}
