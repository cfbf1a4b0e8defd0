//! UtxoSet reserved for transactions under way, so that no two of them spend the same, and utxos that the
//! wallet's user has locked.

use super::ReservationId;
use super::history::{Ordered, OutputKey};
use litemap::LiteMap;
use std::collections::HashMap;
use std::num::NonZeroU64;

/// Where a utxo is kept as long as it is unspent.
pub(super) type UtxoKey = u32;

/// Reservations end when they are released, or at their time. Their utxos know them; what is no utxo is
/// waited for, and so is a utxo that another one has.
#[derive(Debug, Default)]
pub(super) struct Reservations {
    count: u64,
    live: LiteMap<ReservationId, Reservation>,
    /// By output, and the numbers of the reservations.
    waiting: Ordered,
}

#[derive(Debug)]
struct Reservation {
    /// Those that it has, or had.
    slots: Vec<UtxoKey>,
    waits_for: Vec<OutputKey>,
    /// The first second at which it holds no more.
    until: u32,
}

/// An index of one byte and the number of a reservation: 2^56 are never reached.
const NUMBER_BITS: u32 = 56;

fn entry((vertex, index): OutputKey, id: ReservationId) -> (u32, u64, u32) {
    (vertex, u64::from(index) << NUMBER_BITS | id.0.get(), 0)
}

impl Reservations {
    pub(super) fn add(&mut self, until: u32) -> ReservationId {
        self.count += 1;
        let id = ReservationId(NonZeroU64::new(self.count).expect("counted from 1"));
        self.live.insert(id, Reservation { slots: Vec::new(), waits_for: Vec::new(), until });
        id
    }
    pub(super) fn has(&mut self, id: ReservationId, slots: &[UtxoKey]) {
        self.live.get_mut(&id).into_iter().for_each(|reservation| reservation.slots.extend(slots));
    }
    /// One waits for an output.
    pub(super) fn wait(&mut self, id: ReservationId, output: OutputKey) {
        if let Some(reservation) = self.live.get_mut(&id)
            && self.waiting.insert(entry(output, id))
        {
            reservation.waits_for.push(output);
        }
    }
    /// The first one that waits for an output, which waits no more.
    pub(super) fn take_waiting(&mut self, output: OutputKey) -> Option<ReservationId> {
        let id = self.waiting_for(output)?;
        self.waiting.remove(&entry(output, id));
        Some(id)
    }
    /// The first one that waits for an output.
    pub(super) fn waiting_for(&self, (vertex, index): OutputKey) -> Option<ReservationId> {
        let numbers = u64::from(index) << NUMBER_BITS;
        let range = (vertex, numbers, 0)..=(vertex, numbers | ((1 << NUMBER_BITS) - 1), 0);
        let (_, first, _) = self.waiting.range(range).next()?;
        NonZeroU64::new(first & !(0xff << NUMBER_BITS)).map(ReservationId)
    }
    pub(super) fn holds(&self, id: ReservationId, now: u32) -> bool {
        self.live.get(&id).is_some_and(|reservation| now < reservation.until)
    }
    /// Ends one and gives the utxos that it has, or had.
    pub(super) fn remove(&mut self, id: ReservationId) -> Vec<UtxoKey> {
        let Some(Reservation { slots, waits_for, .. }) = self.live.remove(&id) else { return Vec::new() };
        for output in waits_for {
            self.waiting.remove(&entry(output, id));
        }
        slots
    }
    /// One whose time is over.
    pub(super) fn expired(&self, now: u32) -> Option<ReservationId> {
        self.live.iter().find(|(_, reservation)| reservation.until <= now).map(|(id, _)| *id)
    }
}

/// Outputs that the wallet's user has locked, until a time or until they are spent. They stay so whatever
/// becomes of a transaction that spends them.
#[derive(Debug, Default)]
pub(super) struct UserLocks {
    until: HashMap<OutputKey, u32>,
    /// Times, and the outputs' places in their vertices and these.
    by_time: Ordered,
}

impl UserLocks {
    pub(super) fn lock(&mut self, place: OutputKey, until: u32) {
        self.unlock(place);
        self.until.insert(place, until);
        self.by_time.insert(in_time(until, place));
    }
    /// Says whether it was locked.
    pub(super) fn unlock(&mut self, place: OutputKey) -> bool {
        match self.until.remove(&place) {
            Some(until) => self.by_time.remove(&in_time(until, place)),
            None => false,
        }
    }
    pub(super) fn holds(&self, place: OutputKey, now: u32) -> bool {
        self.until.get(&place).is_some_and(|until| now < *until)
    }
    pub(super) fn is_locked(&self, place: OutputKey) -> bool {
        self.until.contains_key(&place)
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = (OutputKey, u32)> + '_ {
        self.until.iter().map(|(place, until)| (*place, *until))
    }
    /// Ends those whose time is over and gives their places.
    pub(super) fn expire(&mut self, now: u32) -> Vec<OutputKey> {
        let mut ended = Vec::new();
        while let Some((until, index, vertex)) = self.by_time.first().copied()
            && until <= now
        {
            let place = (vertex, u8::try_from(index).expect("it was one"));
            self.unlock(place);
            ended.push(place);
        }
        ended
    }
}

fn in_time(until: u32, (vertex, index): OutputKey) -> (u32, u64, u32) {
    (until, index.into(), vertex)
}
