// The inputs or the outputs of a transaction.
import type { TransactionPart } from "../engine/api";
import { tokenOf } from "../state/wallet";
import { clean, time } from "../text";
import { CopyButton } from "./CopyButton";
import { Amount } from "./Amount";
import { t } from "../words";

const authorities = () => ({ mint: t.history.rightToMint, melt: t.history.rightToMelt, both: t.history.rightToMintAndMelt });

export function Parts({ title, parts, none }: { title: string; parts: TransactionPart[]; none: string }) {
  return (
    <section>
      <h3>{title}</h3>
      {parts.length === 0 && <p class="quiet-text">{none}</p>}
      <ul class="parts">
        {parts.map((part, at) => (
          // Parts never move.
          <li key={at}>
            <span class="part-amount">
              {part.authority ? (
                <>
                  {authorities()[part.authority]} <bdi>{clean(tokenOf(part.token).symbol)}</bdi>
                </>
              ) : (
                <Amount cents={part.amount} exact={part.exact} token={part.token} />
              )}
              {part.whose && <em class="tag">{part.whose === "change" ? t.history.yourChange : t.history.yours}</em>}
              {part.spentBy && <em class="tag tag-quiet">{t.history.spent}</em>}
            </span>
            {part.address && (
              <span class="mono part-where with-copy">
                {part.address}
                <CopyButton text={part.address} what={t.common.address} small />
              </span>
            )}
            {part.data !== undefined && (
              <span class="part-where">
                “<bdi>{clean(part.data)}</bdi>”
              </span>
            )}
            {part.timelock !== undefined && <span class="part-where">{t.history.lockedUntil(time(part.timelock))}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
