// A request for a payment: how much of what, and what for.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { parseAmount } from "../money";
import { AmountField } from "../parts/AmountField";
import { CopyButton } from "../parts/CopyButton";
import { Labelled, TextField } from "../parts/Field";
import { QrCode } from "../parts/QrCode";
import { Select } from "../parts/Select";
import { writeJson, writeLink } from "../request";
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

export function AskFor({ address }: { address: string }) {
  const [uid, setUid] = useState<string>(HTR.uid);
  const [text, setText] = useState("");
  const [label, setLabelText] = useState("");
  const [expiry, setExpiry] = useState(0);
  const token = tokenOf(uid);
  const cents = parseAmount(text, token.nft === undefined ? 2 : 0).amount;
  const seconds = expiries()[expiry]?.[1];
  const expires = seconds === undefined ? undefined : Math.floor(Date.now() / 1_000 / 60) * 60 + seconds;
  const link = writeLink({ address, amount: cents ?? "", token: uid, label: label.trim(), expires }, token);
  return (
    <details class="card">
      <summary>{t.receive.askForAnAmount}</summary>
      <AmountField label={t.common.amount} token={uid} onToken={setUid} value={text} onInput={setText} tried={false} />
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
        <div class="receive request">
          <QrCode text={writeJson(address, cents, token)} label={t.receive.qrCodeOfTheRequest} />
          <div class="receive-side">
            <p class="hint">{t.receive.hathorsWalletForPhonesScans}</p>
            <p class="address mono" data-testid="request">
              {link}
            </p>
            <div class="actions start">
              <CopyButton text={link} what={t.receive.link} label={t.receive.copyTheLink} onCopied={() => label.trim() && setLabel(address, label.trim())} />
            </div>
          </div>
        </div>
      )}
    </details>
  );
}
