// A new token.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { sumOf } from "../exact";
import { formatAmount, parseAmount } from "../money";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { Done } from "../parts/Done";
import { Labelled } from "../parts/Field";
import { ReviewButton } from "../parts/ReviewButton";
import { NameFields } from "../parts/NameFields";
import { NewAmount } from "../parts/NewAmount";
import { ReviewDialog } from "../parts/ReviewDialog";
import { type Rights, RightsFields, tellRights } from "../parts/RightsFields";
import { useDeposit } from "../parts/useDeposit";
import type { PageProps } from "../shell";
import { useAct } from "../state/act";
import { availableOf, tokenOf } from "../state/wallet";
import { nameProblem, symbolProblem } from "./tokenNames";
import { t } from "../words";

/** In cents. */
const EXAMPLE = 100_000n;

export function CreateToken({ onOpen }: PageProps) {
  const [name, setName] = useState("");
  const [symbol, setSymbol] = useState("");
  const [text, setText] = useState("");
  const [rights, setRights] = useState<Rights>({ mint: true, melt: true });

  const parsed = parseAmount(text, 2, "units");
  const amount = parsed.amount ?? 0n;
  const deposit = useDeposit(amount).value?.deposit;
  const available = tokenOf(HTR.uid).available;
  const amountProblem =
    parsed.problem ??
    (deposit !== undefined && deposit > available
      ? t.tokens.theDepositIsHTRAnd(formatAmount(deposit), formatAmount(available))
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
      <Done title={t.tokens.isCreated(name.trim())} id={id} idName={t.fields.tokenIdentifier} onOpen={onOpen} again={t.tokens.createAnother} onAgain={again}>
        <p>{t.tokens.othersFindTheTokenBy}</p>
        <p class="mono with-copy configuration">
          {configurationString}
          <CopyButton text={configurationString} what={t.tokens.configurationString} small />
        </p>
      </Done>
    );
  }

  return (
    <form class="card" onSubmit={(event) => act.submit(event, sound)} noValidate>
      <p class="quiet-text">{t.tokens.aHundredthOfTheAmount}</p>
      <NameFields name={name} symbol={symbol} onName={setName} onSymbol={setSymbol} tried={act.tried} example={[t.common.cornerCafe, "CAFE"]} />
      <Labelled
        label={t.tokens.units}
        hint={parsed.problem ? t.tokens.twoDecimalsAsAllTokens : amountProblem ? undefined : t.tokens.depositsHTR(shownDeposit)}
        problem={act.tried || text !== "" ? amountProblem : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            placeholder={formatAmount(EXAMPLE)}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Labelled>
      <RightsFields rights={rights} onChange={setRights} />
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title={t.tokens.createThisToken} verb={t.tokens.create} ready={deposit !== undefined}>
        <dl class="facts">
          <dt>{t.common.name}</dt>
          <dd>{name}</dd>
          <dt>{t.tokens.symbol}</dt>
          <dd>{symbol}</dd>
          <dt>{t.tokens.units}</dt>
          <dd>
            <NewAmount amount={formatAmount(amount)} symbol={symbol} />
          </dd>
          <dt>{t.tokens.deposit}</dt>
          <dd>{deposit === undefined ? "…" : <Amount cents={deposit} token={HTR.uid} />}</dd>
          <dt>{t.tokens.later}</dt>
          <dd>{tellRights(rights)}</dd>
          <dt>{t.tokens.youHaveThen}</dt>
          <dd class="stacked">
            <NewAmount amount={formatAmount(amount)} symbol={symbol} />
            <Amount {...sumOf(availableOf(HTR.uid), { cents: -(deposit ?? 0n) })} token={HTR.uid} />
          </dd>
        </dl>
        <p class="hint">{t.tokens.nameAndSymbolCantBe}</p>
      </ReviewDialog>
    </form>
  );
}
