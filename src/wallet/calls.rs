//! The numbers of the calls of contracts that the wallet's addresses have made: a contract fails a call whose
//! number is not greater than that of the caller's last one, or greater by more than ten.

use super::ReservationId;
use crate::ledger::nano::MAX_SEQNUM;
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub(super) struct Calls {
    /// By address, number, and vertex. Those that lost a conflict before a block had them don't count.
    made: BTreeSet<(u32, u64, u32)>,
    /// Calls that are being sent.
    under_way: Vec<(ReservationId, u32, u64)>,
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

    /// The number of the next call that an address makes.
    pub(super) fn next(&self, address: u32) -> u64 {
        let made = self.made.range((address, 0, 0)..=(address, u64::MAX, u32::MAX)).next_back();
        let made = made.map(|(_, seqnum, _)| *seqnum);
        let under_way = self.under_way.iter().filter(|(_, of, _)| *of == address).map(|(.., seqnum)| *seqnum);
        made.into_iter().chain(under_way).max().map_or(0, |last| last.saturating_add(1).min(MAX_SEQNUM))
    }

    /// A call is being sent, as long as its reservation lasts.
    pub(super) fn begin(&mut self, reservation: ReservationId, address: u32, seqnum: u64) {
        self.under_way.push((reservation, address, seqnum));
    }

    pub(super) fn release(&mut self, reservation: ReservationId) {
        self.under_way.retain(|(id, ..)| *id != reservation);
    }

    /// The history turned out to be wrong.
    pub(super) fn forget(&mut self) {
        self.made.clear();
    }
}
