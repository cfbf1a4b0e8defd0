// Where to be paid: an address that nobody has paid yet, as a QR code and as text.
import { useState } from "preact/hooks";
import { call } from "../engine/client";
import { CopyButton } from "../parts/CopyButton";
import { FaucetButton } from "../parts/FaucetButton";
import { Pager, usePages } from "../parts/Pager";
import { QrCode } from "../parts/QrCode";
import { Title } from "../parts/Title";
import { ErrorMessage } from "../parts/ErrorMessage";
import { useEngine } from "../parts/useEngine";
import { view } from "../state/wallet";
import { plural } from "../text";

const AT_ONCE = 25;

export function Receive() {
  const [error, setError] = useState<unknown>();
  const addresses = useEngine(() => call("addresses"), []);
  const current = view.value?.address ?? "";

  const next = (): void => {
    setError(undefined);
    call("nextAddress").catch(setError);
  };
  const last = addresses.value?.find(({ address }) => address === current)?.index ?? 0;
  const shown = addresses.value?.filter(({ index, uses }) => index <= last || uses > 0).reverse() ?? [];
  const pages = usePages(AT_ONCE, shown.length);

  return (
    <>
      <Title lead="Show this code or send this address to whoever pays you. It takes HTR and every token of this network.">Receive</Title>
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
      <section class="card" aria-labelledby="addresses-title">
        <h2 id="addresses-title">Addresses so far</h2>
        <ErrorMessage error={addresses.error} />
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th class="number">No.</th>
                <th>Address</th>
                <th>Paid by</th>
                <th>
                  <span class="visually-hidden">Copy</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(pages.from, pages.from + AT_ONCE).map(({ index, address, uses }) => (
                <tr key={address}>
                  <td class="number">{index}</td>
                  <td class="mono">{address}</td>
                  <td>{uses === 0 ? <span class="quiet-text">nobody yet</span> : plural(uses, "transaction")}</td>
                  <td class="number">
                    <CopyButton text={address} what={`Address ${index}`} small />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Pager what="addresses" {...pages} back="Newer" on="Older" />
      </section>
    </>
  );
}
