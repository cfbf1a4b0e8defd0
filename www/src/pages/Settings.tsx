// How the page looks and locks, and what there is to be done with the open wallet.
import { Dialog } from "../parts/Dialog";
import { Labelled } from "../parts/Field";
import { Select } from "../parts/Select";
import { Title } from "../parts/Title";
import { LOCK_TIMES, lockAfter, setLockAfter } from "../state/autolock";
import { chooseLanguage, language } from "../state/language";
import { closeBeside } from "../state/settings";
import { type Theme, theme } from "../state/theme";
import { screen } from "../state/wallet";
import { WalletSettings } from "./settings/WalletSettings";
import { t } from "../words";
import { type Language, LANGUAGES } from "../words/languages";

const themes = (): Record<Theme, string> => ({ system: t.settings.asTheSystem, light: t.settings.light, dark: t.settings.dark });

/** The page of an open wallet. */
export function Settings() {
  return (
    <>
      <Title>{t.common.settings}</Title>
      <section class="card" aria-label={t.settings.thisPage}>
        <PageSettings />
      </section>
      <WalletSettings />
    </>
  );
}

/** Before a wallet is open, what was begun stays behind it. */
export function SettingsDialog() {
  return (
    <Dialog title={t.common.settings} onClose={closeBeside}>
      <PageSettings />
      {screen.value === "failed" && <WalletSettings />}
    </Dialog>
  );
}

function PageSettings() {
  return (
    <>
      <Labelled label={t.settings.language}>
        {(control) => (
          <Select
            control={control}
            value={language.value}
            options={(Object.keys(LANGUAGES) as Language[]).map((tag) => ({ value: tag, label: LANGUAGES[tag], lang: tag }))}
            onChange={chooseLanguage}
          />
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
          <Select
            control={control}
            value={lockAfter.value}
            options={LOCK_TIMES.map((minutes) => ({ value: minutes, label: minutes === 0 ? t.common.never : t.counts.minutes(minutes) }))}
            onChange={setLockAfter}
          />
        )}
      </Labelled>
    </>
  );
}
