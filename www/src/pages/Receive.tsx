// Where to be paid: an address that nobody has paid yet, as a QR code and as text.
import { useState } from "preact/hooks";
import { HTR } from "headless-wallet/rules";
import { call } from "../engine/client";
import { Amount } from "../parts/Amount";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { CopyButton } from "../parts/CopyButton";
import { FaucetButton } from "../parts/FaucetButton";
import { Pager, usePages } from "../parts/Pager";
import { QrCode } from "../parts/QrCode";
import { Tabs } from "../parts/Tabs";
import { Title } from "../parts/Title";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import { labelOf, setLabel } from "../state/book";
import { notify } from "../state/notices";
import { route } from "../state/route";
import { view } from "../state/wallet";
import { plural } from "../text";
import { AskFor } from "./AskFor";
import { Messages } from "./Messages";

const AT_ONCE = 25;

const TABS = { address: "Address", messages: "Messages" } as const;

export function Receive() {
  const tab = route.value.rest === "messages" ? "messages" : "address";
  return (
    <>
      <Title>Receive</Title>
      <Tabs label="How to receive" page="receive" tabs={TABS} current={tab} />
      {tab === "messages" ? <Messages /> : <Addresses />}
    </>
  );
}

function Addresses() {
  const [error, setError] = useState<unknown>();
  const addresses = useEngine(() => call("addresses"), []);
  const [shownAddress, setShownAddress] = useState<string>();
  const current = view.value?.address ?? "";

  const next = (): void => {
    setError(undefined);
    call("nextAddress").then((address) => {
      // As many as others look through when they restore the wallet: it does not go further.
      if (address === current) notify("There are 20 unused addresses already. Use one of them, below: a further one might not be found again.");
    }, setError);
  };
  const last = addresses.value?.find(({ address }) => address === current)?.index ?? 0;
  const shown = addresses.value?.filter(({ index, uses }) => index <= last || uses > 0).reverse() ?? [];
  const pages = usePages(AT_ONCE, shown.length);

  return (
    <>
      <p class="quiet-text">Show this code or send this address to whoever pays you. It takes HTR and every token of this network.</p>
      <section class="card receive">
        {/* As the wallets on phones write and read it. */}
        <QrCode text={`hathor:${current}`} label={`QR code of the address ${current}`} />
        <div class="receive-side">
          <h2>Your address</h2>
          <p class="address mono" data-testid="address">
            {current}
          </p>
          <div class="actions start">
            <CopyButton text={current} what="Address" />
            <button type="button" class="button" onClick={next}>
              Next address
            </button>
            <FaucetButton />
          </div>
          <p class="hint">A new address comes by itself once this one is paid. Old ones stay yours; new ones keep payments apart.</p>
          <ErrorMessage error={error} />
        </div>
      </section>
      <AskFor address={current} />
      <section class="card" aria-labelledby="addresses-title">
        <h2 id="addresses-title">Addresses so far</h2>
        <ErrorMessage error={addresses.error} />
        <div class="scroll">
          <table class="addresses">
            <thead>
              <tr>
                <th class="number">No.</th>
                <th>Address</th>
                <th>Received by</th>
                <th class="number">Holds</th>
                <th>
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(pages.from, pages.from + AT_ONCE).map(({ index, address, uses, isChange, balance }) => (
                <tr key={address}>
                  <td class="number">{index}</td>
                  <td>
                    <span class="mono">{address}</span>
                    {isChange && <em class="tag tag-quiet">change</em>}
                    {labelOf(address) && <span class="activity-label">{labelOf(address)}</span>}
                  </td>
                  <td>{uses === 0 ? <span class="quiet-text">nothing yet</span> : plural(uses, "transaction")}</td>
                  <td class="number">
                    <Amount cents={balance} token={HTR.uid} />
                  </td>
                  <td class="number">
                    <button type="button" class="icon-button" aria-label={`QR code and label of address ${index}`} onClick={() => setShownAddress(address)}>
                      <Icon name="eye" />
                    </button>
                    <CopyButton text={address} what={`Address ${index}`} small />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Pager what="addresses" {...pages} back="Newer" on="Older" />
      </section>
      {shownAddress && <AddressDialog address={shownAddress} onClose={() => setShownAddress(undefined)} />}
    </>
  );
}

function AddressDialog({ address, onClose }: { address: string; onClose(): void }) {
  return (
    <Dialog title="Address" onClose={onClose}>
      <div class="receive">
        <QrCode text={`hathor:${address}`} label={`QR code of the address ${address}`} />
        <div class="receive-side">
          <p class="address mono">{address}</p>
          <div class="actions start">
            <CopyButton text={address} what="Address" />
          </div>
        </div>
      </div>
      <TextField label="Label" placeholder="Who pays here" value={labelOf(address)} onInput={(text) => setLabel(address, text)} />
    </Dialog>
  );
}
