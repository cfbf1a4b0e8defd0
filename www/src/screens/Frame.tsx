// The frame of the screens before a wallet is open: a card in the middle.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/Icon";
import { ThemeButton } from "../parts/ThemeButton";
import { placeTitle } from "../state/place";
import { openSettings } from "../state/settings";

interface Props {
  title: string;
  lead?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

export function Frame({ title, lead, wide = false, children }: Props) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${title} · Headless Wallet`;
    const wanted = main.current?.querySelector<HTMLElement>("[data-autofocus=true]");
    (wanted ?? main.current?.querySelector("h1"))?.focus();
  }, [title]);
  return (
    <div class="before">
      <header class="before-bar">
        <span class="brand">
          <Icon name="wallet" />
          Headless Wallet
        </span>
        <button type="button" class="button quiet" onClick={openSettings} aria-label={`Settings. Network: ${placeTitle.value}`}>
          <span class="dot" />
          {placeTitle.value}
        </button>
        <ThemeButton />
      </header>
      <main ref={main} class={wide ? "card before-card wide" : "card before-card"}>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
    </div>
  );
}
