// Making tokens, and unmaking them.
import { Tabs } from "../parts/Tabs";
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { route } from "../state/route";
import { CreateNft } from "./CreateNft";
import { CreateToken } from "./CreateToken";
import { Melt } from "./Melt";

const TABS = { create: "New token", nft: "New NFT", melt: "Melt" } as const;
type Tab = keyof typeof TABS;

export function Tokens({ onOpen }: PageProps) {
  const [name = "", token = ""] = route.value.rest.split(":");
  const tab: Tab = name in TABS ? (name as Tab) : "create";
  return (
    <>
      <Title>Tokens</Title>
      <Tabs label="What to do with tokens" page="tokens" tabs={TABS} current={tab} />
      {tab === "create" && <CreateToken onOpen={onOpen} />}
      {tab === "nft" && <CreateNft onOpen={onOpen} />}
      {tab === "melt" && <Melt key={token} token={token} onOpen={onOpen} />}
    </>
  );
}
