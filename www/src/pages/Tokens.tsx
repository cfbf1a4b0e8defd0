// Making tokens, and unmaking them.
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { linkTo, route } from "../state/route";
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
      <nav class="tabs" aria-label="What to do with tokens">
        {(Object.keys(TABS) as Tab[]).map((key) => (
          <a key={key} href={linkTo("tokens", key)} aria-current={key === tab ? "page" : undefined}>
            {TABS[key]}
          </a>
        ))}
      </nav>
      {tab === "create" && <CreateToken onOpen={onOpen} />}
      {tab === "nft" && <CreateNft onOpen={onOpen} />}
      {tab === "melt" && <Melt key={token} token={token} onOpen={onOpen} />}
    </>
  );
}
