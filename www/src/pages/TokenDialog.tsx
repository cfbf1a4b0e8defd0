// What is known of a token, and what can be done with it.
import type { TokenFacts } from "../engine/api";
import { call } from "../engine/client";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { NftPreview } from "../parts/NftPreview";
import { TokenChoice } from "../parts/TokenList";
import { TokenWarnings } from "../parts/TokenWarnings";
import { hide, isAccepted, warningsOf } from "../state/acceptance";
import { useEngine } from "../parts/useEngine";
import { goTo, type Page } from "../state/route";
import { tokenOf } from "../state/wallet";
import { clean, plural, time } from "../text";

export function TokenDialog({ uid, onClose }: { uid: string; onClose(): void }) {
  const token = tokenOf(uid);
  const accepted = isAccepted(uid);
  const facts = useEngine(() => call("tokenFacts", uid), [uid]);
  const go = (page: Page, rest: string): void => {
    onClose();
    goTo(page, rest);
  };
  return (
    <Dialog title={clean(token.name)} onClose={onClose}>
      {token.nft !== undefined && <NftPreview data={token.nft} name={token.name} />}
      <TokenWarnings warnings={warningsOf(token)} />
      <dl class="facts">
        <dt>Symbol</dt>
        <dd>
          <bdi>{clean(token.symbol)}</bdi>
        </dd>
        <dt>Yours</dt>
        <dd>
          <Amount cents={token.available} token={uid} plain />
        </dd>
        {token.locked > 0n && (
          <>
            <dt>Locked</dt>
            <dd>
              <Amount cents={token.locked} token={uid} plain />
            </dd>
          </>
        )}
        {token.frozen > 0n && (
          <>
            <dt>Frozen</dt>
            <dd>
              <Amount cents={token.frozen} token={uid} plain />
            </dd>
          </>
        )}
        {facts.value && <Facts uid={uid} facts={facts.value} />}
        {token.nft !== undefined && (
          <>
            <dt>Data</dt>
            <dd class="mono">
              <bdi>{clean(token.nft)}</bdi>
            </dd>
          </>
        )}
        <dt>Identifier</dt>
        <dd class="mono with-copy">
          {uid}
          <CopyButton text={uid} what="Identifier" small />
        </dd>
      </dl>
      {token.origin === "created" && <p class="hint">This wallet has created it.</p>}
      <p class="hint">Names and symbols are not unique: the identifier tells a token from others of the same name.</p>
      {!accepted && <TokenChoice token={token} />}
      <div class="actions">
        {accepted && (
          <button type="button" class="button quiet" onClick={() => hide(uid)}>
            Hide
          </button>
        )}
        <button type="button" class="button" onClick={() => go("history", uid)}>
          <Icon name="history" />
          History
        </button>
        {accepted && token.canMint && (
          <button type="button" class="button" onClick={() => go("tokens", `mint:${uid}`)}>
            <Icon name="plus" />
            Mint
          </button>
        )}
        {accepted && token.canMelt && (
          <button type="button" class="button" onClick={() => go("tokens", `melt:${uid}`)}>
            <Icon name="flame" />
            Melt
          </button>
        )}
        {accepted && (
          <button type="button" class="button primary" disabled={token.available === 0n} onClick={() => go("send", uid)}>
            <Icon name="send" />
            Send
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Facts({ uid, facts }: { uid: string; facts: TokenFacts }) {
  const { supply, canMint, canMelt, paysFees, configurationString, created, rights } = facts;
  const own = [rights.mint > 0 && plural(rights.mint, "right to mint", "rights to mint"), rights.melt > 0 && plural(rights.melt, "right to melt", "rights to melt")];
  const open = [canMint && "more can be minted", canMelt && "it can be melted"].filter(Boolean).join(", ");
  return (
    <>
      {supply !== undefined && (
        <>
          <dt>Total supply</dt>
          <dd>
            <Amount cents={supply} token={uid} plain />
          </dd>
        </>
      )}
      <dt>Supply</dt>
      <dd>{open || "fixed for ever"}</dd>
      <dt>Your rights</dt>
      <dd>{own.filter(Boolean).join(", ") || "none"}</dd>
      <dt>Paid for by</dt>
      <dd>{paysFees ? "a fee whenever it is moved" : "a deposit in HTR"}</dd>
      {created !== undefined && (
        <>
          <dt>Created</dt>
          <dd>{time(created)}</dd>
        </>
      )}
      {configurationString !== undefined && (
        <>
          <dt>Configuration</dt>
          <dd class="mono with-copy">
            <bdi>{configurationString}</bdi>
            <CopyButton text={configurationString} what="Configuration string" small />
          </dd>
        </>
      )}
    </>
  );
}
