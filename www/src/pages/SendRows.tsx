// The parts of a transaction that is being written: payments and texts.
import { HTR, limits, prices } from "headless-wallet/rules";
import { formatAmount, parseAmount } from "../money";
import { AddressField, takeAddress } from "../parts/AddressField";
import { AmountField } from "../parts/AmountField";
import { Labelled } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { LockField } from "../parts/LockField";
import { QrButtons } from "../parts/QrButtons";
import { Select } from "../parts/Select";
import type { PaymentRequest } from "../request";
import { book } from "../state/book";
import { tokenOf } from "../state/wallet";
import { clean, lengthOf, shortId, tooLong } from "../text";
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

function Head({ title, onRemove }: { title: string; onRemove(): void }) {
  return (
    <div class="card-head">
      <h2>{title}</h2>
      <button type="button" class="icon-button" aria-label={t.send.removeRow(title.toLowerCase())} onClick={onRemove}>
        <Icon name="trash" />
      </button>
    </div>
  );
}

/** How much an amount exceeds what there is. */
export function moreThan(amount: bigint, token: string, rest: bigint): string {
  const { nft, symbol } = tokenOf(token);
  return t.send.thatIsMoreThanThere(formatAmount(amount - rest, nft === undefined ? 2 : 0), clean(symbol));
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
      {onRemove && <Head title={title} onRemove={onRemove} />}
      <AddressField
        label={t.send.toAddress}
        value={draft.address}
        tried={tried}
        onInput={toAddress}
        onRequest={onRequest}
        onChecked={(addressProblem) => onChange({ addressProblem })}
        aside={
          <span class="field-ways">
            {contacts.length > 0 && (
              <Select
                control={{ "aria-label": t.send.addressBookFor(title.toLowerCase()) }}
                icon="book"
                value=""
                options={contacts.map(({ name, address }) => ({ value: address, label: clean(name), note: shortId(address) }))}
                onChange={toAddress}
              />
            )}
            <QrButtons small onText={(text) => takeAddress(text, { onInput: toAddress, onRequest })} />
          </span>
        }
      />
      <AmountField
        label={t.common.amount}
        token={draft.token}
        onToken={(token) => onChange({ token })}
        among={({ uid, available: some }) => uid === HTR.uid || some > 0n || uid === draft.token}
        value={draft.amount}
        tried={tried}
        all={rest}
        onInput={(text) => onChange({ amount: text })}
        problem={amount !== undefined && amount > rest ? moreThan(amount, draft.token, rest) : undefined}
      />
      {number !== undefined && <LockField value={draft.lock} onInput={(lock) => onChange({ lock })} />}
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
      {onRemove && <Head title={title} onRemove={onRemove} />}
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
