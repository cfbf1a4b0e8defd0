// Minting: more of a token that the wallet has the right to make.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { sumOf } from "../exact";
import { formatAmount, parseAmount } from "../money";
import { Amount } from "../parts/Amount";
import { AmountField } from "../parts/AmountField";
import { Done } from "../parts/Done";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Empty } from "../parts/Empty";
import { ReviewButton } from "../parts/ReviewButton";
import { ReviewDialog } from "../parts/ReviewDialog";
import { TokenAmount } from "../parts/TokenAmount";
import { useDeposit } from "../parts/useDeposit";
import type { PageProps } from "../shell";
import { acceptedTokens } from "../state/acceptance";
import { useAct } from "../state/act";
import { availableOf, tokenOf } from "../state/wallet";
import { t } from "../words";

export function Mint({ token: wanted, onOpen }: PageProps & { token: string }) {
  const mintable = acceptedTokens.value.filter(({ canMint }) => canMint);
  const [chosen, setChosen] = useState(wanted);
  const [text, setText] = useState("");

  const token = mintable.some(({ uid }) => uid === chosen) ? chosen : (mintable[0]?.uid ?? "");
  const { nft } = tokenOf(token);
  const amount = parseAmount(text, nft === undefined ? 2 : 0).amount;
  const asked = useDeposit(amount ?? 0n, token || undefined);
  const deposit = asked.value?.deposit;
  const htr = tokenOf(HTR.uid).available;
  const short = deposit !== undefined && deposit > htr;
  const problem = short ? t.tokens.theDepositIsHTRAnd(formatAmount(deposit), formatAmount(htr)) : undefined;
  const shown = deposit === undefined ? "…" : formatAmount(deposit);
  const sound = amount !== undefined && !short;
  const act = useAct(() => call("mint", { token, amount: amount ?? 0n }));

  if (act.stage === "done" && act.result) {
    const again = (): void => {
      setText("");
      act.again();
    };
    return (
      <Done title={t.common.minted} id={act.result} onOpen={onOpen} again={t.tokens.mintMore} onAgain={again}>
        <p>{t.tokens.thereAreMore(<Amount cents={amount ?? 0n} token={token} />)}</p>
      </Done>
    );
  }

  if (mintable.length === 0) return <Empty icon="plus" title={t.tokens.nothingToMint} text={t.tokens.aTokenCanBeMinted} />;

  return (
    <form class="card" onSubmit={(event) => act.submit(event, sound)} noValidate>
      <p class="quiet-text">{t.tokens.makesMoreOfAToken}</p>
      <AmountField label={t.tokens.amountToMint} counted="units" token={token} onToken={setChosen} among={(one) => mintable.includes(one)} value={text} onInput={setText} tried={act.tried} problem={problem} />
      {amount !== undefined && !short && (
        <p class="hint" role="status">
          {t.tokens.depositsHTR(shown)}
        </p>
      )}
      <ErrorMessage error={asked.error} />
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title={t.tokens.mintThis} verb={t.tokens.mint} ready={deposit !== undefined}>
        <dl class="facts">
          <dt>{t.tokens.mints}</dt>
          <dd>
            <TokenAmount cents={amount ?? 0n} token={token} />
          </dd>
          <dt>{t.tokens.deposit}</dt>
          <dd>{deposit === undefined ? "…" : <Amount cents={deposit} token={HTR.uid} />}</dd>
          <dt>{t.tokens.youHaveThen}</dt>
          <dd class="stacked">
            <Amount {...sumOf(availableOf(token), { cents: amount ?? 0n })} token={token} />
            <Amount {...sumOf(availableOf(HTR.uid), { cents: -(deposit ?? 0n) })} token={HTR.uid} />
          </dd>
        </dl>
      </ReviewDialog>
    </form>
  );
}
