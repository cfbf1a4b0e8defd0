import { render } from "preact";
import { App } from "./app";
import { call } from "./engine/client";
import { watchUse } from "./state/autolock";
import { lookForFaucet } from "./state/faucet";
import { speak } from "./state/language";
import { learnLocalPlace } from "./state/place";
import { trustOwnScripts } from "./trust";
import "./styles/font.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/before.css";
import "./styles/shell.css";
import "./styles/pages.css";
import "./styles/swap.css";

trustOwnScripts();
await Promise.all([learnLocalPlace(), speak()]);
lookForFaucet();
watchUse();
// The wallet's core is on its way while somebody reads the first screen.
call("wordList").catch(() => {});
// While it is built anew with every change, nothing of it is kept.
if (import.meta.env.PROD) navigator.serviceWorker?.register("./offline.js").catch(() => {});
const host = document.getElementById("app");
if (host) {
  host.replaceChildren();
  render(<App />, host);
}
