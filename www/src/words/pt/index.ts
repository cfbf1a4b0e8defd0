// Brazilian Portuguese.
import type { Words } from "..";
import { advice } from "./advice";
import { before } from "./before";
import { common } from "./common";
import { contract } from "./contract";
import { counts } from "./counts";
import { fields } from "./fields";
import { history } from "./history";
import { multisig } from "./multisig";
import { receive } from "./receive";
import { send } from "./send";
import { settings } from "./settings";
import { shell } from "./shell";
import { swap } from "./swap";
import { tokens } from "./tokens";

export const pt: Words = {
  locale: "pt-BR",
  advice,
  before,
  common,
  contract,
  counts,
  fields,
  history,
  multisig,
  receive,
  send,
  settings,
  shell,
  swap,
  tokens,
};
