// The frame of the screens before a wallet is open: a card in the middle.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Brand, PlaceButton } from "../parts/Bar";
import { Icon } from "../parts/Icon";
import { beside } from "../state/settings";
import { t } from "../words";

interface Props {
  title: string;
  lead?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

export function Frame({ title, lead, wide = false, children }: Props) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = t.common.titleOfPage(title);
    const wanted = main.current?.querySelector<HTMLElement>("[data-autofocus=true]");
    (wanted ?? main.current?.querySelector("h1"))?.focus();
  }, [title]);
  const openSettings = (): void => {
    beside.value = "settings";
  };
  return (
    <div class="before">
      <header class="before-bar">
        <Brand />
        <PlaceButton />
        <button type="button" class="icon-button" aria-label={t.common.settings} title={t.common.settings} onClick={openSettings}>
          <Icon name="settings" />
        </button>
      </header>
      <main ref={main} class={wide ? "card before-card wide" : "card before-card"}>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
    </div>
  );
}
