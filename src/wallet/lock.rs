//! Outputs that the wallet's user locks, so that nothing selects them until they are unlocked, spent, or
//! their time is over.

use super::history::OutputKey;
use super::{ChangeSet, State, Update};
use crate::ledger::Outpoint;

impl State {
    /// Locks outputs until a time, or until they are unlocked or spent. Those that are none of the wallet's
    /// unspent ones are passed over.
    pub fn lock_outpoints(&mut self, outputs: &[Outpoint], now: u32, until: u32) -> Update {
        self.utxos.advance_to(now);
        let mut changes = ChangeSet::default();
        for slot in self.slots_of(outputs) {
            let place = self.utxos.utxo(slot).place;
            self.utxos.lock_for_user(place, until);
            changes.locked_outpoints.insert(self.outpoint_at(place), Some(until));
        }
        Update { changes, events: Vec::new() }
    }

    /// Unlocks outputs that [`State::lock_outpoints`] locked, and gives up what was put into swaps with them.
    /// Those that are not seen are passed over.
    pub fn unlock_outpoints(&mut self, outputs: &[Outpoint]) -> Update {
        let place = |output: &Outpoint| Some((self.history.number(&output.tx)?, output.index));
        let is_seen = |output: &&Outpoint| {
            !self.is_part() || place(output).is_some_and(|place| self.utxos.find_seen(place).is_some())
        };
        let seen: Vec<Outpoint> = outputs.iter().filter(is_seen).copied().collect();
        let mut changes = self.give_up_swaps(&seen);
        for output in seen {
            let place = self.history.number(&output.tx).map(|number| (number, output.index));
            if place.is_some_and(|place| self.utxos.unlock_for_user(place)) {
                changes.locked_outpoints.insert(output, None);
            }
        }
        Update { changes, events: Vec::new() }
    }

    /// What is locked, and until when.
    pub fn locked_outpoints(&self) -> Vec<(Outpoint, u32)> {
        let is_seen = |place| !self.is_part() || self.utxos.find_seen(place).is_some();
        let locks = self.utxos.user_locks().filter(|(place, _)| is_seen(*place));
        locks.map(|(place, until)| (self.outpoint_at(place), until)).collect()
    }

    /// Locks what was locked before, known already or not.
    pub(crate) fn restore_locks(&mut self, locks: impl IntoIterator<Item = (Outpoint, u32)>) {
        for (output, until) in locks {
            let place = (self.history.number_or_new(&output.tx), output.index);
            if self.history.spender(place).is_none() {
                self.utxos.lock_for_user(place, until);
            }
        }
    }

    pub(super) fn outpoint_at(&self, place: OutputKey) -> Outpoint {
        Outpoint { tx: self.id_of(place), index: place.1 }
    }
}
