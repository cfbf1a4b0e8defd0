// Where the wallet finds its network (one of the presets, or addresses of the user's own), and who does its proof of work. Kept in this
// browser.
import { computed, signal } from "@preact/signals";
import type { Network } from "headless-wallet";
import { publicServices } from "headless-wallet/rules";
import type { Mining, Place, Services } from "../engine/api";
import { readJson, writeJson } from "./storage";
import { t } from "../words";

export type PresetName = "local" | "testnet" | "mainnet" | "custom";

/** A preset whose services are known. */
export type Known = Exclude<PresetName, "custom">;

const KEY = "place";

/** Whether the page is at an origin of this computer, which all that is developed here uses in turn. */
const SHARED_ORIGIN = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

/** `local` is where the server of this page says, in `place.json`; without that, at the usual ports of this computer. */
export const presets = signal<Record<Known, Services>>({
  local: {
    network: "privatenet",
    nodeUrl: "http://127.0.0.1:8083/v1a/",
    miningUrl: "http://127.0.0.1:8035/",
  },
  testnet: {
    network: "testnet",
    ...publicServices.testnet,
  },
  mainnet: {
    network: "mainnet",
    ...publicServices.mainnet,
  },
});

interface Choice {
  preset: PresetName;
  custom?: Services;
  /** The mining service, and this device when that can't, if left out. */
  mining?: Mining;
}

/** Whether `local` is a place for this page: one that is served elsewhere has no services on the visitor's computer. */
const hasLocal = signal(SHARED_ORIGIN);

const chosen = signal(readJson(KEY, isChoice));

const choice = computed((): Choice => chosen.value ?? { preset: hasLocal.value ? "local" : "testnet" });

export const presetName = computed(() => choice.value.preset);

/** The place in use. */
export const place = computed((): Place => {
  const { preset, custom, mining = "service-then-local" } = choice.value;
  const { network, nodeUrl, miningUrl } = preset === "custom" && custom ? custom : presets.value[known(preset)];
  // Paths are put behind it.
  return { network, nodeUrl: nodeUrl.replace(/\/?$/, "/"), miningUrl, mining };
});

/** Whether what is kept here is real money's, and within reach of whatever else is served at this origin. */
export const keepingIsRisky = computed(() => SHARED_ORIGIN && place.value.network === "mainnet");

/** How the place in use is called: by its network, which the node must be of (a wallet of another one does not start). */
export const placeTitle = computed(() => {
  const title = networkTitles()[place.value.network];
  return choice.value.preset === "custom" ? t.settings.custom(title) : title;
});

/** How networks are called, whoever's node leads there. */
export const networkTitles = (): Record<Network, string> => ({
  mainnet: t.settings.mainnet,
  testnet: t.settings.testnet,
  privatenet: t.settings.localNetwork,
});

const networkTexts = (): Record<Network, string> => ({
  mainnet: t.settings.theRealNetworkWithReal,
  testnet: t.settings.thePublicTestNetworkIts,
  privatenet: t.settings.aNetworkOfYourOwn,
});

/** Whether the server of this page has a node of the same network, which comes first then. */
const isReplaced = (name: Known): boolean => name !== "local" && hasLocal.value && presets.value[name].network === presets.value.local.network;

/** The presets that there are for this page, with what there is to be said of their networks: each network once. */
export const presetTexts = (): { name: Known; title: string; about: string }[] =>
  (Object.keys(presets.value) as Known[])
    .filter((name) => name === choice.value.preset || (name === "local" ? hasLocal.value : !isReplaced(name)))
    .map((name) => {
      const { network } = presets.value[name];
      return { name, title: networkTitles()[network], about: networkTexts()[network] };
    });

export function choosePlace(next: Choice): void {
  chosen.value = next;
  writeJson(KEY, next);
}

/** Reads where the server of this page says that its node is, if it does. */
export async function learnLocalPlace(): Promise<void> {
  try {
    const told: unknown = await (await fetch("./place.json")).json();
    if (!isServices(told)) return;
    presets.value = { ...presets.value, local: told };
    hasLocal.value = true;
  } catch {
    // Served by something that knows nothing of it: the usual ports stand.
  }
}

const known = (preset: PresetName): Known => (preset === "custom" ? "local" : preset);

function isServices(value: unknown): value is Services {
  const { network, nodeUrl, miningUrl } = (value ?? {}) as Partial<Services>;
  const named = network === "mainnet" || network === "testnet" || network === "privatenet";
  return named && typeof nodeUrl === "string" && typeof miningUrl === "string";
}

function isChoice(value: unknown): value is Choice {
  const { preset, custom, mining } = (value ?? {}) as Partial<Choice>;
  if (mining !== undefined && mining !== "service-then-local" && mining !== "service" && mining !== "local") return false;
  if (preset === "custom") return isServices(custom);
  return preset === "local" || preset === "testnet" || preset === "mainnet";
}
