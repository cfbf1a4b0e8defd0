// One's own side of a swap: what one gives, and what one wants for it.
import { useState } from "preact/hooks";
import { AmountField } from "../../parts/AmountField";
import { AnyTokenField } from "../../parts/AnyTokenField";
import { Icon } from "../../parts/Icon";
import { ReviewButton } from "../../parts/ReviewButton";
import { ReviewDialog } from "../../parts/ReviewDialog";
import { TokenAmount } from "../../parts/TokenAmount";
import { TokenField } from "../../parts/TokenField";
import { useAct } from "../../state/act";
import { propose } from "../../state/swap";
import { tokenOf } from "../../state/wallet";
import { amountOf, givingProblem, isSound, newRow, request, type Row, type Side } from "./side";
import { t } from "../../words";

interface Props {
  /** What is filled in already. */
  initial: () => Side;
  /** What the review asks, and what its button says. */
  question: string;
  verb: string;
}

export function SideForm({ initial, question, verb }: Props) {
  const [side, setSide] = useState<Side>(initial);
  const act = useAct(() => propose(request(side)), t.swap.theProposalIsMadeThe);
  const choiceProblem = ({ token }: Row): string | undefined => (act.tried && token === "" ? t.swap.chooseAToken : undefined);
  const put = (list: keyof Side, rows: Row[]): void => setSide({ ...side, [list]: rows });
  const rows = (list: keyof Side, what: string, [first, another]: [string, string], field: (row: Row, change: (to: Partial<Row>) => void) => preact.JSX.Element) => (
    <fieldset class="plain" aria-label={what}>
      <legend>{what}</legend>
      {side[list].length === 0 && <p class="quiet-text">{t.common.nothing}</p>}
      {side[list].map((row) => (
        <div key={row.key} class="swap-row">
          {field(row, (to) => put(list, side[list].map((old) => (old.key === row.key ? { ...old, ...to } : old))))}
          <button
            type="button"
            class="icon-button"
            aria-label={list === "gives" ? t.swap.leaveOutOfGiven : t.swap.leaveOutOfWanted}
            onClick={() => put(list, side[list].filter((old) => old.key !== row.key))}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <button type="button" class="button" onClick={() => put(list, [...side[list], newRow()])}>
        <Icon name="plus" />
        {side[list].length === 0 ? first : another}
      </button>
    </fieldset>
  );
  return (
    <form onSubmit={(event) => act.submit(event, isSound(side))} noValidate>
      <div class="columns">
        {rows("gives", t.swap.youGive, [t.swap.giveSomething, t.swap.giveSomethingElse], (row, change) => (
          <>
            <TokenField
              label={t.common.token}
              value={row.token}
              empty={t.fields.chooseAToken}
              among={({ uid, available }) => available > 0n || uid === row.token}
              problem={choiceProblem(row)}
              onInput={(token) => change({ token })}
            />
            <AmountField
              label={t.common.amount}
              token={row.token}
              value={row.amount}
              tried={act.tried}
              all={row.token === "" ? undefined : tokenOf(row.token).available}
              problem={givingProblem(row)}
              onInput={(amount) => change({ amount })}
            />
          </>
        ))}
        {rows("gets", t.swap.youWant, [t.swap.wantSomething, t.swap.wantSomethingElse], (row, change) => (
          <>
            <AnyTokenField
              label={t.common.token}
              value={row.token}
              tried={act.tried}
              problem={choiceProblem(row)}
              onInput={(token) => change({ token })}
            />
            <AmountField label={t.common.amount} token={row.token} value={row.amount} tried={act.tried} onInput={(amount) => change({ amount })} />
          </>
        ))}
      </div>
      {act.tried && side.gives.length + side.gets.length === 0 && (
        <p class="problem" role="alert">{t.swap.sayWhatYouGiveOr}</p>
      )}
      <div class="actions">
        <ReviewButton />
      </div>
      <ReviewDialog act={act} title={question} verb={verb} doing="propose">
        <dl class="facts">
          <dt>{t.swap.youGive}</dt>
          <dd class="stacked">
            <Amounts rows={side.gives} />
          </dd>
          <dt>{t.swap.youWant}</dt>
          <dd class="stacked">
            <Amounts rows={side.gets} />
          </dd>
        </dl>
        <p class="hint">{t.swap.nothingChangesHandsBeforeYou}</p>
      </ReviewDialog>
    </form>
  );
}

function Amounts({ rows }: { rows: Row[] }) {
  if (rows.length === 0) return <>{t.common.nothingInLine}</>;
  return (
    <>
      {rows.map((row) => (
        <TokenAmount key={row.key} cents={amountOf(row) ?? 0n} token={row.token} />
      ))}
    </>
  );
}
