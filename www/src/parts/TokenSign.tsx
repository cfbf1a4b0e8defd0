// What a token is known by at a glance: HTR by its own sign, others by their symbol, in a colour that goes by the uid.
import { HTR } from "headless-wallet/rules";
import type { Token } from "../engine/api";
import { clean } from "../text";
import { Icon } from "./Icon";

const COLOURS = 6;

const colourOf = (uid: string): string => (uid === HTR.uid ? "htr" : String(parseInt(uid.slice(0, 4), 16) % COLOURS));

export function TokenSign({ token: { uid, symbol, nft } }: { token: Pick<Token, "uid" | "symbol" | "nft"> }) {
  return (
    <span class={`token-sign token-sign-${colourOf(uid)}`} aria-hidden="true">
      {uid === HTR.uid ? <Icon name="htr" /> : nft === undefined ? [...clean(symbol)].slice(0, 2).join("") : <Icon name="picture" />}
    </span>
  );
}
