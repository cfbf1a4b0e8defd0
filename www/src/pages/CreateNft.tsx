// A new NFT, with a preview of what identifies it.
import { HTR, limits, prices } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { sumOf } from "../exact";
import { formatAmount, parseAmount } from "../money";
import { Amount } from "../parts/Amount";
import { Costs } from "../parts/Costs";
import { Done } from "../parts/Done";
import { Labelled } from "../parts/Field";
import { ReviewButton } from "../parts/ReviewButton";
import { NameFields } from "../parts/NameFields";
import { NewAmount } from "../parts/NewAmount";
import { NftPreview } from "../parts/NftPreview";
import { ReviewDialog } from "../parts/ReviewDialog";
import { type Rights, RightsFields, tellRights } from "../parts/RightsFields";
import { useDeposit } from "../parts/useDeposit";
import type { PageProps } from "../shell";
import { useAct } from "../state/act";
import { availableOf, tokenOf } from "../state/wallet";
import { lengthOf } from "../text";
import { dataProblem } from "./SendRows";
import { nameProblem, symbolProblem } from "./tokenNames";
import { t } from "../words";

export function CreateNft({ onOpen }: PageProps) {
  const [name, setName] = useState("");
  const [symbol, setSymbol] = useState("");
  const [text, setText] = useState("1");
  const [data, setData] = useState("");
  const [rights, setRights] = useState<Rights>({ mint: false, melt: false });

  const parsed = parseAmount(text, 0, "units");
  const amount = parsed.amount ?? 0n;
  const deposit = useDeposit(amount).value?.deposit;
  const cost = deposit === undefined ? undefined : deposit + prices.dataOutput;
  const available = tokenOf(HTR.uid).available;
  const amountProblem =
    parsed.problem ??
    (cost !== undefined && cost > available
      ? t.tokens.itCostsHTRAndThere(formatAmount(cost), formatAmount(available))
      : undefined);
  const [shownDeposit, shownCost] = [deposit, cost].map((cents) => (cents === undefined ? "…" : formatAmount(cents)));

  const sound = !nameProblem(name) && !symbolProblem(symbol) && !amountProblem && !dataProblem(data);
  const act = useAct(() =>
    call("createNft", { name: name.trim(), symbol: symbol.trim(), amount, data, createMint: rights.mint, createMelt: rights.melt }),
  );

  if (act.stage === "done" && act.result) {
    const again = (): void => {
      setName("");
      setSymbol("");
      setData("");
      act.again();
    };
    return (
      <Done title={t.tokens.isCreated(name.trim())} id={act.result.id} idName={t.fields.tokenIdentifier} onOpen={onOpen} again={t.tokens.createAnother} onAgain={again}>
        <NftPreview data={data} name={name} />
      </Done>
    );
  }

  return (
    <form class="card" onSubmit={(event) => act.submit(event, sound)} noValidate>
      <div class="with-preview">
        <div>
          <NameFields name={name} symbol={symbol} onName={setName} onSymbol={setSymbol} tried={act.tried} example={[t.tokens.blueBoatNo7, "BOAT"]} />
          <Labelled
            label={t.common.data}
            hint={t.tokens.theAddressOfAPicture(lengthOf(data), limits.dataChars)}
            problem={act.tried || data !== "" ? dataProblem(data) : undefined}
          >
            {(control) => (
              <textarea
                {...control}
                rows={3}
                spellcheck={false}
                placeholder="ipfs://…"
                value={data}
                onInput={(event) => setData(event.currentTarget.value)}
              />
            )}
          </Labelled>
          <Labelled
            label={t.tokens.howMany}
            hint={
              parsed.problem
                ? t.tokens.wholeUnits
                : amountProblem
                  ? undefined
                  : t.tokens.costsHTROfWhichAre(shownCost ?? "", shownDeposit ?? "")
            }
            problem={act.tried || text !== "1" ? amountProblem : undefined}
          >
            {(control) => (
              <input
                {...control}
                type="text"
                inputMode="numeric"
                autocomplete="off"
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Labelled>
          <RightsFields nft rights={rights} onChange={setRights} />
        </div>
        <aside class="preview" aria-label={t.tokens.preview}>
          <h2>{t.tokens.preview}</h2>
          <NftPreview data={data} name={name || t.tokens.theNFT} />
          <p class="preview-name">{name || t.common.name}</p>
          {symbol !== "" && (
            <p class="quiet-text">
              {amount.toString()} {symbol}
            </p>
          )}
        </aside>
      </div>
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title={t.tokens.createThisNFT} verb={t.tokens.create} ready={cost !== undefined}>
        <NftPreview data={data} name={name} />
        <dl class="facts">
          <dt>{t.common.name}</dt>
          <dd>{name}</dd>
          <dt>{t.tokens.symbol}</dt>
          <dd>{symbol}</dd>
          <dt>{t.tokens.howMany}</dt>
          <dd>
            <NewAmount amount={amount.toString()} symbol={symbol} />
          </dd>
          <dt>{t.common.data}</dt>
          <dd class="mono">{data}</dd>
          <Costs cost={cost === undefined ? undefined : { deposit: deposit ?? 0n, fee: 0n, data: prices.dataOutput, total: cost }} />
          <dt>{t.tokens.later}</dt>
          <dd>{tellRights(rights)}</dd>
          <dt>{t.tokens.youHaveThen}</dt>
          <dd class="stacked">
            <NewAmount amount={amount.toString()} symbol={symbol} />
            <Amount {...sumOf(availableOf(HTR.uid), { cents: -(cost ?? 0n) })} token={HTR.uid} />
          </dd>
        </dl>
        <p class="hint">{t.tokens.nothingOfThisCanBe}</p>
      </ReviewDialog>
    </form>
  );
}
