// A dialog of the browser's own: it keeps the focus inside, closes on Escape, and gives the focus back.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./Icon";
import { t } from "../words";

interface Props {
  title: string;
  onClose(): void;
  wide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, wide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const gone = useRef(false);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Where nothing asks for the focus, the browser gives it to the button that closes or to the whole dialog.
    if (!document.activeElement?.matches("[autofocus]")) {
      const first = (which: string) => opened?.querySelector<HTMLElement>(which);
      (first(":is(input:not([type=radio]), input:checked, [role=combobox], textarea):not(:disabled)") ?? first("h2"))?.focus();
    }
    // What has the focus may stand at the end of what is higher than the screen: it is read from the beginning.
    opened?.querySelector(".dialog-body")?.scrollTo(0, 0);
    return () => {
      gone.current = true;
      // Gives the focus back to where it was; taken out of the page while open, it would be lost.
      opened?.close();
    };
  }, []);
  // With the title changes what there is to do: what had the focus may be gone.
  useLayoutEffect(() => {
    if (!dialog.current?.contains(document.activeElement)) dialog.current?.querySelector("h2")?.focus();
  }, [title]);
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A second Escape closes a dialog whatever `cancel` says.
      onClose={() => {
        if (!gone.current) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" class="icon-button" aria-label={t.common.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
