// Paying somebody.
import { Tabs } from "../parts/Tabs";
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { proposal } from "../state/proposal";
import { linkTo, route } from "../state/route";
import { multisig } from "../state/wallet";
import { Proposals } from "./multisig/Proposals";
import { Pay } from "./Pay";
import { t } from "../words";

/** What follows the page's name in the address is the token to pay. */
export function Send({ onOpen }: PageProps) {
  return (
    <>
      <Title>{t.common.send}</Title>
      {multisig.value ? <Shared onOpen={onOpen} /> : <Pay token={route.value.rest} onOpen={onOpen} />}
    </>
  );
}

/** Of a multisig wallet nobody sends anything alone. What follows the page's name in the address is a tab, or the token to pay. */
function Shared({ onOpen }: PageProps) {
  const { rest } = route.value;
  const tabs = { pay: t.swap.propose, sign: t.multisig.signing };
  const tab = rest === "sign" ? rest : "pay";
  return (
    <>
      <Tabs label={t.send.howToSend} page="send" tabs={tabs} current={tab} />
      {tab === "sign" && <Proposals onOpen={onOpen} />}
      {tab === "pay" && (proposal.value ? <OneIsOpen /> : <Pay token={rest === "pay" ? "" : rest} onOpen={onOpen} />)}
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
