// Addresses of others, by the names that the user gives them.
import { useState } from "preact/hooks";
import { AddressField } from "../parts/AddressField";
import { CopyButton } from "../parts/CopyButton";
import { TextField } from "../parts/Field";
import { Icon } from "../parts/Icon";
import { book, contactAt, note } from "../state/book";
import { clean } from "../text";

export function AddressBook() {
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const [addressProblem, setAddressProblem] = useState<string>();
  const [tried, setTried] = useState(false);
  const { contacts } = book.value;
  const nameProblem = name.trim() === "" ? "Enter a name." : undefined;
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
      <section class="card" aria-labelledby="contacts-title">
        <h2 id="contacts-title">Address book</h2>
        {contacts.length === 0 && <p class="quiet-text">Nobody yet. Whom you add is offered when you send, and named in the history.</p>}
        <ul class="parts">
          {contacts.map((contact) => (
            <li key={contact.address} class="contact">
              <span>
                <strong>
                  <bdi>{clean(contact.name)}</bdi>
                </strong>
                <span class="mono part-where with-copy">
                  {contact.address}
                  <CopyButton text={contact.address} what="Address" small />
                </span>
              </span>
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${clean(contact.name)}`}
                onClick={() => note({ contacts: contacts.filter((other) => other !== contact) })}
              >
                <Icon name="trash" />
              </button>
            </li>
          ))}
        </ul>
      </section>
      <form class="card" onSubmit={add} noValidate aria-label="Add an address">
        <TextField label="Name" placeholder="Corner Café" value={name} onInput={setName} problem={tried ? nameProblem : undefined} />
        <AddressField label="Address" value={address} tried={tried} onInput={setAddress} onChecked={setAddressProblem} />
        {known && <p class="hint">It is in the book as {clean(known.name)}: adding it gives it the new name.</p>}
        <div class="actions">
          <button type="submit" class="button primary">
            Add
          </button>
        </div>
      </form>
    </>
  );
}
