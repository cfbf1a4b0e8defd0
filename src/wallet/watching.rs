//! Which addresses are the wallet's: those to be watched, those derived, the current one.

use super::{ChangeSet, Event, Scan, State, Update, ViewId};
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

    /// Adds a view of the account's addresses, besides the one that the state began with. What it lacks is
    /// derived by [`State::grow_view`].
    pub fn add_view(&mut self, scan: Scan) -> ViewId {
        self.addresses.add_view(scan)
    }
    /// Removes all views but these. What they watched is watched on.
    pub fn retain_views(&mut self, views: &[ViewId]) {
        self.addresses.retain_views(views);
    }
    /// The view that the state began with; of a state that is seen through a view, that one.
    pub fn this_view(&self) -> ViewId {
        self.addresses.this_view()
    }
    /// Has a view contain all addresses up to the one at `last`, too.
    pub fn extend_view(&mut self, view: ViewId, last: u32) {
        self.addresses.extend_view(view, last.saturating_add(1));
    }
    /// Derives what a view lacks, so many addresses at most, and says whether it lacks more.
    pub fn grow_view(&mut self, view: ViewId, most: u32) -> (Update, bool) {
        let (derived, kept, mut update) = (self.addresses.len(), self.addresses.kept().0, Update::default());
        let lacks_more = self.addresses.grow(view, most);
        self.note_addresses(derived, kept, &mut update);
        (update, lacks_more)
    }
    /// Whether all that is derived is in a view: reading through it is reading the state.
    pub fn is_whole(&self, view: ViewId) -> bool {
        self.addresses.is_whole(view)
    }
    /// From now on the state answers as if there were the addresses of one view alone, until it is seen whole
    /// again (`None`). Facts are applied to the whole.
    pub fn see(&mut self, through: Option<ViewId>) {
        self.addresses.see(through);
        self.utxos.see(self.addresses.part_seen().cloned());
    }
    /// Whether some of what is derived does not count.
    pub(super) fn is_part(&self) -> bool {
        self.addresses.part_seen().is_some()
    }
    /// What the addresses are that one stream of a node has in their order; `None` if they lie apart.
    pub(crate) fn as_one(&self) -> Option<Scan> {
        self.addresses.as_one()
    }

    /// States which addresses were derived, and what is to be kept of that.
    pub(super) fn note_addresses(&self, derived: u32, kept: Option<u32>, update: &mut Update) {
        update.changes.address_count = self.addresses.kept().0.filter(|count| kept != Some(*count));
        if self.addresses.len() != derived {
            update.events.push(Event::NewAddresses(derived..self.addresses.len()));
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
    /// All addresses, in the order in which they were derived.
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
        let (address, (_, before)) = (self.current_address(), self.addresses.kept());
        self.addresses.give();
        let (_, now) = self.addresses.kept();
        (address, ChangeSet { current_index: now.filter(|_| now != before), ..ChangeSet::default() })
    }
}
