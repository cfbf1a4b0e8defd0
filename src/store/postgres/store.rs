//! One account in a database, for as long as this server runs it. Everything that is written begins with the
//! account's fence.

use super::error::PgError;
use super::lease::lock;
use super::pool::{Fence, Fenced};
use super::{Inner, events, history, tasks};
use crate::ledger::VertexId;
use crate::rt::{self, BoxFuture, Instant};
use crate::store::{
    DeliveryRecord, EventFacts, EventLog, EventRecord, PushRecord, PushRecords, ServerName, SinkRecord,
    Store, StoreError, TaskRecord, TaskRecords,
};
use crate::wallet::ChangeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// How long it is tried to record what is about to be pushed, and to take that back: where a commit had no
/// answer, the next try finds out whether it holds.
const RECORD_LIMIT: Duration = Duration::from_secs(5);
const RECORD_PAUSE: Duration = Duration::from_millis(200);

/// The wallets of an account share one. When it is dropped, others may take the account.
pub(super) struct PostgresStore {
    pub(super) stores: Arc<Inner>,
    pub(super) fence: Fence,
    pub(super) name: String,
    /// See [`Store::check`].
    tenure: Mutex<Result<(), StoreError>>,
    /// Counts writes of push records.
    attempts: AtomicU32,
    /// Held by who appends.
    appending: tokio::sync::Mutex<()>,
    last_event: watch::Sender<i64>,
}

impl PostgresStore {
    pub(super) fn new(stores: Arc<Inner>, fence: Fence, name: &str) -> Self {
        Self {
            stores,
            fence,
            name: name.to_owned(),
            tenure: Mutex::new(Ok(())),
            attempts: AtomicU32::new(0),
            appending: tokio::sync::Mutex::default(),
            last_event: watch::Sender::new(0),
        }
    }

    pub(super) fn account(&self) -> i64 {
        self.fence.account
    }

    /// Another server runs the account.
    pub(super) fn lose(&self) {
        *lock(&self.tenure) = Err(StoreError::Taken);
        self.stores.server.has_changed.notify_one();
    }

    /// Which other server is to run the account, if one is.
    pub(super) fn move_to(&self, server: Option<ServerName>) {
        let mut tenure = lock(&self.tenure);
        if *tenure != Err(StoreError::Taken) {
            *tenure = server.map_or(Ok(()), |server| Err(StoreError::RunsOn(server)));
        }
    }

    /// What writes to the account.
    pub(super) fn fenced(&self) -> Fenced<'_> {
        Fenced { pool: &self.stores.pool, fence: self.fence }
    }

    pub(super) fn failed(&self, error: PgError) -> StoreError {
        if matches!(error, PgError::Taken) {
            self.lose();
        }
        self.stores.failed(error)
    }

    /// Greater than those of all writes of push records that were begun before it, here or by whoever had the
    /// account.
    fn next_attempt(&self) -> i64 {
        (self.fence.epoch << 32) | i64::from(self.attempts.fetch_add(1, Ordering::SeqCst))
    }

    /// Writes what must be known to be written or not: tried again for some time where that is unclear.
    async fn surely<'a>(
        &self,
        write: impl Fn() -> BoxFuture<'a, Result<(), PgError>>,
    ) -> Result<(), StoreError> {
        let (began, mut unclear) = (Instant::now(), None);
        loop {
            let Err(error) = write().await else { return Ok(()) };
            let is_over = matches!(error, PgError::Taken) || began.elapsed() > RECORD_LIMIT;
            if matches!(error, PgError::Taken) {
                self.lose();
            }
            // A later refusal says nothing of an earlier try that had no answer.
            let error = unclear.take().filter(|_| !error.is_unclear()).unwrap_or(error);
            if is_over || !error.is_unclear() {
                return Err(self.failed(error));
            }
            unclear = Some(error);
            rt::sleep(RECORD_PAUSE).await;
        }
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.stores.server.closed(self.fence);
    }
}

#[async_trait::async_trait]
impl Store for PostgresStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        history::load(&self.stores.pool, self.account()).await.map_err(|error| self.failed(error))
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.append_telling(changes, &EventFacts::default()).await
    }

    async fn append_telling(&self, changes: &ChangeSet, facts: &EventFacts) -> Result<(), StoreError> {
        let _turn = self.appending.lock().await;
        let last =
            history::append(self.fenced(), changes, facts).await.map_err(|error| self.failed(error))?;
        if let Some(last) = last {
            self.last_event.send_replace(last);
        }
        Ok(())
    }

    fn check(&self) -> Result<(), StoreError> {
        lock(&self.tenure).clone()
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
impl PushRecords for PostgresStore {
    /// What is not recorded is not pushed: so a server that was paused pushes nothing once another one has
    /// the account.
    fn records_each_push(&self) -> bool {
        true
    }

    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError> {
        let (fence, attempt) = (self.fence, self.next_attempt());
        self.surely(|| self.stores.records.write(fence, attempt, &records)).await
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        let record = self.stores.records.read(self.account(), key).await;
        record.map_err(|error| self.failed(error))
    }

    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError> {
        let open = self.stores.records.open(self.account()).await;
        open.map_err(|error| self.failed(error))
    }

    async fn settle(&self, keys: Vec<[u8; 32]>) -> Result<(), StoreError> {
        let settled = self.stores.records.settle(self.fence, self.next_attempt(), &keys).await;
        settled.map_err(|error| self.failed(error))
    }

    async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError> {
        let (fence, attempt) = (self.fence, self.next_attempt());
        self.surely(|| self.stores.records.withdraw(fence, attempt, key)).await
    }
}

#[async_trait::async_trait]
impl TaskRecords for PostgresStore {
    async fn keep_task(&self, record: TaskRecord, is_open: bool) -> Result<(), StoreError> {
        self.surely(|| Box::pin(tasks::write(self.fenced(), &record, is_open))).await
    }

    async fn tasks(&self) -> Result<Vec<TaskRecord>, StoreError> {
        tasks::read(&self.stores.pool, self.account()).await.map_err(|error| self.failed(error))
    }

    async fn forget_tasks(&self, ids: Vec<[u8; 16]>) -> Result<(), StoreError> {
        tasks::forget(self.fenced(), &ids).await.map_err(|error| self.failed(error))
    }
}

#[async_trait::async_trait]
impl EventLog for PostgresStore {
    fn watch(&self) -> watch::Receiver<i64> {
        self.last_event.subscribe()
    }

    async fn events_begun(&self) -> Result<Option<u32>, StoreError> {
        let log = events::log(&self.stores.pool, self.account()).await;
        let begun = log.map_err(|error| self.failed(error))?.begun;
        Ok(begun.map(|tag| tag as u32))
    }

    async fn last_event(&self) -> Result<u64, StoreError> {
        let log = events::log(&self.stores.pool, self.account()).await;
        Ok(log.map_err(|error| self.failed(error))?.last as u64)
    }

    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError> {
        let events = events::read(&self.stores.pool, self.account(), after, most).await;
        events.map_err(|error| self.failed(error))
    }

    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError> {
        let unconfirmed = events::unconfirmed(&self.stores.pool, self.account()).await;
        unconfirmed.map_err(|error| self.failed(error))
    }

    async fn sink_or_new(&self, key: [u8; 16], from: u64) -> Result<SinkRecord, StoreError> {
        events::sink_or_new(self.fenced(), key, from).await.map_err(|error| self.failed(error))
    }

    async fn keep_sink(&self, sink: SinkRecord, delivery: Option<DeliveryRecord>) -> Result<(), StoreError> {
        let kept = events::keep_sink(self.fenced(), &sink, delivery.as_ref()).await;
        kept.map_err(|error| self.failed(error))
    }

    async fn keep_delivery(
        &self,
        delivery: DeliveryRecord,
        state: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let kept = events::keep_delivery(self.fenced(), &delivery, state.as_deref()).await;
        kept.map_err(|error| self.failed(error))
    }

    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError> {
        events::sink(&self.stores.pool, self.account(), key).await.map_err(|error| self.failed(error))
    }

    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError> {
        let delivery = events::delivery(&self.stores.pool, self.account(), key, seq).await;
        delivery.map_err(|error| self.failed(error))
    }

    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError> {
        let deliveries = events::deliveries(&self.stores.pool, self.account(), key).await;
        deliveries.map_err(|error| self.failed(error))
    }
}
