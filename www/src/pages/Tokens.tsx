// The wallet's tokens; making more of them, and unmaking them.
import { Tabs } from "../parts/Tabs";
import { TokenList } from "../parts/TokenList";
import { Title } from "../parts/Title";
import type { PageProps } from "../shell";
import { linkTo, route } from "../state/route";
import { multisig } from "../state/wallet";
import { CreateNft } from "./CreateNft";
import { CreateToken } from "./CreateToken";
import { Melt } from "./Melt";
import { Mint } from "./Mint";
import { t } from "../words";

const tabs = () => ({ list: t.tokens.myTokens, create: t.tokens.newToken, nft: t.tokens.newNFT });

export function Tokens({ onOpen }: PageProps) {
  const [name = "", token = ""] = route.value.rest.split(":");
  if (!multisig.value && (name === "mint" || name === "melt")) {
    const Shown = name === "mint" ? Mint : Melt;
    return (
      <>
        <Title back={{ href: linkTo("tokens"), title: t.common.tokens }}>{t.tokens[name]}</Title>
        <Shown key={token} token={token} onOpen={onOpen} />
      </>
    );
  }
  const tab = !multisig.value && (name === "create" || name === "nft") ? name : "list";
  return (
    <>
      <Title>{t.common.tokens}</Title>
      {multisig.value ? <p class="quiet-text">{t.multisig.tokensElsewhere}</p> : <Tabs label={t.tokens.whatToDoWithTokens} page="tokens" tabs={tabs()} current={tab} />}
      {tab === "list" && (
        <section class="card" aria-label={t.tokens.myTokens}>
          <TokenList />
        </section>
      )}
      {tab === "create" && <CreateToken onOpen={onOpen} />}
      {tab === "nft" && <CreateNft onOpen={onOpen} />}
    </>
  );
}
