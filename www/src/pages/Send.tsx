// Giving something away: for nothing, or for something else.
import { Tabs } from "../parts/Tabs";
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { proposal } from "../state/proposal";
import { linkTo, route } from "../state/route";
import { multisig } from "../state/wallet";
import { AddressBook } from "./AddressBook";
import { Proposals } from "./multisig/Proposals";
import { Contract } from "./contract/Contract";
import { Pay } from "./Pay";
import { Swap } from "./swap/Swap";
import { t } from "../words";

/** Of a multisig wallet nobody sends anything alone. */
const tabs = () =>
  multisig.value
    ? { pay: t.swap.propose, sign: t.multisig.signing, book: t.send.addressBook }
    : { pay: t.send.pay, swap: t.common.swap, contract: t.history.contract, book: t.send.addressBook };

/** What follows the page's name in the address is a tab, or the token to pay. */
export function Send({ onOpen }: PageProps) {
  const [rest = "", id = ""] = route.value.rest.split(":");
  const tab = rest in tabs() ? rest : "pay";
  return (
    <>
      <Title>{t.common.send}</Title>
      <Tabs label={t.send.howToSend} page="send" tabs={tabs()} current={tab} />
      {tab === "pay" && proposal.value && <OneIsOpen />}
      {tab === "pay" && !proposal.value && <Pay token={rest in tabs() ? "" : rest} onOpen={onOpen} />}
      {tab === "swap" && <Swap onOpen={onOpen} />}
      {tab === "contract" && <Contract key={id} id={id} onOpen={onOpen} />}
      {tab === "sign" && <Proposals onOpen={onOpen} />}
      {tab === "book" && <AddressBook />}
    </>
  );
}

/** Another proposal in its place would lose the signatures that it has. */
function OneIsOpen() {
  return (
    <section class="card">
      <p>{t.multisig.oneIsOpen}</p>
      <a class="button primary" href={linkTo("send", "sign")}>
        {t.multisig.theProposal}
      </a>
    </section>
  );
}
