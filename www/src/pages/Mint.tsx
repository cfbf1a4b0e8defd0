// Minting: more of a token that the wallet has the right to make.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { formatAmount, parseAmount } from "../money";
import { Amount } from "../parts/Amount";
import { AmountField } from "../parts/AmountField";
import { Done } from "../parts/Done";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Icon } from "../parts/Icon";
import { ReviewButton } from "../parts/ReviewButton";
import { ReviewDialog } from "../parts/ReviewDialog";
import { TokenAmount } from "../parts/TokenAmount";
import { TokenField } from "../parts/TokenField";
import { useDeposit } from "../parts/useDeposit";
import type { PageProps } from "../shell";
import { acceptedTokens } from "../state/acceptance";
import { useAct } from "../state/act";
import { tokenOf } from "../state/wallet";

export function Mint({ token: wanted, onOpen }: PageProps & { token: string }) {
  const mintable = acceptedTokens.value.filter(({ canMint }) => canMint);
  const [chosen, setChosen] = useState(wanted);
  const [text, setText] = useState("");

  const token = mintable.some(({ uid }) => uid === chosen) ? chosen : (mintable[0]?.uid ?? "");
  const { available, nft } = tokenOf(token);
  const amount = parseAmount(text, nft === undefined ? 2 : 0).amount;
  const asked = useDeposit(amount ?? 0n, token || undefined);
  const deposit = asked.value?.deposit;
  const htr = tokenOf(HTR.uid).available;
  const short = deposit !== undefined && deposit > htr;
  const problem = short ? `The deposit is ${formatAmount(deposit)} HTR, and there are ${formatAmount(htr)}.` : undefined;
  const shown = deposit === undefined ? "…" : formatAmount(deposit);
  const sound = amount !== undefined && !short;
  const act = useAct(() => call("mint", { token, amount: amount ?? 0n }));

  if (act.stage === "done" && act.result) {
    const again = (): void => {
      setText("");
      act.again();
    };
    return (
      <Done title="Minted" id={act.result} onOpen={onOpen} again="Mint more" onAgain={again}>
        <p>
          There are <Amount cents={amount ?? 0n} token={token} /> more.
        </p>
      </Done>
    );
  }

  if (mintable.length === 0) {
    return (
      <section class="card empty">
        <Icon name="plus" />
        <h2>Nothing to mint</h2>
        <p>A token can be minted by the wallet that has its mint authority: one that created it, with that right.</p>
      </section>
    );
  }

  return (
    <form class="card" onSubmit={(event) => act.submit(event, sound)} noValidate>
      <p class="quiet-text">Makes more of a token. A hundredth of the amount is deposited in HTR; melting gives it back.</p>
      <div class="two">
        <TokenField label="Token" value={token} among={(one) => mintable.includes(one)} onInput={setChosen} />
        <AmountField label="Amount to mint" token={token} value={text} onInput={setText} tried={act.tried} problem={problem} />
      </div>
      {amount !== undefined && !short && (
        <p class="hint" role="status">
          Deposits {shown} HTR.
        </p>
      )}
      <ErrorMessage error={asked.error} />
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title="Mint this?" verb="Mint" ready={deposit !== undefined}>
        <dl class="facts">
          <dt>Mints</dt>
          <dd>
            <TokenAmount cents={amount ?? 0n} token={token} />
          </dd>
          <dt>Deposit</dt>
          <dd>{shown} HTR</dd>
          <dt>You have then</dt>
          <dd class="stacked">
            <Amount cents={available + (amount ?? 0n)} token={token} />
            <Amount cents={htr - (deposit ?? 0n)} token={HTR.uid} />
          </dd>
        </dl>
      </ReviewDialog>
    </form>
  );
}
