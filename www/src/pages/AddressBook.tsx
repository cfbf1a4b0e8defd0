// Addresses of others, by the names that the user gives them.
import { useRef, useState } from "preact/hooks";
import { AddressField } from "../parts/AddressField";
import { AddressText } from "../parts/AddressText";
import { CopyButton } from "../parts/CopyButton";
import { Dialog } from "../parts/Dialog";
import { Empty } from "../parts/Empty";
import { TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { book, type Contact, contactAt, note } from "../state/book";
import { clean } from "../text";
import { t } from "../words";

export function AddressBook() {
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const [addressProblem, setAddressProblem] = useState<string>();
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [leaving, setLeaving] = useState<Contact>();
  const { contacts } = book.value;
  const nameProblem = name.trim() === "" ? t.common.enterAName : undefined;
  const known = contactAt(address);

  const add = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    if (nameProblem || addressProblem !== undefined) return;
    const others = contacts.filter((contact) => contact.address !== address);
    note({ contacts: [...others, { name: name.trim(), address }].sort((a, b) => a.name.localeCompare(b.name)) });
    setName("");
    setAddress("");
    setTried(false);
  };
  return (
    <>
      {contacts.length === 0 ? (
        <Empty icon="book" title={t.send.nobodyYet} text={t.send.peopleYouAddAre}>
          <button type="button" class="button" onClick={() => form.current?.querySelector("input")?.focus()}>
            <Icon name="plus" />
            {t.send.addAnAddress}
          </button>
        </Empty>
      ) : (
      <section class="card" aria-label={t.send.addressBook}>
        <ul class="parts">
          {contacts.map((contact) => (
            <li key={contact.address} class="contact">
              <span>
                <strong>
                  <bdi>{clean(contact.name)}</bdi>
                </strong>
                <span class="mono part-where with-copy">
                  {contact.address}
                  <CopyButton text={contact.address} what={t.common.address} small />
                </span>
              </span>
              <button
                type="button"
                class="icon-button"
                aria-label={t.send.remove(clean(contact.name))}
                onClick={() => setLeaving(contact)}
              >
                <Icon name="trash" />
              </button>
            </li>
          ))}
        </ul>
      </section>
      )}
      <form ref={form} class="card" onSubmit={add} noValidate aria-label={t.send.addAnAddress}>
        <TextField label={t.common.name} placeholder={t.common.cornerCafe} value={name} onInput={setName} problem={tried ? nameProblem : undefined} />
        <AddressField label={t.common.address} value={address} tried={tried} onInput={setAddress} onChecked={setAddressProblem} />
        {known && <p class="hint">{t.send.inTheBookAs(clean(known.name))}</p>}
        <div class="actions">
          <button type="submit" class="button primary">{t.send.add}</button>
        </div>
      </form>
      {leaving && <RemoveDialog contact={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

function RemoveDialog({ contact: { name, address }, onClose }: { contact: Contact; onClose(): void }) {
  const remove = (): void => {
    note({ contacts: book.value.contacts.filter((other) => other.address !== address) });
    onClose();
  };
  return (
    <Dialog title={t.send.removeFromBook(clean(name))} onClose={onClose}>
      <p class="address">
        <AddressText address={address} />
      </p>
      <p class="hint">{t.send.nothingElseKeepsIt}</p>
      <div class="actions">
        <button type="button" class="button" autofocus onClick={onClose}>{t.common.cancel}</button>
        <button type="button" class="button danger" onClick={remove}>{t.send.removeIt}</button>
      </div>
    </Dialog>
  );
}
