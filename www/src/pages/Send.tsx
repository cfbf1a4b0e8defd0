// Giving something away: for nothing, or for something else.
import { Tabs } from "../parts/Tabs";
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { route } from "../state/route";
import { AddressBook } from "./AddressBook";
import { Pay } from "./Pay";
import { Swap } from "./swap/Swap";

const TABS = { pay: "Pay", swap: "Swap", book: "Address book" } as const;

/** What follows the page's name in the address is a tab, or the token to pay. */
export function Send({ onOpen }: PageProps) {
  const { rest } = route.value;
  const tab = rest === "swap" || rest === "book" ? rest : "pay";
  return (
    <>
      <Title>Send</Title>
      <Tabs label="How to send" page="send" tabs={TABS} current={tab} />
      {tab === "pay" && <Pay token={rest in TABS ? "" : rest} onOpen={onOpen} />}
      {tab === "swap" && <Swap onOpen={onOpen} />}
      {tab === "book" && <AddressBook />}
    </>
  );
}
