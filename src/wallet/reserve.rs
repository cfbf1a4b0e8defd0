//! UtxoSet reserved for transactions under way, so that no two of them spend the same, and utxos that the
//! wallet's user has locked.

use super::ReservationId;
use super::history::{Ordered, OutputKey};
use litemap::LiteMap;
use std::collections::HashMap;
use std::num::NonZeroU64;

/// Where a utxo is kept as long as it is unspent.
pub(super) type UtxoKey = u32;

/// Outputs that only one transaction may spend, whether they are known yet or not. Reservations end when they
/// are released, or at their time.
#[derive(Debug, Default)]
pub(super) struct Reservations {
    count: u64,
    live: LiteMap<ReservationId, Reservation>,
    /// By output, and the numbers of the reservations.
    by_output: Ordered,
}

#[derive(Debug)]
struct Reservation {
    outputs: Vec<OutputKey>,
    /// The first second at which it holds no more.
    until: u32,
}

/// An index of one byte and the number of a reservation: 2^56 are never reached.
const NUMBER_BITS: u32 = 56;

fn entry((vertex, index): OutputKey, id: ReservationId) -> (u32, u64, u32) {
    (vertex, u64::from(index) << NUMBER_BITS | id.0.get(), 0)
}

impl Reservations {
    pub(super) fn add(&mut self, outputs: Vec<OutputKey>, until: u32) -> ReservationId {
        self.count += 1;
        let id = ReservationId(NonZeroU64::new(self.count).expect("counted from 1"));
        self.by_output.extend(outputs.iter().map(|output| entry(*output, id)));
        self.live.insert(id, Reservation { outputs, until });
        id
    }
    /// Those that have an output.
    fn of(&self, (vertex, index): OutputKey) -> impl Iterator<Item = ReservationId> + '_ {
        let numbers = u64::from(index) << NUMBER_BITS;
        let range = (vertex, numbers, 0)..=(vertex, numbers | ((1 << NUMBER_BITS) - 1), 0);
        let ids = self.by_output.range(range).map(move |(_, entry, _)| NonZeroU64::new(entry & !numbers));
        ids.flatten().map(ReservationId)
    }
    /// Whether an output is reserved, but for one reservation.
    pub(super) fn have(&self, output: OutputKey, but: Option<ReservationId>) -> bool {
        self.of(output).any(|id| Some(id) != but)
    }
    /// Whether it is reserved at a time.
    pub(super) fn have_at(&self, output: OutputKey, now: u32) -> bool {
        self.of(output).any(|id| self.live.get(&id).is_some_and(|reservation| now < reservation.until))
    }
    /// Ends one and gives its outputs.
    pub(super) fn remove(&mut self, id: ReservationId) -> Vec<OutputKey> {
        let outputs = self.live.remove(&id).map(|reservation| reservation.outputs).unwrap_or_default();
        for output in &outputs {
            self.by_output.remove(&entry(*output, id));
        }
        outputs
    }
    /// Ends those whose time is over and gives their outputs.
    pub(super) fn expire(&mut self, now: u32) -> Vec<OutputKey> {
        let mut ended = Vec::new();
        while let Some((id, _)) = self.live.iter().find(|(_, reservation)| reservation.until <= now) {
            let id = *id;
            ended.extend(self.remove(id));
        }
        ended
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
