// Which token, be it one that the wallet does not have: then it is named by its identifier, or by its configuration string.
import { useEffect, useState } from "preact/hooks";
import { call } from "../engine/client";
import { acceptedTokens, isAccepted } from "../state/acceptance";
import { isKnown, learnNames, tokenOf } from "../state/wallet";
import { clean, shortId } from "../text";
import { Labelled, TextField } from "./Field";
import { Select } from "./Select";
import { optionOf } from "./TokenField";
import { TokenSign } from "./TokenSign";
import { t } from "../words";

interface Props {
  label: string;
  /** A token's uid; empty while there is none. */
  value: string;
  onInput(uid: string): void;
  tried: boolean;
  /** What is wrong with the choice, as far as it isn't the identifier. */
  problem?: string | undefined;
}

const OTHER = "other";
const UID = /^[0-9a-f]{64}$/i;
const CONFIGURATION = /^\[.*\]$/;

export function AnyTokenField({ label, value, onInput, tried, problem }: Props) {
  const [typed, setTyped] = useState<string>();
  const [typedProblem, setTypedProblem] = useState<string>();
  useEffect(() => {
    if (typed === undefined) return;
    let current = true;
    const conclude = (uid: string, found?: string): void => {
      if (!current) return;
      setTypedProblem(found);
      onInput(uid);
    };
    const look = async (): Promise<void> => {
      const text = typed.trim();
      if (text === "") return conclude("", t.fields.enterTheTokensIdentifier);
      const isConfiguration = CONFIGURATION.test(text);
      if (!isConfiguration && !UID.test(text)) return conclude("", t.fields.anIdentifierHas64Digits);
      const uid = isConfiguration ? await call("tokenIn", text) : text.toLowerCase();
      if (uid === undefined) return conclude("", t.fields.theConfigurationStringIsWrong);
      const names = await call("names", uid);
      if (names) learnNames({ [uid]: names });
      conclude(names ? uid : "", names ? undefined : t.fields.theFullNodeKnowsNo);
    };
    look().catch(() => conclude("", t.common.thisCantBeChecked));
    return () => {
      current = false;
    };
  }, [typed]);

  const isForeign = value !== "" && (!isKnown(value) || !isAccepted(value));
  return (
    <>
      <Labelled label={label} problem={typed === undefined ? problem : undefined}>
        {(control) => (
          <Select
            control={control}
            value={typed === undefined ? value : OTHER}
            options={[
              { value: "", label: t.fields.chooseAToken },
              ...acceptedTokens.value.map(optionOf),
              ...(typed === undefined && isForeign ? [{ value, label: describe(value), sign: <TokenSign token={tokenOf(value)} /> }] : []),
              { value: OTHER, label: t.fields.anotherToken },
            ]}
            onChange={(chosen) => {
              if (chosen === OTHER) return setTyped("");
              setTyped(undefined);
              onInput(chosen);
            }}
          />
        )}
      </Labelled>
      {typed !== undefined && (
        <TextField
          label={t.fields.tokenIdentifierOrConfiguration}
          look="mono"
          value={typed}
          onInput={setTyped}
          hint={value === "" ? undefined : describe(value)}
          problem={typed !== "" || tried ? typedProblem : undefined}
        />
      )}
    </>
  );
}

function describe(uid: string): string {
  const { symbol, name } = tokenOf(uid);
  return `${clean(symbol)} · ${clean(name)} (${shortId(uid)})`;
}
