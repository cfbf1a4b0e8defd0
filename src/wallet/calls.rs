//! The numbers of the calls of contracts that the wallet's addresses have made: a contract fails a call whose
//! number is not greater than that of the caller's last one, or greater by more than ten.

use super::ReservationId;
use super::history::Ordered;
use crate::ledger::nano::MAX_SEQNUM;
use std::ops::Bound;

/// The number of a call that an address makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallNumber {
    pub address: u32,
    pub seqnum: u64,
}

#[derive(Debug, Default)]
pub(super) struct Calls {
    /// By address, number, and vertex. Those that lost a conflict before a block had them don't count.
    made: Ordered,
    /// Of any caller, that no block has yet: by time, the first bytes of their ids, and vertex.
    unconfirmed: Ordered,
    /// Calls that are being sent.
    under_way: Vec<(ReservationId, CallNumber)>,
}

impl Calls {
    /// A vertex of the history, and whether it counts.
    pub(super) fn note(&mut self, vertex: u32, address: u32, seqnum: u64, counts: bool) {
        if counts {
            self.made.insert((address, seqnum, vertex));
        } else {
            self.made.remove(&(address, seqnum, vertex));
        }
    }

    /// A call in the history, of whichever address, and whether it waits for its block.
    pub(super) fn note_unconfirmed(&mut self, key: (u32, u64, u32), is_unconfirmed: bool) {
        if is_unconfirmed {
            self.unconfirmed.insert(key);
        } else {
            self.unconfirmed.remove(&key);
        }
    }

    /// The vertices of calls that wait for their blocks: those after a key first.
    pub(super) fn unconfirmed(&self, after: (u32, u64, u32)) -> impl Iterator<Item = u32> + '_ {
        let later = self.unconfirmed.range((Bound::Excluded(after), Bound::Unbounded));
        later.chain(self.unconfirmed.range(..=after)).map(|(_, _, vertex)| *vertex)
    }

    /// The number of the next call that an address makes.
    pub(super) fn next(&self, address: u32) -> u64 {
        let made = self.made.range((address, 0, 0)..=(address, u64::MAX, u32::MAX)).next_back();
        let made = made.map(|(_, seqnum, _)| *seqnum);
        let under_way = self.under_way.iter().map(|(_, call)| call).filter(|call| call.address == address);
        let under_way = under_way.map(|call| call.seqnum);
        made.into_iter().chain(under_way).max().map_or(0, |last| last.saturating_add(1).min(MAX_SEQNUM))
    }

    /// A call is being sent, as long as its reservation lasts.
    pub(super) fn begin(&mut self, reservation: ReservationId, call: CallNumber) {
        self.under_way.push((reservation, call));
    }

    pub(super) fn release(&mut self, reservation: ReservationId) {
        self.under_way.retain(|(id, _)| *id != reservation);
    }

    /// The history turned out to be wrong.
    pub(super) fn forget(&mut self) {
        self.made.clear();
        self.unconfirmed.clear();
    }
}
