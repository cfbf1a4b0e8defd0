// An address of somebody, checked as it is typed.
import { useEffect, useState } from "preact/hooks";
import { call } from "../engine/client";
import { place } from "../state/place";
import { TextField } from "./Field";

interface Props {
  label: string;
  hint?: string;
  value: string;
  onInput(address: string): void;
  /** What is wrong with it; nothing if it can be paid. */
  onChecked(problem: string | undefined): void;
  /** It may be left out. */
  optional?: boolean;
  /** Shows what is missing, too. */
  tried: boolean;
}

const MISSING = "Enter an address.";

export function AddressField({ value, onInput, onChecked, optional = false, tried, ...rest }: Props) {
  const [problem, setProblem] = useState<string>();
  const { network } = place.value;
  useEffect(() => {
    let current = true;
    const conclude = (found: string | undefined): void => {
      if (!current) return;
      setProblem(found);
      onChecked(found);
    };
    if (value === "") conclude(optional ? undefined : MISSING);
    else {
      call("checkAddress", value, network).then(
        (check) => conclude(check.valid ? undefined : explain(check.reason, network)),
        () => conclude("This can't be checked."),
      );
    }
    return () => {
      current = false;
    };
  }, [value, network, optional]);
  return (
    <TextField
      {...rest}
      look="mono"
      value={value}
      // Copied addresses often bring spaces along, and those of QR codes a scheme.
      onInput={(text) => onInput(text.trim().replace(/^hathor:/i, ""))}
      problem={value !== "" || tried ? problem : undefined}
    />
  );
}

function explain(reason: string, network: string): string {
  const other = /It is an address of (\w+)/.exec(reason)?.[1];
  if (other) return `This is an address of ${other}, and this wallet is on ${network}: what is sent there would be lost.`;
  return "This is not an address. Check that all of it was copied, and nothing else.";
}
