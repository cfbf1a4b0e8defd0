//! Coins set aside for transactions under way, so that no two of them spend the same.

use super::ReservationId;
use super::coins::Slot;
use std::collections::BTreeMap;
use std::num::NonZeroU64;

/// Reservations end when they are released, when their coins are spent, or at their time.
#[derive(Debug, Default)]
pub(super) struct Reservations {
    count: u64,
    live: BTreeMap<ReservationId, Reservation>,
}

#[derive(Debug)]
struct Reservation {
    slots: Vec<Slot>,
    /// The first second at which it holds no more.
    until: u32,
    /// Made by the wallet's user, not by a plan.
    mark: bool,
}

impl Reservations {
    pub(super) fn add(&mut self, slots: &[Slot], until: u32, mark: bool) -> ReservationId {
        self.count += 1;
        let id = ReservationId(NonZeroU64::new(self.count).expect("counted from 1"));
        self.live.insert(id, Reservation { slots: slots.to_vec(), until, mark });
        id
    }
    pub(super) fn holds(&self, id: ReservationId, now: u32) -> bool {
        self.live.get(&id).is_some_and(|reservation| now < reservation.until)
    }
    pub(super) fn is_mark(&self, id: ReservationId) -> bool {
        self.live.get(&id).is_some_and(|reservation| reservation.mark)
    }
    /// Ends it and gives its coins.
    pub(super) fn remove(&mut self, id: ReservationId) -> Vec<Slot> {
        self.live.remove(&id).map(|reservation| reservation.slots).unwrap_or_default()
    }
    /// Ends those whose time is over and gives their coins.
    pub(super) fn expire(&mut self, now: u32) -> Vec<Slot> {
        self.live
            .extract_if(.., |_, reservation| reservation.until <= now)
            .flat_map(|(_, r)| r.slots)
            .collect()
    }
    /// A coin is gone; its reservation ends with the last one.
    pub(super) fn drop_slot(&mut self, id: ReservationId, slot: Slot) {
        if let Some(reservation) = self.live.get_mut(&id) {
            reservation.slots.retain(|s| *s != slot);
            if reservation.slots.is_empty() {
                self.live.remove(&id);
            }
        }
    }
}
