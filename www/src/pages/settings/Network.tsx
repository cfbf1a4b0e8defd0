// Which network the wallet is on, by which node, and who does its proof of work.
import type { Network as NetworkName } from "headless-wallet";
import { useState } from "preact/hooks";
import type { Mining } from "../../engine/api";
import { Dialog } from "../../parts/Dialog";
import { Labelled, TextField } from "../../parts/Field";
import { Select } from "../../parts/Select";
import { notify } from "../../state/notices";
import { choosePlace, networkTitles, place, presetName, type PresetName, presets, presetTexts } from "../../state/place";
import { closeBeside } from "../../state/settings";
import { screen, startWallet } from "../../state/wallet";
import { t } from "../../words";

const services = () =>
  [
    { name: "nodeUrl", label: t.settings.fullNode, hint: t.settings.itsAPIsAddressWhichEnds },
    { name: "miningUrl", label: t.settings.miningService },
  ] as const;
const minings = (): Record<Mining, string> => ({
  "service-then-local": t.settings.theMiningServiceOrThis,
  service: t.settings.theMiningServiceAlone,
  local: t.settings.thisDeviceAlone,
});
const optionsOf = <V extends string>(titles: Record<V, string>) => (Object.keys(titles) as V[]).map((value) => ({ value, label: titles[value] }));

function urlProblem(text: string): string | undefined {
  try {
    const { protocol, username } = new URL(text);
    if (protocol !== "http:" && protocol !== "https:") return t.settings.itBeginsWithHttpsOr;
    return username ? t.settings.itMustNotHoldA : undefined;
  } catch {
    return t.settings.enterAnAddressSuchAs;
  }
}

export function Network() {
  const [preset, setPreset] = useState<PresetName>(presetName.value);
  const [custom, setCustom] = useState(place.value);
  const [mining, setMining] = useState(place.value.mining);
  const [tried, setTried] = useState(false);
  const isOpen = screen.value === "open" || screen.value === "failed";

  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (preset === "custom" && services().some(({ name }) => urlProblem(custom[name]))) return;
    const before = JSON.stringify(place.value);
    choosePlace({ preset, mining, ...(preset === "custom" && { custom }) });
    closeBeside();
    if (JSON.stringify(place.value) === before) return;
    if (isOpen) void startWallet();
    else notify(t.settings.theSettingsAreChanged, "good");
  };

  return (
    <Dialog title={t.settings.network} onClose={closeBeside}>
      <form onSubmit={save} noValidate>
        <fieldset aria-label={t.settings.network}>
          {presetTexts().map(({ name, title, about }) => (
            <label key={name} class="option">
              <input type="radio" name="preset" checked={preset === name} onChange={() => setPreset(name)} />
              <span>
                <strong>{title}</strong>
                <small>
                  {about} <span class="mono">{presets.value[name].nodeUrl}</span>
                </small>
              </span>
            </label>
          ))}
          <label class="option">
            <input type="radio" name="preset" checked={preset === "custom"} onChange={() => setPreset("custom")} />
            <span>
              <strong>{t.settings.customNode}</strong>
              <small>{t.settings.anyFullNodeAndMining}</small>
            </span>
          </label>
        </fieldset>
        {preset === "custom" && (
          <div class="nested">
            <Labelled label={t.settings.network}>
              {(control) => <Select control={control} value={custom.network} options={optionsOf<NetworkName>(networkTitles())} onChange={(network) => setCustom({ ...custom, network })} />}
            </Labelled>
            {services().map(({ name, ...look }) => (
              <TextField
                key={name}
                {...look}
                type="url"
                look="mono"
                value={custom[name]}
                onInput={(url) => setCustom({ ...custom, [name]: url })}
                problem={tried ? urlProblem(custom[name]) : undefined}
              />
            ))}
            <p class="hint">{t.settings.aNodeThatLiesCan}</p>
          </div>
        )}
        <Labelled label={t.settings.proofOfWork} hint={t.settings.everyTransactionNeedsSecondsOf}>
          {(control) => <Select control={control} value={mining} options={optionsOf(minings())} onChange={setMining} />}
        </Labelled>
        <div class="actions">
          <button type="submit" class="button primary">
            {isOpen ? t.settings.saveAndReconnect : t.settings.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
