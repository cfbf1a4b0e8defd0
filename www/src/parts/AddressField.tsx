// An address of somebody, checked as it is typed.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../engine/client";
import { type PaymentRequest, readRequest } from "../request";
import { contactAt } from "../state/book";
import { notify } from "../state/notices";
import { place } from "../state/place";
import { clean } from "../text";
import { TextField } from "./Field";
import { t } from "../words";

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
  aside?: ComponentChildren;
  /** Takes a request for a payment that was put in its place; false if it can't be paid. */
  onRequest?: ((request: PaymentRequest) => boolean) | undefined;
}

/** Gives what somebody pasted or scanned to whom it is for. */
export function takeAddress(text: string, { onInput, onRequest }: Pick<Props, "onInput" | "onRequest">): void {
  try {
    const request = onRequest && readRequest(text);
    // Copied addresses often bring spaces along, and those of QR codes a scheme.
    if (request && onRequest?.(request)) return;
    // What can't be paid stays there, and is no address.
    onInput(request ? text.trim() : text.trim().replace(/^hathor:/i, ""));
  } catch (error) {
    onInput(text.trim());
    notify(error instanceof Error ? error.message : String(error), "bad");
  }
}

export function AddressField({ value, onInput, onChecked, onRequest, optional = false, tried, hint, ...rest }: Props) {
  const [problem, setProblem] = useState<string>();
  const { network } = place.value;
  const contact = contactAt(value);
  useEffect(() => {
    let current = true;
    const conclude = (found: string | undefined): void => {
      if (!current) return;
      setProblem(found);
      onChecked(found);
    };
    if (value === "") conclude(optional ? undefined : t.fields.enterAnAddress);
    else {
      call("checkAddress", value, network).then(
        (check) => conclude(check.valid ? undefined : explain(check.reason, network)),
        () => conclude(t.common.thisCantBeChecked),
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
      hint={contact ? t.fields.inYourAddressBook(clean(contact.name)) : hint}
      onInput={(text) => takeAddress(text, { onInput, onRequest })}
      problem={value !== "" || tried ? problem : undefined}
    />
  );
}

function explain(reason: string, network: string): string {
  const other = /It is an address of (\w+)/.exec(reason)?.[1];
  const named = (name: string) => (name === "privatenet" ? t.fields.theLocalNetwork : name);
  if (other) return t.fields.thisIsAnAddressOf(named(other), named(network));
  return t.fields.thisIsNotAnAddress;
}
