// Melting: some of a token ceases to be, and its deposit comes back.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { sumOf } from "../exact";
import { formatAmount, parseAmount } from "../money";
import { Amount } from "../parts/Amount";
import { AmountField } from "../parts/AmountField";
import { Done } from "../parts/Done";
import { Empty } from "../parts/Empty";
import { ReviewButton } from "../parts/ReviewButton";
import { ReviewDialog } from "../parts/ReviewDialog";
import { TokenAmount } from "../parts/TokenAmount";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useDeposit } from "../parts/useDeposit";
import type { PageProps } from "../shell";
import { useAct } from "../state/act";
import { acceptedTokens } from "../state/acceptance";
import { availableOf, tokenOf } from "../state/wallet";
import { t } from "../words";

export function Melt({ token: wanted, onOpen }: PageProps & { token: string }) {
  const meltable = acceptedTokens.value.filter(({ canMelt, available }) => canMelt && available > 0n);
  const [chosen, setChosen] = useState(wanted);
  const [text, setText] = useState("");

  const token = meltable.some(({ uid }) => uid === chosen) ? chosen : (meltable[0]?.uid ?? "");
  const { available, nft } = tokenOf(token);
  const amount = parseAmount(text, nft === undefined ? 2 : 0).amount;
  const problem = amount !== undefined && amount > available ? t.common.thatIsMoreThanThere : undefined;
  const sound = amount !== undefined && !problem;
  const deposit = useDeposit(amount ?? 0n, token || undefined);
  const back = deposit.value?.withdraw;
  const shownBack = back === undefined ? "…" : formatAmount(back);
  // The token may be gone from the list once it is melted.
  const [melted, setMelted] = useState<{ amount: bigint; token: string; back: string }>();
  const act = useAct(async () => {
    const id = await call("melt", { token, amount: amount ?? 0n });
    setMelted({ amount: amount ?? 0n, token, back: shownBack });
    return id;
  });

  if (act.stage === "done" && act.result && melted) {
    const again = (): void => {
      setText("");
      act.again();
    };
    return (
      <Done title={t.common.melted} id={act.result} onOpen={onOpen} again={t.tokens.meltMore} onAgain={again}>
        <p>{t.tokens.areNoMore(<Amount cents={melted.amount} token={melted.token} />, melted.back)}</p>
      </Done>
    );
  }

  if (meltable.length === 0) return <Empty icon="flame" title={t.tokens.nothingToMelt} text={t.tokens.aTokenCanBeMelted} />;

  return (
    <form class="card" onSubmit={(event) => act.submit(event, sound)} noValidate>
      <p class="quiet-text">{t.tokens.whatIsMeltedIsGone}</p>
      <AmountField label={t.tokens.amountToMelt} counted="units" token={token} onToken={setChosen} among={(one) => meltable.includes(one)} value={text} onInput={setText} tried={act.tried} problem={problem} all={available} can={t.tokens.canBeMeltedOf} />
      {amount !== undefined && (
        <p class={back === 0n ? "problem" : "hint"} role="status">
          {back === 0n ? t.tokens.thisGivesNothingBackOf : t.tokens.givesBackHTR(shownBack)}
        </p>
      )}
      <ErrorMessage error={deposit.error} />
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title={t.tokens.meltThis} verb={back === 0n ? t.tokens.meltForNothing : t.tokens.melt} danger={back === 0n} ready={back !== undefined}>
        <dl class="facts">
          <dt>{t.tokens.melts}</dt>
          <dd>
            <TokenAmount cents={amount ?? 0n} token={token} />
          </dd>
          <dt>{t.tokens.givesBack}</dt>
          <dd>{back === undefined ? "…" : <Amount cents={back} token={HTR.uid} />}</dd>
          <dt>{t.tokens.youHaveThen}</dt>
          <dd class="stacked">
            <Amount {...sumOf(availableOf(token), { cents: -(amount ?? 0n) })} token={token} />
            <Amount {...sumOf(availableOf(HTR.uid), { cents: back ?? 0n })} token={HTR.uid} />
          </dd>
        </dl>
        {back === 0n && <p class="problem">{t.tokens.thisGivesNothingBackOf}</p>}
        <p class="hint">{t.tokens.thisCantBeTakenBack}</p>
      </ReviewDialog>
    </form>
  );
}
