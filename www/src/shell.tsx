// An open wallet: where one is, where one can go, and the page itself.
import { useEffect, useRef } from "preact/hooks";
import { History } from "./pages/History";
import { menu, pageIcons, pageTitles, RARE } from "./pages/menu";
import { Overview } from "./pages/Overview";
import { Receive } from "./pages/Receive";
import { Send } from "./pages/Send";
import { Settings } from "./pages/Settings";
import { Swap } from "./pages/swap/Swap";
import { Tokens } from "./pages/Tokens";
import { Tools } from "./pages/Tools";
import { TransactionDialog } from "./pages/TransactionDialog";
import { Brand, PlaceButton } from "./parts/Bar";
import { Icon } from "./parts/Icon";
import { LostNode } from "./parts/LostNode";
import { NetworkWarnings } from "./parts/NetworkWarnings";
import { Empty } from "./parts/Empty";
import { Title } from "./parts/Title";
import { lockAll } from "./state/autolock";
import { changeQuery, linkTo, type Page, route, visits } from "./state/route";
import { isWatchOnly } from "./state/wallet";
import { openKept } from "./state/wallets";
import { t } from "./words";

export interface PageProps {
  /** Shows a transaction. */
  onOpen(id: string): void;
}

const SHOWN: Record<Page, (props: PageProps) => preact.JSX.Element> = {
  overview: Overview,
  send: Send,
  receive: Receive,
  swap: Swap,
  tokens: Tokens,
  history: History,
  tools: Tools,
  settings: Settings,
};

const NEEDS_KEYS: Page[] = ["send", "swap", "tokens"];

export function Shell() {
  const main = useRef<HTMLElement>(null);
  const { page: asked, rest, query } = route.value;
  const page = asked === "settings" || menu().includes(asked) ? asked : "overview";
  const opened = query.get("tx");
  const titles = pageTitles();
  const title = titles[page];
  const Shown = isWatchOnly.value && NEEDS_KEYS.includes(page) ? WatchOnly : SHOWN[page];

  useEffect(() => {
    scrollTo(0, 0);
    main.current?.querySelector("h1")?.focus();
  }, [page, (page === "tools" || page === "tokens") && rest.split(":")[0]]);
  useEffect(() => {
    document.title = t.common.titleOfPage(title);
  }, [title]);

  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.querySelector("h1")?.focus()}>{t.shell.skipToThePage}</button>
      <header class="bar">
        <Brand />
        {openKept.value && <bdi class="wallet-name">{openKept.value.name}</bdi>}
        <PlaceButton />
        <a class="icon-button" href={linkTo("settings")} aria-current={page === "settings" ? "page" : undefined} aria-label={t.common.settings} title={t.common.settings}>
          <Icon name="settings" />
        </a>
        <button type="button" class="icon-button" aria-label={t.shell.lockTheWallet} title={t.shell.lockTheWallet} onClick={() => lockAll()}>
          <Icon name="lock" />
        </button>
      </header>
      <nav class="nav" aria-label={t.shell.pages}>
        {menu().map((name) => (
          <a
            key={name}
            class={menuClass(name, page)}
            href={linkTo(name)}
            aria-current={name === page ? "page" : undefined}
            onClick={() => {
              if (name === page) visits.value += 1;
            }}
          >
            <Icon name={pageIcons[name]} />
            <span>{titles[name]}</span>
          </a>
        ))}
      </nav>
      <main ref={main} class="page">
        <NetworkWarnings />
        <LostNode />
        {/* What is about one token leads back to the others. */}
        {RARE.includes(page) && !rest.includes(":") && (
          <a class="back rare-tool" href={linkTo("tools")}>
            <Icon name="back" />
            {titles.tools}
          </a>
        )}
        <Shown onOpen={(id) => changeQuery({ tx: id }, true)} />
      </main>
      {opened && <TransactionDialog id={opened} onClose={() => changeQuery({ tx: undefined }, true)} />}
    </div>
  );
}

/** On a phone, a page that only the list of tools leads to is a part of it. */
function menuClass(name: Page, current: Page): string | undefined {
  if (RARE.includes(name)) return "rare";
  return name === "tools" && RARE.includes(current) ? "leads-here" : undefined;
}

function WatchOnly() {
  return (
    <>
      <Title>{pageTitles()[route.value.page]}</Title>
      <Empty icon="eye" title={t.shell.thisWalletIsWatchedOnly} text={t.shell.itWasOpenedByIts} />
    </>
  );
}
