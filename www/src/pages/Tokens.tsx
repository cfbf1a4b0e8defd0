// The wallet's tokens; making more of them, and unmaking them.
import { Tabs } from "../parts/Tabs";
import { TokenList } from "../parts/TokenList";
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { route } from "../state/route";
import { CreateNft } from "./CreateNft";
import { CreateToken } from "./CreateToken";
import { Melt } from "./Melt";
import { Mint } from "./Mint";

const TABS = { list: "My tokens", create: "New token", nft: "New NFT", mint: "Mint", melt: "Melt" } as const;
type Tab = keyof typeof TABS;

export function Tokens({ onOpen }: PageProps) {
  const [name = "", token = ""] = route.value.rest.split(":");
  const tab: Tab = name in TABS ? (name as Tab) : "list";
  return (
    <>
      <Title>Tokens</Title>
      <Tabs label="What to do with tokens" page="tokens" tabs={TABS} current={tab} />
      {tab === "list" && (
        <section class="card" aria-label="My tokens">
          <TokenList none="No tokens besides HTR. You can create your own: a hundredth of its amount is deposited in HTR." />
        </section>
      )}
      {tab === "create" && <CreateToken onOpen={onOpen} />}
      {tab === "nft" && <CreateNft onOpen={onOpen} />}
      {tab === "mint" && <Mint key={token} token={token} onOpen={onOpen} />}
      {tab === "melt" && <Melt key={token} token={token} onOpen={onOpen} />}
    </>
  );
}
