// Which screen is shown.
import { Notices } from "./parts/Notices";
import { SettingsDialog } from "./pages/Settings";
import { Network } from "./pages/settings/Network";
import { Create } from "./screens/Create";
import { Restore } from "./screens/Restore";
import { Shared } from "./screens/Shared";
import { Failed, Starting } from "./screens/Starting";
import { Unlock } from "./screens/Unlock";
import { Watch } from "./screens/Watch";
import { Welcome } from "./screens/Welcome";
import { Shell } from "./shell";
import { beside } from "./state/settings";
import { type Screen, screen } from "./state/wallet";

const SCREENS: Record<Screen, () => preact.JSX.Element> = {
  welcome: Welcome,
  unlock: Unlock,
  create: () => <Create />,
  restore: () => <Restore />,
  watch: Watch,
  shared: Shared,
  starting: Starting,
  failed: Failed,
  open: Shell,
};

export function App() {
  const Shown = SCREENS[screen.value];
  return (
    <>
      <Shown />
      {beside.value === "network" && <Network />}
      {beside.value === "settings" && <SettingsDialog />}
      <Notices />
    </>
  );
}
