//! UtxoSet reserved for transactions under way, so that no two of them spend the same, and utxos that the
//! wallet's user has locked.

use super::ReservationId;
use super::history::{Ordered, OutputKey};
use litemap::LiteMap;
use std::collections::HashMap;
use std::num::NonZeroU64;

/// Where a utxo is kept as long as it is unspent.
pub(super) type UtxoKey = u32;

/// Reservations end when they are released, when their utxos are spent, or at their time.
#[derive(Debug, Default)]
pub(super) struct Reservations {
    count: u64,
    live: LiteMap<ReservationId, Reservation>,
}

#[derive(Debug)]
struct Reservation {
    slots: Vec<UtxoKey>,
    /// The first second at which it holds no more.
    until: u32,
}

impl Reservations {
    pub(super) fn add(&mut self, slots: &[UtxoKey], until: u32) -> ReservationId {
        self.count += 1;
        let id = ReservationId(NonZeroU64::new(self.count).expect("counted from 1"));
        self.live.insert(id, Reservation { slots: slots.to_vec(), until });
        id
    }
    pub(super) fn holds(&self, id: ReservationId, now: u32) -> bool {
        self.live.get(&id).is_some_and(|reservation| now < reservation.until)
    }
    pub(super) fn slots(&self, id: ReservationId) -> &[UtxoKey] {
        self.live.get(&id).map_or(&[], |reservation| &reservation.slots)
    }
    /// Ends it and gives its utxos.
    pub(super) fn remove(&mut self, id: ReservationId) -> Vec<UtxoKey> {
        self.live.remove(&id).map(|reservation| reservation.slots).unwrap_or_default()
    }
    /// Ends those whose time is over and gives their utxos.
    pub(super) fn expire(&mut self, now: u32) -> Vec<UtxoKey> {
        let mut ended = Vec::new();
        self.live.retain(|_, Reservation { slots, until }| {
            let lasts = now < *until;
            if !lasts {
                ended.extend(slots);
            }
            lasts
        });
        ended
    }
    /// A utxo is gone; its reservation ends with the last one.
    pub(super) fn drop_slot(&mut self, id: ReservationId, slot: UtxoKey) {
        if let Some(reservation) = self.live.get_mut(&id) {
            reservation.slots.retain(|s| *s != slot);
            if reservation.slots.is_empty() {
                self.live.remove(&id);
            }
        }
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
