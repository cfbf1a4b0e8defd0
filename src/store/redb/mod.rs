//! A store in one file: a redb database, whose commits are atomic and survive a crash at any byte.
//!
//! Change sets are merged into the file, so that it has each vertex once and does not grow with use. Other
//! processes are locked out while it is open.

mod error;
mod events;
mod layout;
mod push_records;
mod tables;
mod tasks;
#[cfg(test)]
mod tests;

use self::error::RedbError;
use self::tables::Records;
use super::{
    DeliveryRecord, EventFacts, EventLog, EventRecord, PushRecord, PushRecords, RecordError, SinkRecord,
    Store, StoreError, TaskRecord, TaskRecords, WholeEventLog, WholeStore,
};
use crate::ledger::VertexId;
use crate::trusted_file::{open_or_create, open_to_write};
use crate::wallet::ChangeSet;
use redb::{Builder, Database, DatabaseError, Durability};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Small, because the file is read once and then only written to, and a process may have a thousand files
/// open.
const CACHE_BYTES: usize = 256 * 1024;
/// Files below this size are not compacted.
const COMPACT_FROM_BYTES: u64 = 4 * 1024 * 1024;
/// A file is compacted when no more than one in this many of its bytes is used.
const COMPACT_USED_SHARE: u64 = 3;
/// How often to try a file that an ending process still has open.
const TAKEOVER_TRIES: u32 = 20;
const TAKEOVER_PAUSE: Duration = Duration::from_millis(50);

type Opener = Box<dyn Fn() -> Result<Database, DatabaseError> + Send + Sync>;

/// A store in a file. Open in one place at a time; closed when dropped.
pub struct RedbStore(Arc<Inner>);

struct Inner {
    place: String,
    owner: Option<String>,
    opener: Opener,
    /// `None` before the first use, and after a failure: redb recovers only by opening the file again.
    database: Mutex<Option<Database>>,
    last_event: watch::Sender<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes of the file.
    pub before: u64,
    pub after: u64,
}

impl RedbStore {
    /// Opens the store of `owner` (see [`Owner::name`](super::Owner::name)) in the file at `path`. Makes the
    /// file if there is none, and compacts it if most of it is unused. Blocks.
    ///
    /// # Errors
    /// [`StoreError::InUse`], [`StoreError::Newer`], [`StoreError::Failed`] if the file can't be read or
    /// written, and [`StoreError::Damaged`] for a file that is damaged, no store, or another owner's.
    pub fn open(path: &Path, owner: &str) -> Result<Self, StoreError> {
        let store = Self::at(path, Some(owner), true);
        store.0.with(|database| {
            if worthwhile(path, database)? {
                database.compact()?;
            }
            Ok(())
        })?;
        Ok(store)
    }

    /// Opens the store in an existing file, whatever its owner. Blocks.
    ///
    /// # Errors
    /// As [`RedbStore::open`], and [`StoreError::Failed`] if there is no file.
    pub fn open_any(path: &Path) -> Result<Self, StoreError> {
        let store = Self::at(path, None, false);
        store.0.with(|_| Ok(()))?;
        Ok(store)
    }

    fn at(path: &Path, owner: Option<&str>, create: bool) -> Self {
        let file = PathBuf::from(path);
        let opener = move || {
            let mut builder = Builder::new();
            builder.set_cache_size(CACHE_BYTES);
            if create {
                builder.create_file(open_or_create(&file)?)
            } else {
                // redb can't open an existing file without turning an empty one into a database.
                open_to_write(&file)?;
                builder.open(&file)
            }
        };
        Self::over(path.display().to_string(), owner, Box::new(opener))
    }

    fn over(place: String, owner: Option<&str>, opener: Opener) -> Self {
        let owner = owner.map(str::to_owned);
        let (database, last_event) = (Mutex::new(None), watch::Sender::new(0));
        Self(Arc::new(Inner { place, owner, opener, database, last_event }))
    }

    /// Blocks.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the file names no owner.
    pub fn owner(&self) -> Result<String, StoreError> {
        self.0.with(|database| tables::owner(database))
    }

    /// Reads and verifies every record, as [`Store::load`]. Blocks.
    ///
    /// # Errors
    /// [`StoreError::Newer`] or [`StoreError::Damaged`] for the first record that can't be read.
    pub fn read(&self) -> Result<ChangeSet, StoreError> {
        self.0.with(|database| tables::read(database))
    }

    /// As [`Store::append`]. Blocks.
    ///
    /// # Errors
    /// [`StoreError`]: all of `changes` is in the file or nothing of it.
    pub fn write(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.write_records(&Records::of(changes), &EventFacts::default())
    }

    fn write_records(&self, records: &Records, facts: &EventFacts) -> Result<(), StoreError> {
        let last = self.0.with(|database| tables::write(database, records, facts))?;
        if let Some(last) = last {
            self.0.last_event.send_replace(i64::try_from(last).unwrap_or(i64::MAX));
        }
        Ok(())
    }

    /// As [`PushRecords::push_record`]. Blocks.
    pub fn read_push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        self.0.with(|database| push_records::read(database, key))
    }

    /// As [`PushRecords::keep_push_records`]. Blocks.
    ///
    /// # Errors
    /// [`StoreError`]: all of `records` are in the file or none.
    pub fn write_push_records(&self, records: &[PushRecord]) -> Result<(), StoreError> {
        self.0.with(|database| push_records::write(database, records))
    }

    /// Reads and verifies everything, including the file's own structure. Returns the history. Blocks.
    pub fn check(&self) -> Result<ChangeSet, StoreError> {
        self.0.with(|database| {
            if !database.check_integrity()? {
                return Err(RedbError::Record(RecordError::Damaged));
            }
            push_records::all(database)?;
            events::check(database)?;
            tasks::read(database).map(drop)
        })?;
        self.read()
    }

    /// Makes the file at `path` as small as possible. Blocks.
    pub fn compact(path: &Path) -> Result<Compacted, StoreError> {
        let store = Self::open_any(path)?;
        let size = || {
            std::fs::metadata(path)
                .map(|file| file.len())
                .map_err(|error| RedbError::Redb(error.into()).at(&store.0.place))
        };
        let before = size()?;
        store.0.with(|database| Ok(database.compact().map(drop)?))?;
        *store.0.database.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(Compacted { before, after: size()? })
    }
}

#[async_trait::async_trait]
impl Store for RedbStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        let store = Self(self.0.clone());
        blocking(&self.0.place, move || store.read()).await
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.append_with_events(changes, &EventFacts::default()).await
    }

    async fn append_with_events(&self, changes: &ChangeSet, facts: &EventFacts) -> Result<(), StoreError> {
        let (store, records, facts) = (Self(self.0.clone()), Records::of(changes), facts.clone());
        blocking(&self.0.place, move || store.write_records(&records, &facts)).await
    }

    fn event_log(&self) -> Option<&dyn EventLog> {
        Some(self)
    }

    fn push_records(&self) -> Option<&dyn PushRecords> {
        Some(self)
    }

    fn task_records(&self) -> Option<&dyn TaskRecords> {
        Some(self)
    }
}

#[async_trait::async_trait]
impl PushRecords for RedbStore {
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError> {
        let store = Self(self.0.clone());
        blocking(&self.0.place, move || store.write_push_records(&records)).await
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        let store = Self(self.0.clone());
        blocking(&self.0.place, move || store.read_push_record(key)).await
    }

    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError> {
        let mut all = self.all_push_records().await?;
        all.retain(|record| record.is_open);
        Ok(all)
    }

    async fn settle(&self, keys: Vec<[u8; 32]>) -> Result<(), StoreError> {
        self.with(move |database| push_records::settle(database, &keys, Durability::None)).await
    }

    async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError> {
        self.with(move |database| push_records::settle(database, &[key], Durability::Immediate)).await
    }
}

#[async_trait::async_trait]
impl WholeStore for RedbStore {
    async fn all_push_records(&self) -> Result<Vec<PushRecord>, StoreError> {
        self.with(|database| push_records::all(database)).await
    }

    async fn whole_event_log(&self) -> Result<WholeEventLog, StoreError> {
        self.with(|database| events::whole(database)).await
    }

    async fn keep_event_log(&self, log: WholeEventLog) -> Result<(), StoreError> {
        self.with(move |database| events::write_whole(database, &log)).await
    }
}

#[async_trait::async_trait]
impl TaskRecords for RedbStore {
    async fn keep_task(&self, record: TaskRecord, _is_open: bool) -> Result<(), StoreError> {
        self.with(move |database| tasks::write(database, &record)).await
    }

    async fn tasks(&self) -> Result<Vec<TaskRecord>, StoreError> {
        self.with(|database| tasks::read(database)).await
    }

    async fn forget_tasks(&self, ids: Vec<[u8; 16]>) -> Result<(), StoreError> {
        self.with(move |database| tasks::forget(database, &ids)).await
    }
}

#[async_trait::async_trait]
impl EventLog for RedbStore {
    fn watch(&self) -> watch::Receiver<i64> {
        self.0.last_event.subscribe()
    }

    async fn events_begun(&self) -> Result<Option<u32>, StoreError> {
        self.with(|database| events::begun(database)).await
    }

    async fn last_event(&self) -> Result<u64, StoreError> {
        self.with(|database| events::last(database)).await
    }

    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError> {
        self.with(move |database| events::read(database, after, most)).await
    }

    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError> {
        self.with(|database| events::unconfirmed(database)).await
    }

    async fn sink_or_new(&self, key: [u8; 16], from: u64) -> Result<SinkRecord, StoreError> {
        self.with(move |database| events::sink_or_new(database, key, from)).await
    }

    async fn keep_sink(&self, sink: SinkRecord, delivery: Option<DeliveryRecord>) -> Result<(), StoreError> {
        self.with(move |database| events::write_sink(database, &sink, delivery.as_ref())).await
    }

    async fn keep_delivery(
        &self,
        delivery: DeliveryRecord,
        state: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        self.with(move |database| events::write_delivery(database, &delivery, state.as_deref())).await
    }

    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError> {
        self.with(move |database| events::sink(database, key)).await
    }

    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError> {
        self.with(move |database| events::delivery(database, key, seq)).await
    }

    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError> {
        self.with(move |database| events::deliveries(database, key)).await
    }
}

impl RedbStore {
    /// Works with the database on a thread for blocking work.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, RedbError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = Self(self.0.clone());
        blocking(&self.0.place, move || store.0.with(work)).await
    }
}

pub(super) async fn blocking<T: Send + 'static>(
    place: &str,
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|failure| {
        Err(StoreError::Damaged { place: place.to_owned(), what: format!("reading it broke off: {failure}") })
    })
}

impl Inner {
    /// Works with the database, and opens it if need be. A failure closes it, so that the next use opens it
    /// again.
    fn with<T>(&self, work: impl FnOnce(&mut Database) -> Result<T, RedbError>) -> Result<T, StoreError> {
        let mut slot = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = slot.take();
        let work = || {
            let mut database = opened.map_or_else(|| self.open(), Ok)?;
            let result = work(&mut database).map_err(|error| error.at(&self.place))?;
            Ok((database, result))
        };
        // redb panics on some damaged files.
        let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(self.unreadable()));
        done.map(|(database, result)| {
            *slot = Some(database);
            result
        })
    }

    fn unreadable(&self) -> StoreError {
        StoreError::Damaged { place: self.place.clone(), what: "it is damaged: it can't be read".to_owned() }
    }

    fn open(&self) -> Result<Database, StoreError> {
        let mut tries = 1;
        let database = loop {
            match (self.opener)() {
                Err(DatabaseError::DatabaseAlreadyOpen) if tries < TAKEOVER_TRIES => {
                    tries += 1;
                    std::thread::sleep(TAKEOVER_PAUSE);
                }
                opened => break opened.map_err(|error| RedbError::from(error).at(&self.place))?,
            }
        };
        tables::prepare(&database, self.owner.as_deref()).map_err(|error| error.at(&self.place))?;
        Ok(database)
    }
}

fn worthwhile(path: &Path, database: &Database) -> Result<bool, RedbError> {
    let size = std::fs::metadata(path).map_err(DatabaseError::from)?.len();
    if size < COMPACT_FROM_BYTES {
        return Ok(false);
    }
    let stats = database.begin_write()?.stats()?;
    let used = stats.stored_bytes().saturating_add(stats.metadata_bytes());
    Ok(used.saturating_mul(COMPACT_USED_SHARE) <= size)
}
