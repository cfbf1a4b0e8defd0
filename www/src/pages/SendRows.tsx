// The parts of a transaction that is being written: payments and texts.
import { HTR, limits, prices } from "headless-wallet/rules";
import { formatAmount, parseAmount } from "../money";
import { AddressField, takeAddress } from "../parts/AddressField";
import { AmountField } from "../parts/AmountField";
import { Labelled } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { LockField } from "../parts/LockField";
import { QrButtons } from "../parts/QrButtons";
import { TokenField } from "../parts/TokenField";
import type { PaymentRequest } from "../request";
import { book } from "../state/book";
import { tokenOf } from "../state/wallet";
import { clean, lengthOf, tooLong } from "../text";
import { t } from "../words";

export interface PaymentDraft {
  kind: "payment";
  key: number;
  address: string;
  /** Empty while it is not known. */
  addressProblem: string | undefined;
  amount: string;
  token: string;
  /** Before which it can't be spent, as it is typed; empty if it can at once. */
  lock: string;
}

export interface DataDraft {
  kind: "data";
  key: number;
  text: string;
}

export type Draft = PaymentDraft | DataDraft;

export function amountOf({ amount, token }: PaymentDraft): bigint | undefined {
  return parseAmount(amount, tokenOf(token).nft === undefined ? 2 : 0).amount;
}

export function dataProblem(text: string): string | undefined {
  if (text === "") return t.send.enterAText;
  const over = new TextEncoder().encode(text).length - limits.dataBytes;
  const long = t.send.atMostBytesTooMany(limits.dataBytes, over);
  return tooLong(text, limits.dataChars) ?? (over > 0 ? long : undefined);
}

interface Common {
  /** Its place, where there are several of its kind. */
  number: number | undefined;
  tried: boolean;
  onRemove: (() => void) | undefined;
}

const titleOf = (what: string, number: number | undefined): string => (number === undefined ? what : `${what} ${number}`);

function Head({ title, onRemove }: { title: string; onRemove: Common["onRemove"] }) {
  return (
    <div class="card-head">
      <h2>{title}</h2>
      {onRemove && (
        <button type="button" class="icon-button" aria-label={t.send.removeRow(title.toLowerCase())} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      )}
    </div>
  );
}

interface PaymentProps extends Common {
  draft: PaymentDraft;
  onChange(to: Partial<PaymentDraft>): void;
  /** What the other rows leave to be spent. */
  rest: bigint;
  onRequest(request: PaymentRequest): boolean;
}

export function PaymentRow({ draft, onChange, onRequest, rest, tried, number, onRemove }: PaymentProps) {
  const title = titleOf(t.send.payment, number);
  const { contacts } = book.value;
  const toAddress = (address: string): void => onChange({ address });
  const amount = amountOf(draft);
  return (
    <fieldset class="card" aria-label={title}>
      <Head title={title} onRemove={onRemove} />
      <AddressField
        label={t.send.toAddress}
        value={draft.address}
        tried={tried}
        onInput={toAddress}
        onRequest={onRequest}
        onChecked={(addressProblem) => onChange({ addressProblem })}
      />
      <div class="actions start address-ways">
        {contacts.length > 0 && (
          <select aria-label={t.send.addressBookFor(title.toLowerCase())} value="" onChange={(event) => toAddress(event.currentTarget.value)}>
            <option value="">{t.send.chooseOfBook}</option>
            {contacts.map(({ name, address }) => (
              <option key={address} value={address}>
                {clean(name)}
              </option>
            ))}
          </select>
        )}
        <QrButtons small onText={(text) => takeAddress(text, { onInput: toAddress, onRequest })} />
      </div>
      <div class="two">
        <AmountField
          label={t.common.amount}
          token={draft.token}
          value={draft.amount}
          tried={tried}
          all={rest}
          onInput={(text) => onChange({ amount: text })}
          problem={amount !== undefined && amount > rest ? t.common.thatIsMoreThanThere : undefined}
        />
        <TokenField
          label={t.common.token}
          value={draft.token}
          among={({ uid, available: some }) => uid === HTR.uid || some > 0n || uid === draft.token}
          onInput={(token) => onChange({ token })}
        />
      </div>
      <details open={draft.lock !== ""}>
        <summary>{t.send.moreOptions}</summary>
        <LockField value={draft.lock} onInput={(lock) => onChange({ lock })} />
      </details>
    </fieldset>
  );
}

interface DataProps extends Common {
  draft: DataDraft;
  onChange(to: Partial<DataDraft>): void;
}

export function DataRow({ draft, onChange, tried, number, onRemove }: DataProps) {
  const title = titleOf(t.common.data, number);
  const problem = dataProblem(draft.text);
  return (
    <fieldset class="card" aria-label={title}>
      <Head title={title} onRemove={onRemove} />
      <Labelled
        label={t.send.text}
        hint={t.send.ofCharactersKeptOnThe(lengthOf(draft.text), limits.dataChars, formatAmount(prices.dataOutput))}
        problem={tried || draft.text !== "" ? problem : undefined}
      >
        {(control) => (
          <textarea {...control} rows={2} value={draft.text} onInput={(event) => onChange({ text: event.currentTarget.value })} />
        )}
      </Labelled>
    </fieldset>
  );
}
