// What is known of a token, and what can be done with it.
import { HTR } from "headless-wallet/rules";
import type { TokenFacts } from "../engine/api";
import { call } from "../engine/client";
import { Amount } from "../parts/Amount";
import { CopyButton } from "../parts/CopyButton";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { NftPreview } from "../parts/NftPreview";
import { TokenChoice } from "../parts/TokenList";
import { Warnings } from "../parts/Warnings";
import { hide, isAccepted, warningsOf } from "../state/acceptance";
import { useEngine } from "../parts/useEngine";
import { goTo, type Page } from "../state/route";
import { tokenOf } from "../state/wallet";
import { clean, time } from "../text";
import { t } from "../words";

export function TokenDialog({ uid, onClose }: { uid: string; onClose(): void }) {
  const token = tokenOf(uid);
  const accepted = isAccepted(uid);
  const isHtr = uid === HTR.uid;
  const facts = useEngine(async () => (isHtr ? undefined : call("tokenFacts", uid)), [uid]);
  const go = (page: Page, rest: string): void => {
    onClose();
    goTo(page, rest);
  };
  return (
    <Dialog title={clean(token.name)} onClose={onClose} wide>
      {token.nft !== undefined && <NftPreview data={token.nft} name={token.name} />}
      <Warnings warnings={warningsOf(token)} />
      <p class="dialog-amount">
        <Amount cents={token.available} exact={token.exact.available} token={uid} plain />
      </p>
      <dl class="facts">
        {token.locked > 0n && (
          <>
            <dt>{t.tokens.locked}</dt>
            <dd>
              <Amount cents={token.locked} exact={token.exact.locked} token={uid} plain />
            </dd>
          </>
        )}
        {token.frozen > 0n && (
          <>
            <dt>{t.tokens.frozen}</dt>
            <dd>
              <Amount cents={token.frozen} token={uid} plain />
            </dd>
          </>
        )}
        {facts.value && <Facts uid={uid} facts={facts.value} />}
        {token.nft !== undefined && (
          <>
            <dt>{t.common.data}</dt>
            <dd class="mono">
              <bdi>{clean(token.nft)}</bdi>
            </dd>
          </>
        )}
        {!isHtr && (
          <>
            <dt>{t.common.identifier}</dt>
            <dd class="mono with-copy">
              {uid}
              <CopyButton text={uid} what={t.common.identifier} small />
            </dd>
          </>
        )}
      </dl>
      {token.origin === "created" && <p class="hint">{t.tokens.thisWalletHasCreatedIt}</p>}
      {!isHtr && <p class="hint">{t.tokens.namesAndSymbolsAreNot}</p>}
      {!accepted && <TokenChoice token={token} />}
      <div class="actions">
        {accepted && !isHtr && (
          <button type="button" class="button quiet" onClick={() => hide(uid)}>{t.tokens.hide}</button>
        )}
        <button type="button" class="button" onClick={() => go("history", uid)}>
          <Icon name="history" />
          {t.common.history}
        </button>
        {accepted && token.canMint && (
          <button type="button" class="button" onClick={() => go("tokens", `mint:${uid}`)}>
            <Icon name="plus" />
            {t.tokens.mint}
          </button>
        )}
        {accepted && token.canMelt && (
          <button type="button" class="button" onClick={() => go("tokens", `melt:${uid}`)}>
            <Icon name="flame" />
            {t.tokens.melt}
          </button>
        )}
        {accepted && (
          <button type="button" class="button primary" disabled={token.available === 0n} onClick={() => go("send", isHtr ? "" : uid)}>
            <Icon name="send" />
            {t.common.send}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Facts({ uid, facts }: { uid: string; facts: TokenFacts }) {
  const { supply, canMint, canMelt, paysFees, configurationString, created, rights } = facts;
  const own = [rights.mint > 0 && t.counts.rightsToMint(rights.mint), rights.melt > 0 && t.counts.rightsToMelt(rights.melt)];
  const open = [canMint && t.tokens.moreCanBeMinted, canMelt && t.tokens.itCanBeMelted].filter(Boolean).join(", ");
  return (
    <>
      {supply !== undefined && (
        <>
          <dt>{t.tokens.totalSupply}</dt>
          <dd>
            <Amount cents={supply} token={uid} plain />
          </dd>
        </>
      )}
      <dt>{t.tokens.later}</dt>
      <dd>{open || t.tokens.itsAmountIsFixedFor}</dd>
      <dt>{t.tokens.yourRights}</dt>
      <dd>{own.filter(Boolean).join(", ") || t.history.none}</dd>
      <dt>{t.tokens.paidForBy}</dt>
      <dd>{paysFees ? t.tokens.aFeeWheneverItIs : t.tokens.aDepositInHTR}</dd>
      {created !== undefined && (
        <>
          <dt>{t.tokens.created}</dt>
          <dd>{time(created)}</dd>
        </>
      )}
      {configurationString !== undefined && (
        <>
          <dt>{t.tokens.configuration}</dt>
          <dd class="mono with-copy">
            <bdi>{configurationString}</bdi>
            <CopyButton text={configurationString} what={t.tokens.configurationString} small />
          </dd>
        </>
      )}
    </>
  );
}
