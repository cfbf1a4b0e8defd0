// How the page looks, the words, and where the wallet finds its network.
import type { Network } from "headless-wallet";
import { useState } from "preact/hooks";
import type { Mining } from "../engine/api";
import { Dialog } from "../parts/Dialog";
import { Labelled, TextField } from "../parts/Field";
import { choosePlace, networkTitles, place, presetName, type PresetName, presets, presetTexts } from "../state/place";
import { LOCK_TIMES, lockAfter, setLockAfter } from "../state/autolock";
import { chooseLanguage, language } from "../state/language";
import { notify } from "../state/notices";
import { closeSettings } from "../state/settings";
import { type Theme, theme } from "../state/theme";
import { screen, startWallet } from "../state/wallet";
import { WalletSettings } from "./settings/WalletSettings";
import { t } from "../words";
import { type Language, LANGUAGES } from "../words/languages";

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
const themes = (): Record<Theme, string> => ({ system: t.settings.asTheSystem, light: t.settings.light, dark: t.settings.dark });

function urlProblem(text: string): string | undefined {
  try {
    const { protocol, username } = new URL(text);
    if (protocol !== "http:" && protocol !== "https:") return t.settings.itBeginsWithHttpsOr;
    return username ? t.settings.itMustNotHoldA : undefined;
  } catch {
    return t.settings.enterAnAddressSuchAs;
  }
}

export function Settings() {
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
    closeSettings();
    if (JSON.stringify(place.value) === before) return;
    if (isOpen) void startWallet();
    else notify(t.settings.theSettingsAreChanged, "good");
  };

  return (
    <Dialog title={t.common.settings} onClose={closeSettings} wide>
      <Labelled label={t.settings.language}>
        {(control) => (
          <select {...control} value={language.value} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <fieldset class="plain">
        <legend>{t.settings.colours}</legend>
        <div class="segments">
          {(Object.keys(themes()) as Theme[]).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="theme"
                checked={theme.value === name}
                onChange={() => {
                  theme.value = name;
                }}
              />
              <span>{themes()[name]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Labelled label={t.settings.lockAfter} hint={t.settings.withoutUseAfterTheComputers}>
        {(control) => (
          <select {...control} value={lockAfter.value} onChange={(event) => setLockAfter(Number(event.currentTarget.value))}>
            {LOCK_TIMES.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 0 ? t.common.never : t.counts.minutes(minutes)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {isOpen && <WalletSettings />}
      {/* Last, with its button at the end: all else holds at once. */}
      <form onSubmit={save} noValidate>
        <fieldset class="plain">
          <legend>{t.settings.network}</legend>
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
              {(control) => (
                <select
                  {...control}
                  value={custom.network}
                  onChange={(event) => setCustom({ ...custom, network: event.currentTarget.value as Network })}
                >
                  {Object.entries(networkTitles()).map(([network, title]) => (
                    <option key={network} value={network}>
                      {title}
                    </option>
                  ))}
                </select>
              )}
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
          {(control) => (
            <select {...control} value={mining} onChange={(event) => setMining(event.currentTarget.value as Mining)}>
              {Object.entries(minings()).map(([name, title]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          )}
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
