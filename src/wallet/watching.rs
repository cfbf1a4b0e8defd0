//! Which addresses are the wallet's: those to be watched, those derived, the current one.

use super::{ChangeSet, Event, State, Update};
use crate::ledger::{Address, Network};
use std::ops::Range;

impl State {
    /// Whose addresses are meant.
    pub fn network(&self) -> Network {
        self.settings.network
    }
    /// Addresses still to be subscribed to and asked for when those below `watched` are.
    pub fn addresses_to_watch(&self, watched: u32) -> Range<u32> {
        watched.clamp(self.addresses.first(), self.addresses.end())..self.addresses.end()
    }
    /// Derives addresses until the one at `last` is there.
    pub fn extend_to(&mut self, last: u32) -> Update {
        let derived = self.addresses.end();
        self.addresses.extend_to(last.saturating_add(1));
        let end = self.addresses.end();
        if end == derived {
            return Update::default();
        }
        Update {
            changes: ChangeSet { address_count: Some(end), ..ChangeSet::default() },
            events: vec![Event::NewAddresses(derived..end)],
        }
    }
    /// Addresses that there can be, whether they are watched already or may be when others turn out to be
    /// used.
    pub fn addresses_ahead(&mut self, range: Range<u32>) -> Vec<Address> {
        self.addresses.foresee(range)
    }
    /// The address at an index, derived if need be; `None` if there can't be one. Changes nothing.
    pub fn address(&self, index: u32) -> Option<Address> {
        self.addresses.get(index)
    }
    /// The text of an address that the wallet has derived (encoding it anew costs more than reading an
    /// output).
    pub fn address_text(&self, index: u32) -> Option<&str> {
        self.addresses.text(index)
    }
    /// Derived addresses, by index.
    pub fn addresses(&self) -> impl ExactSizeIterator<Item = Address> + '_ {
        self.addresses.iter()
    }
    /// The index of one of the wallet's derived addresses.
    pub fn index_of(&self, address: &Address) -> Option<u32> {
        self.addresses.index_of(address)
    }
    /// The index of the wallet's address that a script pays, if it pays one.
    pub fn paid_index(&self, script: &[u8]) -> Option<u32> {
        self.addresses.paid_by(script).map(|(index, _)| index)
    }
    /// The address after the last used one, which never goes back: where change goes.
    pub fn current_address(&self) -> Address {
        self.addresses.get(self.addresses.current()).expect("the current address is derived")
    }
    /// The current address's index.
    pub fn current_index(&self) -> u32 {
        self.addresses.current()
    }
    /// The current address, and moves on to the next one. Past the last derived address it stays there.
    pub fn next_address(&mut self) -> (Address, ChangeSet) {
        let (address, before) = (self.current_address(), self.addresses.current());
        self.addresses.move_current(before.saturating_add(1));
        let moved = self.addresses.current();
        (address, ChangeSet { current_index: (moved != before).then_some(moved), ..ChangeSet::default() })
    }
}
