// A request for a payment: how much of what, and what for.
import { HTR } from "headless-wallet/rules";
import { useState } from "preact/hooks";
import { parseAmount } from "../money";
import { AmountField } from "../parts/AmountField";
import { CopyButton } from "../parts/CopyButton";
import { Labelled, TextField } from "../parts/Field";
import { QrCode } from "../parts/QrCode";
import { TokenField } from "../parts/TokenField";
import { writeJson, writeLink } from "../request";
import { setLabel } from "../state/book";
import { tokenOf } from "../state/wallet";

const HOUR = 3_600;
const EXPIRIES: [title: string, seconds: number | undefined][] = [
  ["Never", undefined],
  ["In an hour", HOUR],
  ["In a day", 24 * HOUR],
  ["In a week", 7 * 24 * HOUR],
];

export function AskFor({ address }: { address: string }) {
  const [uid, setUid] = useState<string>(HTR.uid);
  const [text, setText] = useState("");
  const [label, setLabelText] = useState("");
  const [expiry, setExpiry] = useState(0);
  const token = tokenOf(uid);
  const cents = parseAmount(text, token.nft === undefined ? 2 : 0).amount;
  const seconds = EXPIRIES[expiry]?.[1];
  const expires = seconds === undefined ? undefined : Math.floor(Date.now() / 1_000 / 60) * 60 + seconds;
  const link = writeLink({ address, amount: cents ?? "", token: uid, label: label.trim(), expires }, token);
  return (
    <details class="card">
      <summary>Ask for an amount</summary>
      <div class="two">
        <AmountField label="Amount" token={uid} value={text} onInput={setText} tried={false} />
        <TokenField label="Token" value={uid} onInput={setUid} />
      </div>
      <div class="two">
        <TextField
          label="What for"
          placeholder="Two coffees"
          hint="Whoever pays sees it. You find it again as the label of the address."
          value={label}
          onInput={setLabelText}
        />
        <Labelled label="Expires">
          {(control) => (
            <select {...control} value={expiry} onChange={(event) => setExpiry(Number(event.currentTarget.value))}>
              {EXPIRIES.map(([title], at) => (
                <option key={title} value={at}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      </div>
      {cents !== undefined && (
        <div class="receive request">
          <QrCode text={writeJson(address, cents, token)} label="QR code of the request" />
          <div class="receive-side">
            <p class="hint">Hathor's wallet for phones scans the code: it has the address, the amount and the token. The link has all of it.</p>
            <p class="address mono" data-testid="request">
              {link}
            </p>
            <div class="actions start">
              <CopyButton text={link} what="Link" label="Copy the link" onCopied={() => label.trim() && setLabel(address, label.trim())} />
            </div>
          </div>
        </div>
      )}
    </details>
  );
}
