// Where the wallet finds its network, how the page looks, and the words.
import type { Network } from "headless-wallet";
import { useState } from "preact/hooks";
import type { Mining } from "../engine/api";
import { Dialog } from "../parts/Dialog";
import { Labelled, TextField } from "../parts/Field";
import { choosePlace, place, presetName, type PresetName, presets } from "../state/place";
import { LOCK_TIMES, lockAfter, setLockAfter } from "../state/autolock";
import { notify } from "../state/notices";
import { closeSettings } from "../state/settings";
import { type Theme, theme } from "../state/theme";
import { screen, startWallet } from "../state/wallet";
import { plural } from "../text";
import { WalletSettings } from "./settings/WalletSettings";

const NETWORKS: Network[] = ["mainnet", "testnet", "privatenet"];
const SERVICES = [
  { name: "nodeUrl", label: "Full node", hint: "Its API's address, which ends in /v1a/." },
  { name: "miningUrl", label: "Mining service" },
] as const;
const MINING: Record<Mining, string> = {
  "service-then-local": "The mining service, or this device when that can't",
  service: "The mining service alone",
  local: "This device alone",
};
const THEMES: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

function urlProblem(text: string): string | undefined {
  try {
    const { protocol, username } = new URL(text);
    if (protocol !== "http:" && protocol !== "https:") return "It begins with https:// or http://.";
    return username ? "It must not hold a user name." : undefined;
  } catch {
    return "Enter an address such as https://node.example/v1a/.";
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
    if (preset === "custom" && SERVICES.some(({ name }) => urlProblem(custom[name]))) return;
    const before = JSON.stringify(place.value);
    choosePlace({ preset, mining, ...(preset === "custom" && { custom }) });
    closeSettings();
    if (JSON.stringify(place.value) === before) return;
    if (isOpen) void startWallet();
    else notify("The settings are changed.", "good");
  };

  return (
    <Dialog title="Settings" onClose={closeSettings} wide>
      <form onSubmit={save} noValidate>
        <fieldset class="plain">
          <legend>Network</legend>
          {Object.entries(presets.value).map(([name, { title, about, nodeUrl }]) => (
            <label key={name} class="option">
              <input type="radio" name="preset" checked={preset === name} onChange={() => setPreset(name as PresetName)} />
              <span>
                <strong>{title}</strong>
                <small>
                  {about} <span class="mono">{nodeUrl}</span>
                </small>
              </span>
            </label>
          ))}
          <label class="option">
            <input type="radio" name="preset" checked={preset === "custom"} onChange={() => setPreset("custom")} />
            <span>
              <strong>Custom node</strong>
              <small>Any full node and mining service that let this page in.</small>
            </span>
          </label>
        </fieldset>
        {preset === "custom" && (
          <div class="nested">
            <Labelled label="Network">
              {(control) => (
                <select
                  {...control}
                  value={custom.network}
                  onChange={(event) => setCustom({ ...custom, network: event.currentTarget.value as Network })}
                >
                  {NETWORKS.map((network) => (
                    <option key={network}>{network}</option>
                  ))}
                </select>
              )}
            </Labelled>
            {SERVICES.map(({ name, ...look }) => (
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
            <p class="hint">
              A node that lies can show wrong balances and refuse to send. It can't take what is yours: keys and signatures never leave
              this page.
            </p>
          </div>
        )}
        <Labelled label="Proof of work" hint="Every transaction needs seconds of it.">
          {(control) => (
            <select {...control} value={mining} onChange={(event) => setMining(event.currentTarget.value as Mining)}>
              {Object.entries(MINING).map(([name, title]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <div class="actions">
          <button type="submit" class="button primary">
            {isOpen ? "Save and reconnect" : "Save"}
          </button>
        </div>
      </form>
      <fieldset class="plain">
        <legend>Colours</legend>
        <div class="segments">
          {(Object.keys(THEMES) as Theme[]).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="theme"
                checked={theme.value === name}
                onChange={() => {
                  theme.value = name;
                }}
              />
              <span>{THEMES[name]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Labelled label="Lock after" hint="Without use. After the computer's sleep it is locked as well, and in all tabs.">
        {(control) => (
          <select {...control} value={lockAfter.value} onChange={(event) => setLockAfter(Number(event.currentTarget.value))}>
            {LOCK_TIMES.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 0 ? "Never" : plural(minutes, "minute")}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {isOpen && <WalletSettings />}
    </Dialog>
  );
}
