//! The unspent outputs of the wallet, in every order that is asked for, so that no reading and no selection
//! sorts or scans.
//!
//! A coin's lock depends on the time and on the best block's height. Whether a coin counts as locked is kept
//! as of one time (`settled`) and one height; moving either touches only the coins whose lock ends or begins
//! in between.

use super::history::Place;
use super::reserve::{Reservations, Slot, UserLocks};
use super::{Authority, ReservationId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// A token, by its number in this wallet. HTR is 0.
pub(super) type TokenNo = u32;

/// An unspent output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coin {
    pub(super) place: Place,
    /// A bit mask for authorities.
    pub(super) value: u64,
    pub(super) token: TokenNo,
    /// Index of the address that it pays.
    pub(super) address: u32,
    /// Locked up to and including this time; 0 for none.
    pub(super) timelock: u32,
    /// Locked below this height; 0 for none.
    pub(super) unlock_height: u32,
    pub(super) authority: bool,
}

impl Coin {
    /// The full node wants a transaction's time to be *past* the time lock.
    pub(super) fn is_locked(&self, now: u32, height: Option<u32>) -> bool {
        (self.timelock != 0 && now <= self.timelock)
            || (self.unlock_height != 0 && height.is_none_or(|height| height < self.unlock_height))
    }
    pub(super) fn grants(&self, authority: Authority) -> bool {
        self.authority && self.value & authority.bit() != 0
    }
}

#[derive(Debug)]
struct Kept {
    coin: Coin,
    /// Place in the order of the store.
    order: u64,
    locked: bool,
    reserved: Option<ReservationId>,
}

/// Sums over the coins of one token that are no authorities.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    all: u128,
    locked: u128,
}

/// Coins by address, token, and place in the order of the store. Where they are not told apart by address, that is 0: maps of one
/// kind have their code once.
type InOrder = BTreeMap<(u32, TokenNo, u64), Slot>;

fn of_token(map: &InOrder, address: u32, token: TokenNo) -> impl Iterator<Item = Slot> + '_ {
    map.range((address, token, 0)..=(address, token, u64::MAX)).map(|(_, slot)| *slot)
}

#[derive(Debug, Default)]
pub(super) struct Coins {
    kept: Vec<Option<Kept>>,
    free: Vec<Slot>,
    slots: HashMap<Place, Slot>,
    next_order: u64,
    totals: Vec<Totals>,
    by_token: InOrder,
    by_address: InOrder,
    authorities: InOrder,
    /// What may be selected: neither authority nor locked nor reserved. Largest first, then in the order of
    /// the store.
    by_value: BTreeMap<(TokenNo, Reverse<u64>, u64), Slot>,
    by_timelock: BTreeSet<(u32, Slot)>,
    by_unlock_height: BTreeSet<(u32, Slot)>,
    settled: u32,
    height: Option<u32>,
    reservations: Reservations,
    user_locks: UserLocks,
}

impl Coins {
    pub(super) fn height(&self) -> Option<u32> {
        self.height
    }
    fn kept(&self, slot: Slot) -> &Kept {
        self.kept[slot as usize].as_ref().expect("indexes name slots in use")
    }
    pub(super) fn coin(&self, slot: Slot) -> &Coin {
        &self.kept(slot).coin
    }
    pub(super) fn find(&self, place: Place) -> Option<Slot> {
        self.slots.get(&place).copied()
    }
    pub(super) fn is_locked(&self, slot: Slot, now: u32) -> bool {
        self.coin(slot).is_locked(now, self.height)
    }
    /// Whether a plan has it, or the wallet's user has locked it.
    pub(super) fn is_reserved(&self, slot: Slot, now: u32) -> bool {
        let kept = self.kept(slot);
        kept.reserved.is_some_and(|id| self.reservations.holds(id, now))
            || self.user_locks.holds(kept.coin.place, now)
    }

    /// Whether a plan has it, once reservations are settled.
    pub(super) fn is_held(&self, slot: Slot) -> bool {
        self.kept(slot).reserved.is_some()
    }
    /// Makes the coin at `place` what it should be. One that stays keeps its order and its reservation.
    pub(super) fn set(&mut self, place: Place, coin: Option<Coin>) {
        match (self.find(place), coin) {
            (None, Some(coin)) => {
                let order = self.next_order;
                self.next_order += 1;
                self.insert(Kept { coin, order, locked: false, reserved: None });
            }
            (Some(slot), None) => {
                if let Some(id) = self.remove(slot).reserved {
                    self.reservations.drop_slot(id, slot);
                }
            }
            (Some(slot), Some(coin)) if *self.coin(slot) != coin => {
                let old = self.remove(slot);
                // Takes the slot that was just freed, so that a reservation still finds it.
                self.insert(Kept { coin, ..old });
            }
            _ => {}
        }
    }

    fn insert(&mut self, kept: Kept) {
        let Kept { coin, order, .. } = kept;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.kept.push(None);
            u32::try_from(self.kept.len() - 1).expect("far fewer than 2^32 outputs fit in memory")
        });
        self.slots.insert(coin.place, slot);
        self.index(slot, &coin, order);
        self.kept[slot as usize] = Some(Kept { locked: false, ..kept });
        if coin.authority {
            return;
        }
        if self.totals.len() <= coin.token as usize {
            self.totals.resize(coin.token as usize + 1, Totals::default());
        }
        self.totals[coin.token as usize].all += u128::from(coin.value);
        if coin.timelock != 0 {
            self.by_timelock.insert((coin.timelock, slot));
        }
        if coin.unlock_height != 0 {
            self.by_unlock_height.insert((coin.unlock_height, slot));
        }
        self.refresh(slot);
    }
    fn index(&mut self, slot: Slot, coin: &Coin, order: u64) {
        if coin.authority {
            self.authorities.insert((0, coin.token, order), slot);
        } else {
            self.by_token.insert((0, coin.token, order), slot);
            self.by_address.insert((coin.address, coin.token, order), slot);
        }
    }
    fn remove(&mut self, slot: Slot) -> Kept {
        let kept = self.kept[slot as usize].take().expect("removed once");
        let Kept { coin, order, locked, .. } = kept;
        self.slots.remove(&coin.place);
        self.free.push(slot);
        if coin.authority {
            self.authorities.remove(&(0, coin.token, order));
            return kept;
        }
        let totals = &mut self.totals[coin.token as usize];
        totals.all -= u128::from(coin.value);
        totals.locked -= if locked { coin.value.into() } else { 0 };
        self.by_token.remove(&(0, coin.token, order));
        self.by_address.remove(&(coin.address, coin.token, order));
        self.by_value.remove(&(coin.token, Reverse(coin.value), order));
        self.by_timelock.remove(&(coin.timelock, slot));
        self.by_unlock_height.remove(&(coin.unlock_height, slot));
        kept
    }

    /// Puts right what depends on a coin's lock and reservation.
    fn refresh(&mut self, slot: Slot) {
        let (settled, height) = (self.settled, self.height);
        let kept = self.kept[slot as usize].as_mut().expect("indexes name slots in use");
        let coin = kept.coin;
        if coin.authority {
            return;
        }
        let locked = coin.is_locked(settled, height);
        if locked != kept.locked {
            kept.locked = locked;
            let sum = &mut self.totals[coin.token as usize].locked;
            *sum = if locked { *sum + u128::from(coin.value) } else { *sum - u128::from(coin.value) };
        }
        let key = (coin.token, Reverse(coin.value), kept.order);
        if locked || kept.reserved.is_some() || self.user_locks.is_locked(coin.place) {
            self.by_value.remove(&key);
        } else {
            self.by_value.insert(key, slot);
        }
    }

    /// The time that locks and reservations were last brought to.
    pub(super) fn settled(&self) -> u32 {
        self.settled
    }
    /// Brings locks and reservations to the time `now`.
    pub(super) fn settle(&mut self, now: u32) {
        let changed: Vec<_> = self.locks_between(self.settled, now).collect();
        self.settled = now;
        changed.into_iter().for_each(|slot| self.refresh(slot));
        for slot in self.reservations.expire(now) {
            self.unreserve(slot);
        }
        for place in self.user_locks.expire(now) {
            self.refresh_at(place);
        }
    }
    /// The first second after `now` in which a time lock has ended that holds at `now`.
    pub(super) fn next_unlock(&self, now: u32) -> Option<u32> {
        let (timelock, _) = self.by_timelock.range((now, 0)..).next()?;
        timelock.checked_add(1)
    }
    /// Coins whose time lock holds at one of two times only.
    fn locks_between(&self, a: u32, b: u32) -> impl Iterator<Item = Slot> + '_ {
        slots_in(&self.by_timelock, (a.min(b), 0)..(a.max(b), 0))
    }
    pub(super) fn set_height(&mut self, height: u32) {
        // A coin is locked below its height: none, or what was reached, is where the locks that end begin.
        let reached = self.height.map_or(0, |old| old.saturating_add(1));
        let next = height.saturating_add(1);
        let (from, to) = (reached.min(next), reached.max(next));
        let changed: Vec<_> = slots_in(&self.by_unlock_height, (from, 0)..(to, 0)).collect();
        self.height = Some(height);
        changed.into_iter().for_each(|slot| self.refresh(slot));
    }

    /// All that a token's coins hold, and how much of it is locked at `now`.
    pub(super) fn totals(&self, token: TokenNo, now: u32) -> (u128, u128) {
        let Some(totals) = self.totals.get(token as usize) else { return (0, 0) };
        let mut locked = totals.locked;
        for slot in self.locks_between(self.settled, now) {
            let kept = self.kept(slot);
            if kept.coin.token == token {
                match (kept.locked, kept.coin.is_locked(now, self.height)) {
                    (true, false) => locked -= u128::from(kept.coin.value),
                    (false, true) => locked += u128::from(kept.coin.value),
                    _ => {}
                }
            }
        }
        (totals.all, locked)
    }

    /// Coins of a token in the order of the store, without authorities.
    pub(super) fn of_token(&self, token: TokenNo) -> impl Iterator<Item = Slot> + '_ {
        of_token(&self.by_token, 0, token)
    }
    /// Those that pay one address.
    pub(super) fn of_address(&self, address: u32, token: TokenNo) -> impl Iterator<Item = Slot> + '_ {
        of_token(&self.by_address, address, token)
    }
    /// Authorities over a token, in the order of the store.
    pub(super) fn authorities(&self, token: TokenNo) -> impl Iterator<Item = Slot> + '_ {
        of_token(&self.authorities, 0, token)
    }
    /// What may be selected, of values within a range, largest first. Settle first.
    pub(super) fn spendable(
        &self,
        token: TokenNo,
        values: Values,
    ) -> impl DoubleEndedIterator<Item = Slot> + '_ {
        let (largest, smallest) = values.bounds();
        let range = (token, Reverse(largest), 0)..=(token, Reverse(smallest), u64::MAX);
        self.by_value.range(range).map(|(_, slot)| *slot)
    }

    /// Sets coins aside until a time.
    pub(super) fn reserve(&mut self, slots: &[Slot], until: u32) -> ReservationId {
        let id = self.reservations.add(slots, until);
        self.hold(slots, id);
        id
    }
    /// The coins of a reservation.
    pub(super) fn reserved(&self, id: ReservationId) -> &[Slot] {
        self.reservations.slots(id)
    }
    /// Locks the output at a place for the wallet's user, whether it is a coin now or will be one.
    pub(super) fn lock_for_user(&mut self, place: Place, until: u32) {
        self.user_locks.lock(place, until);
        self.refresh_at(place);
    }
    /// Ends that. Says whether it was so.
    pub(super) fn unlock_for_user(&mut self, place: Place) -> bool {
        let was_locked = self.user_locks.unlock(place);
        self.refresh_at(place);
        was_locked
    }
    /// What the wallet's user has locked, and until when.
    pub(super) fn user_locks(&self) -> impl Iterator<Item = (Place, u32)> + '_ {
        self.user_locks.iter()
    }
    fn refresh_at(&mut self, place: Place) {
        if let Some(slot) = self.find(place) {
            self.refresh(slot);
        }
    }
    fn hold(&mut self, slots: &[Slot], id: ReservationId) {
        for slot in slots {
            self.kept[*slot as usize].as_mut().expect("only coins are reserved").reserved = Some(id);
            self.refresh(*slot);
        }
    }
    pub(super) fn release(&mut self, id: ReservationId) {
        for slot in self.reservations.remove(id) {
            self.unreserve(slot);
        }
    }
    fn unreserve(&mut self, slot: Slot) {
        self.kept[slot as usize].as_mut().expect("spent coins leave their reservation").reserved = None;
        self.refresh(slot);
    }

    /// Gives every coin a new place in the order of the store: ascending by `key`.
    pub(super) fn reorder<K: Ord>(&mut self, key: impl Fn(&Coin) -> K) {
        let mut slots: Vec<Slot> = self.slots.values().copied().collect();
        slots.sort_by_cached_key(|slot| key(self.coin(*slot)));
        self.by_token.clear();
        self.by_address.clear();
        self.authorities.clear();
        self.by_value.clear();
        self.next_order = slots.len() as u64;
        for (order, slot) in (0..).zip(slots) {
            let kept = self.kept[slot as usize].as_mut().expect("listed by slots");
            kept.order = order;
            let coin = kept.coin;
            self.index(slot, &coin, order);
            self.refresh(slot);
        }
    }
}

fn slots_in(set: &BTreeSet<(u32, Slot)>, range: Range<(u32, Slot)>) -> impl Iterator<Item = Slot> + '_ {
    set.range(range).map(|(_, slot)| *slot)
}

/// A range of values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values {
    All,
    Exactly(u64),
    Above(u64),
}

impl Values {
    /// Largest and smallest.
    fn bounds(self) -> (u64, u64) {
        match self {
            Self::All => (u64::MAX, 0),
            Self::Exactly(value) => (value, value),
            Self::Above(value) => (u64::MAX, value.saturating_add(1)),
        }
    }
}
