//! Places for the requests to one service, in lanes: a send never stands behind what others read or load.
//!
//! Each lane has places that the others leave free, and may have all that nobody else has reserved. In a lane
//! the tenants take turns, whatever the number of their requests.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{OwnedMutexGuard, oneshot};

/// Most requests under way at once, whatever the number of wallets on this service.
const PLACES: usize = 10;
/// How many of them are left free for a lane, by its number.
const RESERVED: [usize; LANES] = [1, 2, 1, 1, 1];
const LANES: usize = 5;

/// What requests are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lane {
    /// What brings a signed transaction to the ledger: parents, proof of work, the push. It goes first.
    Push(Tenant),
    /// What a send has to know before it is signed. It goes second: nothing of it has been checked yet.
    Send(Tenant),
    /// One short question each, for which a start or a look at a service's health waits.
    Check,
    /// Questions of somebody who only reads.
    Read(Tenant),
    /// Histories, and following the ledger.
    Load,
}

impl Default for Lane {
    /// What nobody has named holds up no send.
    fn default() -> Self {
        Self::Read(Tenant::default())
    }
}

impl Lane {
    pub(super) const fn number(&self) -> usize {
        match self {
            Self::Push(_) => 0,
            Self::Send(_) => 1,
            Self::Check => 2,
            Self::Read(_) => 3,
            Self::Load => 4,
        }
    }

    fn tenant(&self) -> Tenant {
        match self {
            Self::Push(tenant) | Self::Send(tenant) | Self::Read(tenant) => tenant.clone(),
            Self::Check | Self::Load => Tenant::default(),
        }
    }

    /// That of the same tenant's sends.
    pub(crate) fn of_sends(&self) -> Self {
        Self::Send(self.tenant())
    }

    /// That of the same tenant's pushes.
    pub(super) fn of_pushes(&self) -> Self {
        Self::Push(self.tenant())
    }
}

/// Who takes turns with others in a lane: an API key and a wallet. By default, the process itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tenant(Arc<str>);

impl Tenant {
    /// The questions of a key about a wallet; either may be empty. Names of keys have no slash.
    pub fn new(key: &str, wallet: &str) -> Self {
        Self(format!("{key}/{wallet}").into())
    }
}

/// The places of a service. Clones are the same places.
#[derive(Clone, Default)]
pub(super) struct Lanes(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    used: [usize; LANES],
    waiting: [Queue; LANES],
    last_id: u64,
}

#[derive(Default)]
struct Queue {
    /// Those with requests in `waiters`, the next one first.
    turns: VecDeque<Tenant>,
    waiters: HashMap<Tenant, VecDeque<(u64, oneshot::Sender<()>)>>,
}

/// A place, or a request that waits for one. It is given back, or leaves the queue, when this is dropped.
pub(super) struct Place {
    lanes: Lanes,
    lane: usize,
    waits: Option<(Tenant, u64)>,
}

impl Lanes {
    /// Waits for a place.
    pub(super) async fn enter(&self, lane: &Lane) -> Place {
        let number = lane.number();
        let mut place = Place { lanes: self.clone(), lane: number, waits: None };
        let given = {
            let mut table = self.table();
            if table.is_open(number) {
                table.used[number] += 1;
                return place;
            }
            let (tenant, id) = (lane.tenant(), table.next_id());
            place.waits = Some((tenant.clone(), id));
            table.waiting[number].join(tenant, id)
        };
        given.await.expect("only its own waiter takes it out of the queue without an answer");
        place.waits = None;
        place
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut table = self.lanes.table();
        let has_left = |(tenant, id): (Tenant, u64)| table.waiting[self.lane].leave(&tenant, id);
        // One that has left the queue already was given a place, and did not live to see it.
        if !self.waits.take().is_some_and(has_left) {
            table.used[self.lane] -= 1;
            table.give();
        }
    }
}

impl Table {
    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Whether a lane may have one more place.
    fn is_open(&self, lane: usize) -> bool {
        let others = (0..LANES).filter(|other| *other != lane);
        let reserved: usize = others.map(|other| RESERVED[other].saturating_sub(self.used[other])).sum();
        self.used.iter().sum::<usize>() + reserved < PLACES
    }

    /// Gives what is free to those who wait: to pushes first, to sends next, else to the lane that has less.
    fn give(&mut self) {
        loop {
            let waits = |lane: &usize| !self.waiting[*lane].turns.is_empty() && self.is_open(*lane);
            let next = (0..LANES).filter(waits).min_by_key(|lane| ((*lane).min(2), self.used[*lane]));
            let Some(lane) = next else { return };
            self.used[lane] += 1;
            let given = self.waiting[lane].next().expect("somebody waits");
            // One that was dropped at this moment gives it back.
            let _ = given.send(());
        }
    }
}

impl Queue {
    fn join(&mut self, tenant: Tenant, id: u64) -> oneshot::Receiver<()> {
        let (give, given) = oneshot::channel();
        let waiters = self.waiters.entry(tenant.clone()).or_default();
        if waiters.is_empty() {
            self.turns.push_back(tenant);
        }
        waiters.push_back((id, give));
        given
    }

    /// The first of the tenant whose turn it is, which is the last in the row then.
    fn next(&mut self) -> Option<oneshot::Sender<()>> {
        let tenant = self.turns.pop_front()?;
        let waiters = self.waiters.get_mut(&tenant)?;
        let (_, give) = waiters.pop_front()?;
        if waiters.is_empty() {
            self.waiters.remove(&tenant);
        } else {
            self.turns.push_back(tenant);
        }
        Some(give)
    }

    /// Takes one out. Gives whether it was there.
    fn leave(&mut self, tenant: &Tenant, id: u64) -> bool {
        let Some(waiters) = self.waiters.get_mut(tenant) else { return false };
        let before = waiters.len();
        waiters.retain(|(other, _)| *other != id);
        let was_there = waiters.len() < before;
        if waiters.is_empty() {
            self.waiters.remove(tenant);
            self.turns.retain(|other| other != tenant);
        }
        was_there
    }
}

// One lock a key, there only as long as somebody has it or waits for it.

type Lock = tokio::sync::Mutex<()>;

/// Locks by key. Clones are the same locks.
#[derive(Clone, Debug, Default)]
pub struct KeyLocks(Arc<Mutex<HashMap<[u8; 32], Weak<Lock>>>>);

/// The lock of one key, until this is dropped.
#[derive(Debug)]
pub struct KeyGuard {
    /// Somebody else had it first.
    pub waited: bool,
    _guard: OwnedMutexGuard<()>,
    _entry: Entry,
}

/// Takes the key out of the table when nobody is left who wants it.
#[derive(Debug)]
struct Entry {
    locks: KeyLocks,
    key: [u8; 32],
    lock: Option<Arc<Lock>>,
}

impl KeyLocks {
    /// Waits until nobody else has the lock of `key`.
    pub async fn lock(&self, key: [u8; 32]) -> KeyGuard {
        let lock = {
            let mut table = self.table();
            let known = table.get(&key).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let lock = Arc::<Lock>::default();
                table.insert(key, Arc::downgrade(&lock));
                lock
            })
        };
        let entry = Entry { locks: self.clone(), key, lock: Some(lock.clone()) };
        let (guard, waited) = match lock.clone().try_lock_owned() {
            Ok(guard) => (guard, false),
            Err(_) => (lock.lock_owned().await, true),
        };
        KeyGuard { waited, _guard: guard, _entry: entry }
    }

    /// How many keys somebody has or waits for.
    pub fn len(&self) -> usize {
        self.table().len()
    }

    /// Whether nobody has any.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn table(&self) -> MutexGuard<'_, HashMap<[u8; 32], Weak<Lock>>> {
        // Every change is one call, so a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut table = self.locks.table();
        // Under the table's lock, so that the last one to leave sees that it is the last.
        self.lock = None;
        if table.get(&self.key).is_some_and(|lock| lock.strong_count() == 0) {
            table.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lane, Lanes, Place, Tenant};
    use crate::rt::BoxFuture;
    use futures_util::FutureExt;

    fn read(tenant: &str) -> Lane {
        Lane::Read(Tenant::new("key", tenant))
    }

    fn send(tenant: &str) -> Lane {
        Lane::Send(Tenant::new("key", tenant))
    }

    /// Places that are free for a lane, taken.
    fn take_all(lanes: &Lanes, lane: &Lane) -> Vec<Place> {
        std::iter::from_fn(|| lanes.enter(lane).now_or_never()).collect()
    }

    /// A request in the queue.
    fn waits<'a>(lanes: &'a Lanes, lane: &'a Lane) -> BoxFuture<'a, Place> {
        let mut place: BoxFuture<'_, Place> = Box::pin(lanes.enter(lane));
        assert!((&mut place).now_or_never().is_none(), "it has a place");
        place
    }

    /// Which of those that wait has a place, if one has.
    fn served<'a>(waiting: &mut Vec<(&'a str, BoxFuture<'a, Place>)>) -> Option<(&'a str, Place)> {
        let found =
            |(at, (_, place)): (usize, &mut (_, BoxFuture<'a, Place>))| Some((at, place.now_or_never()?));
        let (at, place) = waiting.iter_mut().enumerate().find_map(found)?;
        Some((waiting.remove(at).0, place))
    }

    #[test]
    fn whatever_others_do_a_lane_has_its_places() {
        let lanes = Lanes::default();
        let all = [Lane::Push(Tenant::default()), send("b"), Lane::Check, read("b"), Lane::Load];
        let (places, reserved) = ([5, 6, 5, 5, 5], [1, 2, 1, 1, 1]);
        for (first, lane) in all.iter().enumerate() {
            let crowd = take_all(&lanes, lane);
            assert_eq!(crowd.len(), places[first], "{lane:?}");
            let others = all.iter().zip(reserved).filter(|(other, _)| *other != lane);
            let others: Vec<_> = others.map(|(other, count)| (take_all(&lanes, other), count)).collect();
            for (taken, count) in &others {
                assert_eq!(taken.len(), *count, "beside {lane:?}");
            }
        }
    }

    #[test]
    fn the_next_place_is_a_pushs_then_a_sends_and_then_the_lanes_that_has_less() {
        let lanes = Lanes::default();
        let (b, load, send, push) = (read("b"), Lane::Load, send("b"), Lane::Push(Tenant::default()));
        let mut reads = take_all(&lanes, &b);
        let mut loads = take_all(&lanes, &load);
        let _others = [&send, &push, &Lane::Check].map(|lane| take_all(&lanes, lane));
        let mut waiting = vec![
            ("read", waits(&lanes, &b)),
            ("load", waits(&lanes, &load)),
            ("send", waits(&lanes, &send)),
            ("push", waits(&lanes, &push)),
        ];
        let mut first_places = Vec::new();
        for name in ["push", "send"] {
            reads.pop();
            let (first, place) = served(&mut waiting).unwrap();
            assert_eq!(first, name);
            first_places.push(place);
            assert!(served(&mut waiting).is_none());
        }
        reads.pop();
        let (second, place) = served(&mut waiting).unwrap();
        assert_eq!(second, "load", "of which there is one, and there are two reads");
        loads.push(place);
        assert!(served(&mut waiting).is_none());
        drop(first_places);
        assert_eq!(served(&mut waiting).unwrap().0, "read");
    }

    #[test]
    fn tenants_take_turns_however_many_requests_one_has() {
        for of in [read, send] {
            take_turns(of);
        }
    }

    fn take_turns(of: fn(&str) -> Lane) {
        let lanes = Lanes::default();
        let [a, b, c] = ["a", "b", "c"].map(of);
        let mut taken = take_all(&lanes, &b);
        let most = taken.len();
        let mut waiting = Vec::new();
        for (name, lane) in [("b1", &b), ("b2", &b), ("b3", &b), ("c1", &c), ("a1", &a), ("c2", &c)] {
            waiting.push((name, waits(&lanes, lane)));
        }
        let mut order = Vec::new();
        while let Some(place) = taken.pop() {
            drop(place);
            while let Some((name, place)) = served(&mut waiting) {
                order.push(name);
                taken.push(place);
                if order.len() > 5 {
                    taken.clear();
                }
            }
        }
        assert_eq!(order, ["b1", "c1", "a1", "b2", "c2", "b3"]);
        assert_eq!(take_all(&lanes, &b).len(), most, "all are given back");
    }

    #[test]
    fn a_request_that_is_given_up_leaves_the_queue_and_a_place_it_never_saw() {
        let lanes = Lanes::default();
        let (b, c) = (read("b"), read("c"));
        let mut taken = take_all(&lanes, &b);
        let (first, second, third) = (waits(&lanes, &b), waits(&lanes, &c), waits(&lanes, &b));
        drop(second);
        assert_eq!(lanes.table().waiting[b.number()].turns.len(), 1);
        taken.pop();
        // Given to the first one, which is dropped before it is polled.
        drop(first);
        assert!(third.now_or_never().is_some());
        let table = lanes.table();
        assert_eq!(
            (table.used, table.waiting[b.number()].turns.len(), table.waiting[b.number()].waiters.len()),
            ([0, 0, 0, 4, 0], 0, 0)
        );
    }
}
