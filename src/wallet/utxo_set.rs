//! The unspent outputs of the wallet, in every order that is asked for, so that no reading and no selection
//! sorts or scans.
//!
//! A utxo's lock depends on the time and on the best block's height. Whether a utxo counts as locked is kept
//! as of one time (`settled`) and one height; moving either touches only the utxos whose lock ends or begins
//! in between.

use super::history::{Ordered, OutputKey};
use super::reserve::{Reservations, UserLocks, UtxoKey};
use super::tokens::TokenNo;
use super::{Authority, ReservationId};
use crate::ledger::Amount;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// What one output holds: half the size of an [`Amount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    cents: u64,
    part: u64,
}

impl Value {
    const MIN: Self = Self { cents: 0, part: 0 };
    const MAX: Self = Self { cents: u64::MAX, part: u64::MAX };

    /// `None` if no output can hold so much.
    pub(super) fn of(amount: Amount) -> Option<Self> {
        let cents = u64::try_from(amount.cents()).ok().filter(|_| amount <= Amount::MAX_OUTPUT)?;
        Some(Self { cents, part: amount.part() })
    }
    pub(super) fn amount(self) -> Amount {
        Amount::from(self.cents).with_part(self.part)
    }
    /// Whether there are no parts of a cent.
    pub(super) const fn is_whole(self) -> bool {
        self.part == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UtxoEntry {
    pub(super) place: OutputKey,
    /// A bit mask for authorities.
    pub(super) value: Value,
    pub(super) token: TokenNo,
    /// Index of the address that it pays.
    pub(super) address: u32,
    /// Locked up to and including this time; 0 for none.
    pub(super) timelock: u32,
    /// Locked below this height; 0 for none.
    pub(super) unlock_height: u32,
    pub(super) authority: bool,
}

impl UtxoEntry {
    /// The full node wants a transaction's time to be *past* the time lock.
    pub(super) fn is_locked(&self, now: u32, height: Option<u32>) -> bool {
        (self.timelock != 0 && now <= self.timelock)
            || (self.unlock_height != 0 && height.is_none_or(|height| height < self.unlock_height))
    }
    /// The bits of an authority.
    pub(super) const fn mask(&self) -> u64 {
        self.value.cents
    }
    pub(super) fn grants(&self, authority: Authority) -> bool {
        self.authority && self.mask() & authority.bit() != 0
    }
}

#[derive(Debug)]
struct Entry {
    utxo: UtxoEntry,
    /// Place in the order of the store.
    order: u64,
    locked: bool,
    reserved: Option<ReservationId>,
}

/// Sums over the utxos of one token that are no authorities.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    all: Amount,
    locked: Amount,
}

impl Totals {
    /// Both are exact: no number of outputs that fits in memory holds more than an [`Amount`] can.
    fn add(sum: &mut Amount, value: Value) {
        *sum = sum.saturating_add(value.amount());
    }
    fn take(sum: &mut Amount, value: Value) {
        *sum = sum.saturating_sub(value.amount());
    }
}

/// UtxoSet by address, token, and place in the order of the store. Where they are not told apart by address,
/// that is 0: maps of one kind have their code once.
type InOrder = BTreeMap<(u32, TokenNo, u64), UtxoKey>;

#[derive(Debug, Default)]
pub(super) struct UtxoSet {
    kept: Vec<Option<Entry>>,
    free: Vec<UtxoKey>,
    slots: HashMap<OutputKey, UtxoKey>,
    next_order: u64,
    totals: Vec<Totals>,
    by_token: InOrder,
    by_address: InOrder,
    authorities: InOrder,
    /// What may be selected: neither authority nor locked nor reserved. Largest first, then in the order of
    /// the store.
    by_value: BTreeMap<(TokenNo, Reverse<Value>, u64), UtxoKey>,
    by_timelock: Ordered,
    by_unlock_height: Ordered,
    settled: u32,
    height: Option<u32>,
    reservations: Reservations,
    user_locks: UserLocks,
    /// Which addresses' utxos are seen, if not all are.
    seen: Option<Range<u32>>,
    /// How many have parts of a cent.
    with_parts: usize,
}

impl UtxoSet {
    pub(super) fn height(&self) -> Option<u32> {
        self.height
    }
    fn kept(&self, slot: UtxoKey) -> &Entry {
        self.kept[slot as usize].as_ref().expect("indexes name slots in use")
    }
    pub(super) fn utxo(&self, slot: UtxoKey) -> &UtxoEntry {
        &self.kept(slot).utxo
    }
    pub(super) fn find(&self, place: OutputKey) -> Option<UtxoKey> {
        self.slots.get(&place).copied()
    }
    pub(super) fn is_locked(&self, slot: UtxoKey, now: u32) -> bool {
        self.utxo(slot).is_locked(now, self.height)
    }
    /// Whether a plan has it, or the wallet's user has locked it.
    #[inline]
    pub(super) fn is_reserved(&self, slot: UtxoKey, now: u32) -> bool {
        let kept = self.kept(slot);
        kept.reserved.is_some_and(|id| self.reservations.holds(id, now))
            || self.user_locks.holds(kept.utxo.place, now)
    }

    /// Whether a plan has it, but for one reservation, once reservations are settled.
    pub(super) fn is_held(&self, slot: UtxoKey, but: Option<ReservationId>) -> bool {
        let kept = self.kept(slot);
        let waits = || self.reservations.waiting_for(kept.utxo.place);
        kept.reserved.is_some_and(|id| Some(id) != but || waits().is_some())
    }

    /// Whether any has parts of a cent.
    pub(super) const fn has_parts(&self) -> bool {
        self.with_parts > 0
    }
    /// From now on those of these addresses are seen alone, or all.
    pub(super) fn see(&mut self, addresses: Option<Range<u32>>) {
        self.seen = addresses;
    }
    pub(super) fn is_seen(&self, slot: UtxoKey) -> bool {
        self.seen.as_ref().is_none_or(|seen| seen.contains(&self.utxo(slot).address))
    }
    /// One that is seen.
    pub(super) fn find_seen(&self, place: OutputKey) -> Option<UtxoKey> {
        self.find(place).filter(|slot| self.is_seen(*slot))
    }
    /// Makes the utxo at `place` what it should be. One that stays keeps its order.
    pub(super) fn set(&mut self, place: OutputKey, utxo: Option<UtxoEntry>) {
        match (self.find(place), utxo) {
            (None, Some(utxo)) => {
                let order = self.next_order;
                self.next_order += 1;
                self.insert(Entry { utxo, order, locked: false, reserved: None });
            }
            (Some(slot), None) => {
                // It may come back.
                if let Some(id) = self.remove(slot).reserved {
                    self.reservations.wait(id, place);
                }
            }
            (Some(slot), Some(utxo)) if *self.utxo(slot) != utxo => {
                let old = self.remove(slot);
                // Takes the slot that was just freed, so that a reservation still finds it.
                self.insert(Entry { utxo, ..old });
            }
            _ => {}
        }
    }

    fn insert(&mut self, kept: Entry) {
        let Entry { utxo, order, .. } = kept;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.kept.push(None);
            u32::try_from(self.kept.len() - 1).expect("far fewer than 2^32 outputs fit in memory")
        });
        self.slots.insert(utxo.place, slot);
        self.with_parts += usize::from(!utxo.value.is_whole());
        self.index(slot, &utxo, order);
        let reserved = kept.reserved.or_else(|| self.take_waiting(utxo.place, slot));
        self.kept[slot as usize] = Some(Entry { locked: false, reserved, ..kept });
        if utxo.authority {
            return;
        }
        if self.totals.len() <= utxo.token as usize {
            self.totals.resize(utxo.token as usize + 1, Totals::default());
        }
        Totals::add(&mut self.totals[utxo.token as usize].all, utxo.value);
        if utxo.timelock != 0 {
            self.by_timelock.insert((utxo.timelock, 0, slot));
        }
        if utxo.unlock_height != 0 {
            self.by_unlock_height.insert((utxo.unlock_height, 0, slot));
        }
        self.refresh(slot);
    }
    fn index(&mut self, slot: UtxoKey, utxo: &UtxoEntry, order: u64) {
        if utxo.authority {
            self.authorities.insert((0, utxo.token, order), slot);
        } else {
            self.by_token.insert((0, utxo.token, order), slot);
            self.by_address.insert((utxo.address, utxo.token, order), slot);
        }
    }
    fn remove(&mut self, slot: UtxoKey) -> Entry {
        let kept = self.kept[slot as usize].take().expect("removed once");
        let Entry { utxo, order, locked, .. } = kept;
        self.slots.remove(&utxo.place);
        self.with_parts -= usize::from(!utxo.value.is_whole());
        self.free.push(slot);
        if utxo.authority {
            self.authorities.remove(&(0, utxo.token, order));
            return kept;
        }
        let totals = &mut self.totals[utxo.token as usize];
        Totals::take(&mut totals.all, utxo.value);
        if locked {
            Totals::take(&mut totals.locked, utxo.value);
        }
        self.by_token.remove(&(0, utxo.token, order));
        self.by_address.remove(&(utxo.address, utxo.token, order));
        self.by_value.remove(&(utxo.token, Reverse(utxo.value), order));
        self.by_timelock.remove(&(utxo.timelock, 0, slot));
        self.by_unlock_height.remove(&(utxo.unlock_height, 0, slot));
        kept
    }

    /// Puts right what depends on a utxo's lock and reservation.
    fn refresh(&mut self, slot: UtxoKey) {
        let (settled, height) = (self.settled, self.height);
        let kept = self.kept[slot as usize].as_mut().expect("indexes name slots in use");
        let utxo = kept.utxo;
        if utxo.authority {
            return;
        }
        let locked = utxo.is_locked(settled, height);
        if locked != kept.locked {
            kept.locked = locked;
            let sum = &mut self.totals[utxo.token as usize].locked;
            if locked { Totals::add(sum, utxo.value) } else { Totals::take(sum, utxo.value) }
        }
        let key = (utxo.token, Reverse(utxo.value), kept.order);
        if locked || kept.reserved.is_some() || self.user_locks.is_locked(utxo.place) {
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
    pub(super) fn advance_to(&mut self, now: u32) {
        let changed: Vec<_> = self.locks_between(self.settled, now).collect();
        self.settled = now;
        changed.into_iter().for_each(|slot| self.refresh(slot));
        while let Some(id) = self.reservations.expired(now) {
            self.release(id);
        }
        for place in self.user_locks.expire(now) {
            self.refresh_at(place);
        }
    }
    /// The first second after `now` in which a time lock has ended that holds at `now`.
    pub(super) fn next_unlock(&self, now: u32) -> Option<u32> {
        let (timelock, ..) = self.by_timelock.range((now, 0, 0)..).find(|(.., slot)| self.is_seen(*slot))?;
        timelock.checked_add(1)
    }
    /// UtxoSet whose time lock holds at one of two times only.
    fn locks_between(&self, a: u32, b: u32) -> impl Iterator<Item = UtxoKey> + '_ {
        slots_in(&self.by_timelock, a.min(b)..a.max(b))
    }
    pub(super) fn set_height(&mut self, height: u32) {
        // A utxo is locked below its height: none, or what was reached, is where the locks that end begin.
        let reached = self.height.map_or(0, |old| old.saturating_add(1));
        let next = height.saturating_add(1);
        let (from, to) = (reached.min(next), reached.max(next));
        let changed: Vec<_> = slots_in(&self.by_unlock_height, from..to).collect();
        self.height = Some(height);
        changed.into_iter().for_each(|slot| self.refresh(slot));
    }

    /// All that a token's utxos hold, and how much of it is locked at `now`.
    pub(super) fn totals(&self, token: TokenNo, now: u32) -> (Amount, Amount) {
        let mut sums = Totals::default();
        let Some(totals) = self.totals.get(token as usize) else { return (sums.all, sums.locked) };
        if self.seen.is_some() {
            for slot in self.of_token(token) {
                let value = self.utxo(slot).value;
                Totals::add(&mut sums.all, value);
                if self.is_locked(slot, now) {
                    Totals::add(&mut sums.locked, value);
                }
            }
            return (sums.all, sums.locked);
        }
        let mut locked = totals.locked;
        for slot in self.locks_between(self.settled, now) {
            let kept = self.kept(slot);
            if kept.utxo.token == token {
                match (kept.locked, kept.utxo.is_locked(now, self.height)) {
                    (true, false) => Totals::take(&mut locked, kept.utxo.value),
                    (false, true) => Totals::add(&mut locked, kept.utxo.value),
                    _ => {}
                }
            }
        }
        (totals.all, locked)
    }

    /// How many there are of all tokens.
    pub(super) fn len(&self) -> usize {
        match self.seen {
            None => self.slots.len(),
            Some(_) => self.slots.values().filter(|slot| self.is_seen(**slot)).count(),
        }
    }
    /// UtxoSet of a token in the order of the store, without authorities.
    pub(super) fn of_token(&self, token: TokenNo) -> impl Iterator<Item = UtxoKey> + '_ {
        self.seen_in(&self.by_token, 0, token)
    }
    /// Those that pay one address.
    pub(super) fn of_address(&self, address: u32, token: TokenNo) -> impl Iterator<Item = UtxoKey> + '_ {
        self.seen_in(&self.by_address, address, token)
    }
    fn seen_in<'a>(
        &'a self,
        map: &'a InOrder,
        address: u32,
        token: TokenNo,
    ) -> impl Iterator<Item = UtxoKey> + 'a {
        let range = map.range((address, token, 0)..=(address, token, u64::MAX));
        range.map(|(_, slot)| *slot).filter(|slot| self.is_seen(*slot))
    }
    /// Authorities over a token, in the order of the store.
    pub(super) fn authorities(&self, token: TokenNo) -> impl Iterator<Item = UtxoKey> + '_ {
        self.seen_in(&self.authorities, 0, token)
    }
    /// What may be selected, of values within a range, largest first, seen or not. Settle first.
    pub(super) fn spendable(
        &self,
        token: TokenNo,
        values: Values,
    ) -> impl DoubleEndedIterator<Item = UtxoKey> + '_ {
        // Orders begin at 0, and never get to the last one.
        let end = match values {
            Values::All => (token, Reverse(Value::MIN), u64::MAX),
            Values::Above(value) => (token, Reverse(value), 0),
            Values::AtLeast(value) => (token, Reverse(value), u64::MAX),
        };
        let range = (token, Reverse(Value::MAX), 0)..end;
        self.by_value.range(range).map(|(_, slot)| *slot)
    }

    /// The same, of one value.
    pub(super) fn spendable_of(&self, token: TokenNo, value: Value) -> impl Iterator<Item = UtxoKey> + '_ {
        let range = (token, Reverse(value), 0)..=(token, Reverse(value), u64::MAX);
        self.by_value.range(range).map(|(_, slot)| *slot)
    }
    /// Forgets all of them. What is reserved and locked stays so.
    pub(super) fn forget(&mut self) {
        let slots: Vec<UtxoKey> = self.slots.values().copied().collect();
        for slot in slots {
            self.set(self.utxo(slot).place, None);
        }
    }

    /// Sets utxos aside until a time.
    pub(super) fn reserve(&mut self, slots: &[UtxoKey], until: u32) -> ReservationId {
        let id = self.reservations.add(until);
        // Those that another one has by now are passed over when it ends.
        self.reservations.has(id, slots);
        slots.iter().for_each(|slot| self.hold(*slot, id));
        id
    }
    /// Sets outputs aside until they are released, whether they are utxos now or will be.
    pub(super) fn reserve_outputs(&mut self, outputs: &[OutputKey]) -> ReservationId {
        let id = self.reservations.add(u32::MAX);
        for place in outputs {
            match self.find(*place) {
                Some(slot) => {
                    self.reservations.has(id, &[slot]);
                    self.hold(slot, id);
                }
                None => self.reservations.wait(id, *place),
            }
        }
        id
    }
    fn hold(&mut self, slot: UtxoKey, id: ReservationId) {
        let kept = self.kept[slot as usize].as_mut().expect("indexes name slots in use");
        match kept.reserved {
            Some(_) => self.reservations.wait(id, kept.utxo.place),
            None => {
                kept.reserved = Some(id);
                self.refresh(slot);
            }
        }
    }
    /// The reservation that waits for an output, which has its utxo now.
    fn take_waiting(&mut self, place: OutputKey, slot: UtxoKey) -> Option<ReservationId> {
        let id = self.reservations.take_waiting(place)?;
        self.reservations.has(id, &[slot]);
        Some(id)
    }
    /// Locks the output at a place for the wallet's user, whether it is a utxo now or will be one.
    pub(super) fn lock_for_user(&mut self, place: OutputKey, until: u32) {
        self.user_locks.lock(place, until);
        self.refresh_at(place);
    }
    /// Ends that. Says whether it was so.
    pub(super) fn unlock_for_user(&mut self, place: OutputKey) -> bool {
        let was_locked = self.user_locks.unlock(place);
        self.refresh_at(place);
        was_locked
    }
    /// What the wallet's user has locked, and until when.
    pub(super) fn user_locks(&self) -> impl Iterator<Item = (OutputKey, u32)> + '_ {
        self.user_locks.iter()
    }
    fn refresh_at(&mut self, place: OutputKey) {
        if let Some(slot) = self.find(place) {
            self.refresh(slot);
        }
    }
    pub(super) fn release(&mut self, id: ReservationId) {
        for slot in self.reservations.remove(id) {
            // What was spent since may have left its slot to another one.
            let Some(kept) = self.kept[slot as usize].as_ref().filter(|it| it.reserved == Some(id)) else {
                continue;
            };
            let next = self.take_waiting(kept.utxo.place, slot);
            self.kept[slot as usize].iter_mut().for_each(|kept| kept.reserved = next);
            self.refresh(slot);
        }
    }

    /// Puts the largest ones first; equal ones stay in their order.
    pub(super) fn sort_largest_first(&self, slots: &mut [UtxoKey]) {
        let value = |slot| self.utxo(slot).value;
        sort(slots, &|one, other| value(other).cmp(&value(one)));
    }

    /// Gives every utxo a new place in the order of the store: ascending by `key`.
    pub(super) fn reorder<K: Ord>(&mut self, key: impl Fn(&UtxoEntry) -> K) {
        let mut slots: Vec<UtxoKey> = self.slots.values().copied().collect();
        slots.sort_by_cached_key(|slot| key(self.utxo(*slot)));
        self.by_token.clear();
        self.by_address.clear();
        self.authorities.clear();
        self.by_value.clear();
        self.next_order = slots.len() as u64;
        for (order, slot) in (0..).zip(slots) {
            let kept = self.kept[slot as usize].as_mut().expect("listed by slots");
            kept.order = order;
            let utxo = kept.utxo;
            self.index(slot, &utxo, order);
            self.refresh(slot);
        }
    }
}

/// Equal ones stay in their order. Each kind of sort has its code in the WebAssembly file: this is one.
pub(super) fn sort(slots: &mut [UtxoKey], order: &dyn Fn(UtxoKey, UtxoKey) -> Ordering) {
    slots.sort_by(|one, other| order(*one, *other));
}

fn slots_in(set: &Ordered, range: Range<u32>) -> impl Iterator<Item = UtxoKey> + '_ {
    set.range((range.start, 0, 0)..(range.end, 0, 0)).map(|(.., slot)| *slot)
}

/// A range of values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values {
    All,
    Above(Value),
    AtLeast(Value),
}
