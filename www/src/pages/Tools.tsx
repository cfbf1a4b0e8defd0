// What is used now and then: each tool has a page of its own.
import { Icon, type IconName } from "../parts/Icon";
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { linkTo, route } from "../state/route";
import { isWatchOnly, multisig } from "../state/wallet";
import { t } from "../words";
import { AddressBook } from "./AddressBook";
import { Coins } from "./Coins";
import { Contract } from "./contract/Contract";
import { menu, pageIcons, pageTitles, RARE } from "./menu";
import { Messages } from "./Messages";

interface Tool {
  icon: IconName;
  title: string;
  about: string;
  show(props: PageProps, rest: string): preact.JSX.Element;
}

/** By what follows the page's name in the address. */
function tools(): Record<string, Tool> {
  const contract: Tool = {
    icon: "contract",
    title: t.history.contracts,
    about: t.contract.whatItIs,
    show: (props, id) => <Contract key={id} id={id} {...props} />,
  };
  return {
    book: { icon: "book", title: t.send.addressBook, about: t.send.namesForAddresses, show: () => <AddressBook /> },
    messages: { icon: "data", title: t.receive.messages, about: t.receive.whatMessagesAreFor, show: () => <Messages /> },
    ...(!isWatchOnly.value && !multisig.value && { contract }),
    coins: { icon: "coins", title: t.history.utxos, about: t.history.balancesAreMadeOfUnspent, show: (props) => <Coins {...props} /> },
  };
}

export function Tools(props: PageProps) {
  const [name = "", rest = ""] = route.value.rest.split(":");
  const all = tools();
  const tool = Object.hasOwn(all, name) ? all[name] : undefined;
  if (tool) {
    return (
      <>
        <Title back={{ href: linkTo("tools"), title: t.shell.tools }} lead={tool.about}>
          {tool.title}
        </Title>
        {tool.show(props, rest)}
      </>
    );
  }
  return (
    <>
      <Title>{t.shell.tools}</Title>
      <ul class="choices">
        {menu()
          .filter((page) => RARE.includes(page))
          .map((page) => (
            <li key={page} class="rare-tool">
              <Line href={linkTo(page)} icon={pageIcons[page]} title={pageTitles()[page]} />
            </li>
          ))}
        {Object.entries(all).map(([name, { icon, title, about }]) => (
          <li key={name}>
            <Line href={linkTo("tools", name)} icon={icon} title={title} about={about} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Line({ href, icon, title, about }: { href: string; icon: IconName; title: string; about?: string }) {
  return (
    <a class="choice" href={href}>
      <Icon name={icon} />
      <span>
        <strong>{title}</strong>
        {about && <small>{about}</small>}
      </span>
    </a>
  );
}
