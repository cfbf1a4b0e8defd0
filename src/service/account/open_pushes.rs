//! The account's pushes whose outcome is unknown.

use super::live_state::lock;
use crate::ledger::VertexId;
use crate::rt::Instant;
use crate::store::PushRecord;
use crate::wallet::ReservationId;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::Notify;

/// The first and the longest pause before an open push is repeated.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A record and the id of its transaction.
#[derive(Clone)]
pub struct Recorded {
    pub id: VertexId,
    pub record: PushRecord,
    /// Whether the store has confirmed it.
    pub is_kept: bool,
}

struct OpenPush {
    recorded: Recorded,
    /// All that it spends; `None` while a repeated request has the reservation.
    inputs: Option<ReservationId>,
    /// When it is pushed next, and the pause after that.
    due: Instant,
    pause: Duration,
    is_tried: bool,
}

#[derive(Default)]
pub struct OpenPushes {
    by_key: Mutex<BTreeMap<[u8; 32], OpenPush>>,
    pub added: Notify,
}

impl OpenPushes {
    /// Adds a push, or replaces it. Returns what was reserved for it before.
    pub fn add(&self, recorded: Recorded, inputs: Option<ReservationId>) -> Option<ReservationId> {
        let (key, due, pause) = (recorded.record.key, Instant::now(), FIRST_PAUSE);
        let open = OpenPush { recorded, inputs, due, pause, is_tried: false };
        let before = lock(&self.by_key).insert(key, open);
        self.added.notify_one();
        before?.inputs
    }

    pub fn remove(&self, key: &[u8; 32]) -> Option<ReservationId> {
        lock(&self.by_key).remove(key)?.inputs
    }

    /// What is reserved for the push, for a repeated request.
    pub fn take_inputs(&self, key: &[u8; 32]) -> Option<ReservationId> {
        lock(&self.by_key).get_mut(key)?.inputs.take()
    }

    pub fn give_back(&self, key: &[u8; 32], inputs: Option<ReservationId>) {
        lock(&self.by_key).entry(*key).and_modify(|open| open.inputs = inputs);
    }

    /// The keys of pushes that are due, at most `most`; each counts as tried from now on.
    pub fn begin_due(&self, most: usize) -> Vec<[u8; 32]> {
        let (now, mut by_key) = (Instant::now(), lock(&self.by_key));
        let due = by_key.iter_mut().filter(|(_, open)| !open.is_tried && open.due <= now);
        let begin = |(key, open): (&[u8; 32], &mut OpenPush)| {
            open.is_tried = true;
            *key
        };
        due.take(most).map(begin).collect()
    }

    pub fn next_due(&self) -> Option<Duration> {
        let by_key = lock(&self.by_key);
        let waiting = by_key.values().filter(|open| !open.is_tried);
        waiting.map(|open| open.due.saturating_duration_since(Instant::now())).min()
    }

    pub fn get(&self, key: &[u8; 32]) -> Option<Recorded> {
        lock(&self.by_key).get(key).map(|open| open.recorded.clone())
    }

    pub fn try_later(&self, key: &[u8; 32]) {
        if let Some(open) = lock(&self.by_key).get_mut(key) {
            open.is_tried = false;
            open.due = Instant::now() + open.pause;
            open.pause = (open.pause * 2).min(LONGEST_PAUSE);
        }
    }
}
