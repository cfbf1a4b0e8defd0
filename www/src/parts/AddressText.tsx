// An address in groups of four, so that it can be compared with another. What is copied of it has no spaces.
import { contactAt } from "../state/book";
import { clean } from "../text";

const GROUP = /.{1,4}/gsu;

export function AddressText({ address }: { address: string }) {
  const groups = address.match(GROUP) ?? [];
  return (
    <span class="mono address-text">
      {groups.map((group, at) => (
        // Groups never move. Where addresses differ, most people look at both ends.
        <span key={at} class={at === 0 || at >= groups.length - 2 ? "address-end" : undefined}>
          {group}
        </span>
      ))}
    </span>
  );
}

/** … after the name that the address book has for it. */
export function Payee({ address }: { address: string }) {
  const contact = contactAt(address);
  return (
    <>
      {contact && <bdi>{clean(contact.name)} </bdi>}
      <AddressText address={address} />
    </>
  );
}
