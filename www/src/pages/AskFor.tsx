// A request for a payment: how much of what, and what for.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { parseAmount } from "../money";
import { AmountField } from "../parts/AmountField";
import { CopyButton } from "../parts/CopyButton";
import { Labelled, TextField } from "../parts/Field";
import { Select } from "../parts/Select";
import { writeLink } from "../request";
import { setLabel } from "../state/book";
import { tokenOf } from "../state/wallet";
import { t } from "../words";

const HOUR = 3_600;
const expiries = (): [title: string, seconds: number | undefined][] => [
  [t.common.never, undefined],
  [t.receive.inAnHour, HOUR],
  [t.receive.inADay, 24 * HOUR],
  [t.receive.inAWeek, 7 * 24 * HOUR],
];

/** How much of what is asked for, as it is typed. */
export interface Asked {
  token: string;
  amount: string;
}

export const NOTHING_ASKED: Asked = { token: HTR.uid, amount: "" };

/** The amount, once there is a sound one. */
export function centsOf({ token, amount }: Asked): bigint | undefined {
  return parseAmount(amount, tokenOf(token).nft === undefined ? 2 : 0).amount;
}

interface Props {
  address: string;
  asked: Asked;
  onChange(asked: Asked): void;
}

export function AskFor({ address, asked, onChange }: Props) {
  const [label, setLabelText] = useState("");
  const [expiry, setExpiry] = useState(0);
  const token = tokenOf(asked.token);
  const cents = centsOf(asked);
  const seconds = expiries()[expiry]?.[1];
  const expires = seconds === undefined ? undefined : Math.floor(Date.now() / 1_000 / 60) * 60 + seconds;
  const link = writeLink({ address, amount: cents ?? "", token: asked.token, label: label.trim(), expires }, token);
  return (
    <details class="card">
      <summary>{t.receive.askForAnAmount}</summary>
      <AmountField label={t.common.amount} token={asked.token} onToken={(token) => onChange({ ...asked, token })} value={asked.amount} onInput={(amount) => onChange({ ...asked, amount })} tried={false} />
      <div class="two">
        <TextField
          label={t.receive.whatFor}
          placeholder={t.receive.twoCoffees}
          hint={t.receive.whoeverPaysSeesItYou}
          value={label}
          onInput={setLabelText}
        />
        <Labelled label={t.receive.expires}>
          {(control) => <Select control={control} value={expiry} options={expiries().map(([label], value) => ({ value, label }))} onChange={setExpiry} />}
        </Labelled>
      </div>
      {cents !== undefined && (
        <div class="request">
          <p class="hint">{t.receive.hathorsWalletForPhonesScans}</p>
          <p class="address mono" data-testid="request">
            {link}
          </p>
          <div class="actions start">
            <CopyButton text={link} what={t.receive.link} label={t.receive.copyTheLink} onCopied={() => label.trim() && setLabel(address, label.trim())} />
          </div>
        </div>
      )}
    </details>
  );
}
