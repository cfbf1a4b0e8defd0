// A labelled field: what it is for stands above it, what is wrong with it below, and screen readers are told of both.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Labelled {
  label: string;
  /** Stands at the end of the label's line. */
  aside?: ComponentChildren;
  hint?: ComponentChildren;
  problem?: string | undefined;
}

export interface Control {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

/** `children` makes the control, with what ties it to its label. */
export function Labelled({ label, aside, hint, problem, children }: Labelled & { children: (control: Control) => ComponentChildren }) {
  const id = useId();
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
        {aside}
      </div>
      {children({ id, "aria-describedby": notes || undefined, "aria-invalid": problem !== undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

interface TextProps extends Labelled {
  value: string;
  onInput(value: string): void;
  type?: "text" | "password" | "url";
  inputMode?: "decimal" | "numeric" | "text" | "url";
  placeholder?: string;
  autocomplete?: "new-password" | "current-password";
  autofocus?: boolean;
  /** A class of the input: `mono` for addresses. */
  look?: string;
}

export function TextField({ label, aside, hint, problem, value, onInput, autofocus, look, type = "text", autocomplete, ...rest }: TextProps) {
  return (
    <Labelled label={label} aside={aside} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          {...rest}
          class={look}
          type={type as "text"}
          autocomplete={autocomplete ?? "off"}
          autocapitalize="none"
          spellcheck={false}
          data-autofocus={autofocus}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

interface CheckProps {
  label: ComponentChildren;
  checked: boolean;
  onChange(checked: boolean): void;
}

export function CheckField({ label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
