//! The connections that are open, and which of them gives way where there are too many, or too much that they
//! do not read.

use super::UnreadLimits;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

#[derive(Default)]
pub(super) struct Connections {
    table: Mutex<Table>,
    /// Told when there is room for one more.
    pub(super) ended: Notify,
}

#[derive(Default)]
struct Table {
    open: HashMap<u64, Entry>,
    next: u64,
    /// Bytes of the answers that wait to be read, in all of `open`.
    unread: usize,
}

struct Entry {
    connection: Arc<Connection>,
    /// Bytes of the answer that waits to be read, and since when it does.
    unread: Option<(usize, Instant)>,
}

impl Connections {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn open(self: &Arc<Self>) -> Open {
        let mut table = self.table();
        let id = table.next;
        let connection = Arc::new(Connection {
            id,
            all: self.clone(),
            opened: Instant::now(),
            waits_since: AtomicU64::new(WORKED_ON),
            close: Notify::new(),
        });
        table.next += 1;
        table.open.insert(id, Entry { connection: connection.clone(), unread: None });
        Open(connection)
    }

    pub(super) fn count(&self) -> usize {
        self.table().open.len()
    }

    /// Closes the connection that has waited longest for a request, if one has waited for so long.
    pub(super) fn close_longest_waiting(&self, patience: Duration) -> bool {
        let mut table = self.table();
        loop {
            let waiting =
                table.open.iter().filter_map(|(id, entry)| Some((entry.connection.waits_since()?, *id)));
            let Some((since, id)) = waiting.min() else { return false };
            if since.elapsed() < patience {
                return false;
            }
            // A request may have come to its end meanwhile.
            if table.open[&id].connection.give_way() {
                table.close(id);
                return true;
            }
        }
    }

    pub(super) fn close_all_waiting(&self) {
        while self.close_longest_waiting(Duration::ZERO) {}
    }
}

impl Table {
    fn close(&mut self, id: u64) {
        if let Some(entry) = self.remove(id) {
            entry.connection.close.notify_one();
        }
    }

    fn remove(&mut self, id: u64) -> Option<Entry> {
        let entry = self.open.remove(&id)?;
        self.unread -= entry.unread.map_or(0, |(bytes, _)| bytes);
        Some(entry)
    }

    /// Whether there is room for an answer of `bytes`, once connections that have not read theirs for a while
    /// are closed, the oldest first. For the only one there is, however long it is.
    fn make_room(&mut self, bytes: usize, limits: UnreadLimits) -> bool {
        while self.unread > 0 && self.unread.saturating_add(bytes) > limits.bytes {
            let unread = self.open.iter().filter_map(|(id, entry)| Some((entry.unread?.1, *id)));
            match unread.min() {
                Some((since, id)) if since.elapsed() >= limits.patience => self.close(id),
                _ => return false,
            }
        }
        true
    }
}

/// Keeps a connection among those that are open until this is dropped.
pub(super) struct Open(pub(super) Arc<Connection>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.all.table().remove(self.0.id);
        self.0.all.ended.notify_one();
    }
}

pub(super) struct Connection {
    id: u64,
    all: Arc<Connections>,
    opened: Instant,
    /// The time at which it began to wait for a request, in microseconds after it was opened; or
    /// [`WORKED_ON`], also until it is read for the first time, or [`GIVES_WAY`].
    waits_since: AtomicU64,
    /// Told to make room.
    pub(super) close: Notify,
}

const WORKED_ON: u64 = u64::MAX;
/// It is closed: no request of it is begun any more.
const GIVES_WAY: u64 = u64::MAX - 1;

impl Connection {
    fn waits_since(&self) -> Option<Instant> {
        match self.waits_since.load(Relaxed) {
            WORKED_ON | GIVES_WAY => None,
            micros => Some(self.opened + Duration::from_micros(micros)),
        }
    }
    /// Whether it waits for a request: then it takes none any more. What is done of a request is answered.
    fn give_way(&self) -> bool {
        self.change(|state| (state != WORKED_ON).then_some(GIVES_WAY))
    }
    /// Whether a request may be begun, whose last byte has come.
    pub(super) fn work(&self) -> bool {
        self.change(|state| (state != GIVES_WAY).then_some(WORKED_ON))
    }
    pub(super) fn wait(&self) {
        let micros = u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(GIVES_WAY - 1);
        self.change(|state| (state != GIVES_WAY).then_some(micros));
    }
    fn change(&self, to: impl Fn(u64) -> Option<u64>) -> bool {
        self.waits_since.fetch_update(Relaxed, Relaxed, to).is_ok()
    }

    /// Counts an answer of so many bytes as unread until what is given is dropped. `None` where there is no
    /// room for it and it may be refused.
    pub(super) fn hold(
        self: &Arc<Self>,
        bytes: usize,
        limits: UnreadLimits,
        refusable: bool,
    ) -> Option<Unread> {
        let mut table = self.all.table();
        if !table.make_room(bytes, limits) && refusable {
            return None;
        }
        // It may have been closed meanwhile: then its answer goes with it.
        if let Some(entry) = table.open.get_mut(&self.id) {
            entry.unread.get_or_insert((0, Instant::now())).0 += bytes;
            table.unread += bytes;
        }
        Some(Unread(self.clone()))
    }
}

/// An answer that waits to be read, or is being read, until this is dropped.
pub(super) struct Unread(Arc<Connection>);

impl Drop for Unread {
    fn drop(&mut self) {
        let mut table = self.0.all.table();
        let unread = table.open.get_mut(&self.0.id).and_then(|entry| entry.unread.take());
        table.unread -= unread.map_or(0, |(bytes, _)| bytes);
    }
}
