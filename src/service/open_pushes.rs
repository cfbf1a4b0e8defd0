//! The pushes of an account whose outcome is not known, and what only they may use.

use super::live_state::{LiveState, lock};
use crate::ledger::{Outpoint, VertexId};
use crate::rt::Instant;
use crate::store::PushRecord;
use crate::wallet::{CallNumber, ReservationId};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

/// Pauses before a push that is open still is made again.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// What is recorded, and of which transaction.
#[derive(Clone)]
pub(super) struct Recorded {
    pub(super) id: VertexId,
    pub(super) record: PushRecord,
    /// Whether the store has said that it has it.
    pub(super) is_kept: bool,
}

/// A push whose outcome is not known.
pub(super) struct OpenPush {
    recorded: Recorded,
    outputs: Vec<Outpoint>,
    call: Option<CallNumber>,
    /// When it is made next, and the pause after that.
    due: Instant,
    pause: Duration,
    is_tried: bool,
    held: Option<HeldInputs>,
}

/// Inputs that are reserved in a wallet's state until this is dropped: so its users see it.
pub(super) struct HeldInputs(Arc<LiveState>, ReservationId);

impl Drop for HeldInputs {
    fn drop(&mut self) {
        self.0.write().release(self.1);
    }
}

impl OpenPush {
    pub(super) fn new(recorded: Recorded, outputs: Vec<Outpoint>, call: Option<CallNumber>) -> Self {
        let (due, pause) = (Instant::now(), FIRST_PAUSE);
        Self { recorded, outputs, call, due, pause, is_tried: false, held: None }
    }
}

/// Those of an account, by the keys of their records.
#[derive(Default)]
pub(super) struct OpenPushes {
    table: Mutex<Table>,
    /// There is another one.
    pub(super) added: Notify,
}

#[derive(Default)]
struct Table {
    by_key: BTreeMap<[u8; 32], OpenPush>,
    outputs: HashMap<Outpoint, [u8; 32]>,
    calls: HashMap<CallNumber, [u8; 32]>,
}

impl OpenPushes {
    /// Whether an output is that of another one than `own`.
    pub(super) fn have_output(&self, output: &Outpoint, own: Option<&[u8; 32]>) -> bool {
        lock(&self.table).outputs.get(output).is_some_and(|key| Some(key) != own)
    }

    pub(super) fn have_call(&self, call: &CallNumber, own: Option<&[u8; 32]>) -> bool {
        lock(&self.table).calls.get(call).is_some_and(|key| Some(key) != own)
    }

    pub(super) fn count(&self) -> usize {
        lock(&self.table).by_key.len()
    }

    /// It is open from now on, or still.
    pub(super) fn add(&self, open: OpenPush) {
        let key = open.recorded.record.key;
        self.remove(&key);
        let mut table = lock(&self.table);
        table.outputs.extend(open.outputs.iter().map(|output| (*output, key)));
        table.calls.extend(open.call.map(|call| (call, key)));
        table.by_key.insert(key, open);
        drop(table);
        self.added.notify_one();
    }

    /// Whether it was open.
    pub(super) fn remove(&self, key: &[u8; 32]) -> bool {
        let mut table = lock(&self.table);
        let removed = table.by_key.remove(key);
        if removed.is_some() {
            table.outputs.retain(|_, of| of != key);
            table.calls.retain(|_, of| of != key);
        }
        drop(table);
        // What it held is released while the table is free.
        removed.is_some()
    }

    /// None is known.
    pub(super) fn clear(&self) {
        let table = std::mem::take(&mut *lock(&self.table));
        drop(table);
    }

    /// Reserves its inputs in a wallet's state, too.
    pub(super) fn hold(&self, key: &[u8; 32], wallet: &Arc<LiveState>) {
        let wanted = lock(&self.table).by_key.get(key).map(|open| (open.outputs.clone(), open.call));
        let Some((outputs, call)) = wanted else { return };
        let held = HeldInputs(wallet.clone(), wallet.write().reserve(&outputs, call, u32::MAX));
        let mut table = lock(&self.table);
        let before = match table.by_key.get_mut(key) {
            Some(open) => open.held.replace(held),
            None => Some(held),
        };
        drop(table);
        drop(before);
    }

    /// What is reserved in a wallet's state for it.
    pub(super) fn take_held(&self, key: &[u8; 32]) -> Option<HeldInputs> {
        lock(&self.table).by_key.get_mut(key)?.held.take()
    }

    /// The keys of those that are due, so many at most: they are being tried from now on.
    pub(super) fn begin_due(&self, most: usize) -> Vec<[u8; 32]> {
        let (now, mut table) = (Instant::now(), lock(&self.table));
        let due = table.by_key.iter_mut().filter(|(_, open)| !open.is_tried && open.due <= now);
        let begin = |(key, open): (&[u8; 32], &mut OpenPush)| {
            open.is_tried = true;
            *key
        };
        due.take(most).map(begin).collect()
    }

    /// How long until the next one is due.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let table = lock(&self.table);
        let waiting = table.by_key.values().filter(|open| !open.is_tried);
        waiting.map(|open| open.due.saturating_duration_since(Instant::now())).min()
    }

    pub(super) fn get(&self, key: &[u8; 32]) -> Option<Recorded> {
        lock(&self.table).by_key.get(key).map(|open| open.recorded.clone())
    }

    /// It is open still.
    pub(super) fn try_later(&self, key: &[u8; 32]) {
        if let Some(open) = lock(&self.table).by_key.get_mut(key) {
            open.is_tried = false;
            open.due = Instant::now() + open.pause;
            open.pause = (open.pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// None is being tried.
    pub(super) fn stop_trying(&self) {
        lock(&self.table).by_key.values_mut().for_each(|open| open.is_tried = false);
    }
}
