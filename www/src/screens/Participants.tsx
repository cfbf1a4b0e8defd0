// Who takes part in a multisig wallet, and how many of them must sign.
import { useEffect, useState } from "preact/hooks";
import type { Words } from "../engine/api";
import { call } from "../engine/client";
import { CopyButton } from "../parts/CopyButton";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Labelled } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { QrButtons } from "../parts/QrButtons";
import { QrCode } from "../parts/QrCode";
import { Select } from "../parts/Select";
import { t } from "../words";
import { Frame } from "./Frame";
import { KeepWords } from "./KeepWords";

/** What more of them receive could never be spent: their redeem scripts are too long for the network. */
const MOST = 7;

interface Other {
  key: number;
  xpub: string;
  problem: string | undefined;
}

export function Participants({ keys, onBack }: { keys: Words; onBack(): void }) {
  const [own, setOwn] = useState("");
  const [error, setError] = useState<unknown>();
  const [showing, setShowing] = useState(false);
  const [others, setOthers] = useState<Other[]>([{ key: 0, xpub: "", problem: undefined }]);
  const [wanted, setWanted] = useState(2);
  const [done, setDone] = useState(false);
  useEffect(() => {
    call("multisigXpub", keys).then(setOwn, setError);
  }, []);

  const total = others.length + 1;
  const needed = Math.min(wanted, total);
  const pubkeys = [own, ...others.map(({ xpub }) => xpub)];
  if (done) return <KeepWords keys={{ ...keys, multisig: { pubkeys, numSignatures: needed } }} onBack={() => setDone(false)} />;

  const put = (key: number, xpub: string): void =>
    setOthers(others.map((other) => (other.key === key ? { key, xpub: xpub.trim(), problem: undefined } : other)));
  const check = async ({ xpub }: Other, at: number): Promise<string | undefined> => {
    const wrong = await call("checkXpub", xpub).catch(() => t.common.thisCantBeChecked);
    if (wrong !== undefined) return t.before.thisIsNotAnXpub;
    return pubkeys.indexOf(xpub) <= at ? t.multisig.itIsThereAlready : undefined;
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const checked = await Promise.all(others.map(async (other, at) => ({ ...other, problem: await check(other, at) })));
    setOthers(checked);
    if (own !== "" && checked.every(({ problem }) => problem === undefined)) setDone(true);
    else queueMicrotask(() => document.querySelector<HTMLElement>("main [aria-invalid=true]")?.focus());
  };
  return (
    <Frame wide title={t.multisig.whoTakesPart} lead={t.multisig.whoTakesPartLead}>
      <ErrorMessage error={error} />
      <section aria-labelledby="own-title">
        <h2 id="own-title">{t.multisig.yourXpub}</h2>
        <p class="hint">{t.multisig.giveItToTheOthers}</p>
        <p class="address mono" data-testid="own-xpub">
          {own}
        </p>
        {showing && own && <QrCode text={own} label={t.multisig.qrCodeOfXpub} />}
        <div class="actions start">
          <CopyButton text={own} what="xpub" />
          <button type="button" class="button" aria-expanded={showing} onClick={() => setShowing(!showing)}>
            {showing ? t.swap.hideTheQRCode : t.swap.showAsAQRCode}
          </button>
        </div>
      </section>
      <form onSubmit={submit} noValidate>
        {others.map(({ key, xpub, problem }, at) => (
          <div key={key}>
            <Labelled
              label={t.multisig.xpubOf(at + 2)}
              problem={problem}
              aside={
                <span class="field-ways">
                  <QrButtons small onText={(text) => put(key, text)} />
                  {others.length > 1 && (
                    <button
                      type="button"
                      class="icon-button"
                      aria-label={t.multisig.leaveOut(at + 2)}
                      onClick={() => setOthers(others.filter((other) => other.key !== key))}
                    >
                      <Icon name="trash" />
                    </button>
                  )}
                </span>
              }
            >
              {(control) => (
                <textarea
                  {...control}
                  class="mono"
                  rows={2}
                  spellcheck={false}
                  autocapitalize="none"
                  placeholder="xpub6…"
                  value={xpub}
                  onInput={(event) => put(key, event.currentTarget.value)}
                />
              )}
            </Labelled>
          </div>
        ))}
        <div class="actions start">
          <button
            type="button"
            class="button"
            disabled={total >= MOST}
            onClick={() => setOthers([...others, { key: Math.max(...others.map(({ key }) => key)) + 1, xpub: "", problem: undefined }])}
          >
            <Icon name="plus" />
            {t.multisig.anotherParticipant}
          </button>
        </div>
        <Labelled label={t.multisig.howManyMustSign} hint={t.multisig.allMustSayTheSame}>
          {(control) => <Select control={control} value={needed} options={pubkeys.map((_, at) => ({ value: at + 1, label: t.multisig.soManyOf(at + 1, total) }))} onChange={setWanted} />}
        </Labelled>
        <div class="actions">
          <button type="button" class="button" onClick={onBack}>
            {t.common.back}
          </button>
          <button type="submit" class="button primary">
            {t.before.continue}
          </button>
        </div>
      </form>
    </Frame>
  );
}
