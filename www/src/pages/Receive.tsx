// Where to be paid: an address that nobody has paid yet, as a QR code and as text.
import { useState } from "preact/hooks";
import { HTR } from "headless-wallet/rules";
import { call } from "../engine/client";
import { AddressText } from "../parts/AddressText";
import { Amount } from "../parts/Amount";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { CopyButton } from "../parts/CopyButton";
import { FaucetButton } from "../parts/FaucetButton";
import { Pager, usePages } from "../parts/Pager";
import { QrCode } from "../parts/QrCode";
import { Title } from "../parts/Title";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import { writeJson } from "../request";
import { labelOf, setLabel } from "../state/book";
import { notify } from "../state/notices";
import { multisig, tokenOf, view } from "../state/wallet";
import { AskFor, centsOf, NOTHING_ASKED } from "./AskFor";
import { t } from "../words";

const AT_ONCE = 25;

export function Receive() {
  const [error, setError] = useState<unknown>();
  const addresses = useEngine(() => call("addresses"), []);
  const [shownAddress, setShownAddress] = useState<string>();
  const [asked, setAsked] = useState(NOTHING_ASKED);
  const cents = centsOf(asked);
  const current = view.value?.address ?? "";

  const next = (): void => {
    setError(undefined);
    call("nextAddress").then((address) => {
      // As many as others look through when they restore the wallet: it does not go further.
      if (address === current) notify(t.receive.thereAre20UnusedAddresses);
    }, setError);
  };
  const last = addresses.value?.find(({ address }) => address === current)?.index ?? 0;
  const shown = addresses.value?.filter(({ index, uses }) => index <= last || uses > 0).reverse() ?? [];
  const pages = usePages(AT_ONCE, shown.length);

  return (
    <>
      <Title lead={t.receive.showThisCodeOrSend}>{t.common.receive}</Title>
      <section class="card receive">
        {/* As the wallets on phones write and read it. */}
        {cents === undefined ? (
          <QrCode text={`hathor:${current}`} label={t.receive.qrCodeOf(current)} />
        ) : (
          <QrCode text={writeJson(current, cents, tokenOf(asked.token))} label={t.receive.qrCodeOfTheRequest} />
        )}
        <div class="receive-side">
          {cents !== undefined && <p class="asked-for">{t.receive.theCodeAsksFor(<Amount cents={cents} token={asked.token} />)}</p>}
          <h2>{t.receive.yourAddress}</h2>
          <p class="address" data-testid="address">
            <AddressText address={current} />
          </p>
          <div class="actions start">
            <CopyButton text={current} what={t.common.address} primary />
            <button type="button" class="button" onClick={next}>{t.receive.nextAddress}</button>
            <FaucetButton />
          </div>
          <p class="hint">{t.receive.aNewAddressComesBy}</p>
          <ErrorMessage error={error} />
        </div>
      </section>
      {multisig.value && <p class="hint">{t.multisig.compareFirst}</p>}
      <AskFor address={current} asked={asked} onChange={setAsked} />
      <section class="card" aria-labelledby="addresses-title">
        <h2 id="addresses-title">{t.receive.addressesSoFar}</h2>
        <ErrorMessage error={addresses.error} />
        <div class="scroll">
          <table class="addresses">
            <thead>
              <tr>
                <th class="number">{t.receive.no}</th>
                <th>{t.common.address}</th>
                <th>{t.receive.receivedBy}</th>
                <th class="number">{t.receive.holds}</th>
                <th>
                  <span class="visually-hidden">{t.receive.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(pages.from, pages.from + AT_ONCE).map(({ index, address, uses, isChange, balance }) => (
                <tr key={address}>
                  <td class="number">{index}</td>
                  <td>
                    <span class="mono">{address}</span>
                    {isChange && <em class="tag tag-quiet">{t.receive.change}</em>}
                    {labelOf(address) && <span class="activity-label">{labelOf(address)}</span>}
                  </td>
                  <td>{uses === 0 ? <span class="quiet-text">{t.receive.nothingYet}</span> : t.counts.transactions(uses)}</td>
                  <td class="number">
                    <Amount cents={balance} token={HTR.uid} />
                  </td>
                  <td class="number">
                    <button type="button" class="icon-button" aria-label={t.receive.qrCodeAndLabelOf(index)} onClick={() => setShownAddress(address)}>
                      <Icon name="eye" />
                    </button>
                    <CopyButton text={address} what={t.receive.address(index)} small />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Pager what={t.receive.addresses} {...pages} back={t.common.newer} on={t.common.older} />
      </section>
      {shownAddress && <AddressDialog address={shownAddress} onClose={() => setShownAddress(undefined)} />}
    </>
  );
}

function AddressDialog({ address, onClose }: { address: string; onClose(): void }) {
  return (
    <Dialog title={t.common.address} onClose={onClose}>
      <div class="receive">
        <QrCode text={`hathor:${address}`} label={t.receive.qrCodeOf(address)} />
        <div class="receive-side">
          <p class="address">
            <AddressText address={address} />
          </p>
          <div class="actions start">
            <CopyButton text={address} what={t.common.address} />
          </div>
        </div>
      </div>
      <TextField label={t.common.label} placeholder={t.receive.whoPaysHere} value={labelOf(address)} onInput={(text) => setLabel(address, text)} />
    </Dialog>
  );
}
