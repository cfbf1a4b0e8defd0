// An open wallet: where one is, where one can go, and the page itself.
import { useEffect, useRef } from "preact/hooks";
import { Coins } from "./pages/Coins";
import { History } from "./pages/History";
import { Overview } from "./pages/Overview";
import { Receive } from "./pages/Receive";
import { Send } from "./pages/Send";
import { Tokens } from "./pages/Tokens";
import { TransactionDialog } from "./pages/TransactionDialog";
import { Brand, PlaceButton } from "./parts/Bar";
import { Icon, type IconName } from "./parts/Icon";
import { LostNode } from "./parts/LostNode";
import { NetworkWarnings } from "./parts/NetworkWarnings";
import { Title } from "./parts/Title";
import { ThemeButton } from "./parts/ThemeButton";
import { lockAll } from "./state/autolock";
import { changeQuery, linkTo, type Page, PAGES, route } from "./state/route";
import { isWatchOnly } from "./state/wallet";
import { openKept } from "./state/wallets";
import { t } from "./words";

export interface PageProps {
  /** Shows a transaction. */
  onOpen(id: string): void;
}

const SHOWN: Record<Page, (props: PageProps) => preact.JSX.Element> = {
  overview: Overview,
  receive: Receive,
  send: Send,
  tokens: Tokens,
  history: History,
  coins: Coins,
};

const ICONS: Record<Page, IconName> = {
  overview: "wallet",
  receive: "receive",
  send: "send",
  tokens: "tokens",
  history: "history",
  coins: "coins",
};

/** What the pages are called. */
export const pageTitles = (): Record<Page, string> => ({
  overview: t.shell.overview,
  receive: t.common.receive,
  send: t.common.send,
  tokens: t.common.tokens,
  history: t.common.history,
  coins: t.history.utxos,
});

const NEEDS_KEYS: Page[] = ["send", "tokens"];

export function Shell() {
  const main = useRef<HTMLElement>(null);
  const { page, query } = route.value;
  const opened = query.get("tx");
  const titles = pageTitles();
  const title = titles[page];
  const Shown = isWatchOnly.value && NEEDS_KEYS.includes(page) ? WatchOnly : SHOWN[page];

  useEffect(() => {
    scrollTo(0, 0);
    main.current?.querySelector("h1")?.focus();
  }, [page]);
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
        <ThemeButton />
        <button type="button" class="icon-button" aria-label={t.shell.lockTheWallet} title={t.shell.lockTheWallet} onClick={() => lockAll()}>
          <Icon name="lock" />
        </button>
      </header>
      <nav class="nav" aria-label={t.shell.pages}>
        {PAGES.map((name) => (
          <a key={name} href={linkTo(name)} aria-current={name === page ? "page" : undefined}>
            <Icon name={ICONS[name]} />
            <span>{titles[name]}</span>
          </a>
        ))}
      </nav>
      <main ref={main} class="page">
        <NetworkWarnings />
        <LostNode />
        <Shown onOpen={(id) => changeQuery({ tx: id }, true)} />
      </main>
      {opened && <TransactionDialog id={opened} onClose={() => changeQuery({ tx: undefined }, true)} />}
    </div>
  );
}

function WatchOnly() {
  return (
    <>
      <Title>{pageTitles()[route.value.page]}</Title>
      <section class="card empty">
        <Icon name="eye" />
        <h2>{t.shell.thisWalletIsWatchedOnly}</h2>
        <p>{t.shell.itWasOpenedByIts}</p>
      </section>
    </>
  );
}
