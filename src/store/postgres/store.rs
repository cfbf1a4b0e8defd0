//! One account in a database, while this server runs it. Every write begins with the account's fence.

use super::connection::Param;
use super::error::PgError;
use super::lock;
use super::pool::{Fence, Fenced, Kind};
use super::{Inner, events, history};
use crate::ledger::VertexId;
use crate::rt::{self, BoxFuture, Instant};
use crate::store::{
    DeliveryRecord, EventFacts, EventLog, EventRecord, PushRecord, PushRecords, RecordError, ServerName,
    SinkRecord, Store, StoreError, TaskRecord, TaskRecords,
};
use crate::wallet::ChangeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// How long to try to write or withdraw a push record. If a commit had no answer, the next try finds out
/// whether it succeeded.
const RECORD_LIMIT: Duration = Duration::from_secs(5);
const RECORD_PAUSE: Duration = Duration::from_millis(200);

/// Shared by the wallets of an account. When it is dropped, others may take the account.
pub(super) struct PostgresStore {
    pub(super) stores: Arc<Inner>,
    pub(super) fence: Fence,
    pub(super) name: String,
    /// The result of [`Store::check`].
    tenure: Mutex<Result<(), StoreError>>,
    attempts: AtomicU32,
    /// Locked while changes are appended.
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

    pub(super) fn lose(&self) {
        *lock(&self.tenure) = Err(StoreError::Taken);
        self.stores.server.has_changed.notify_one();
    }

    /// Sets the other server that is to run the account, if any.
    pub(super) fn move_to(&self, server: Option<ServerName>) {
        let mut tenure = lock(&self.tenure);
        if *tenure != Err(StoreError::Taken) {
            *tenure = server.map_or(Ok(()), |server| Err(StoreError::RunsOn(server)));
        }
    }

    pub(super) fn fenced(&self) -> Fenced<'_> {
        Fenced { pool: &self.stores.pool, fence: self.fence }
    }

    async fn write(&self, kind: Kind, sql: &str, params: &[Param<'_>]) -> Result<(), PgError> {
        self.fenced().begin(kind).await?.commit_with(sql, params).await.map(drop)
    }

    fn said<T>(&self, answer: Result<T, PgError>) -> Result<T, StoreError> {
        answer.map_err(|error| self.failed(error))
    }

    pub(super) fn failed(&self, error: PgError) -> StoreError {
        if matches!(error, PgError::Taken) {
            self.lose();
        }
        self.stores.failed(error)
    }

    /// Greater than the numbers of all earlier writes of push records, here and on previous servers.
    fn next_attempt(&self) -> i64 {
        (self.fence.epoch << 32) | i64::from(self.attempts.fetch_add(1, Ordering::SeqCst))
    }

    /// Repeats a write for some time while its outcome is unclear.
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
            // A later refusal says nothing about an earlier try that had no answer.
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
        self.said(history::load(&self.stores.pool, self.account()).await)
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.append_with_events(changes, &EventFacts::default()).await
    }

    async fn append_with_events(&self, changes: &ChangeSet, facts: &EventFacts) -> Result<(), StoreError> {
        let _lock = self.appending.lock().await;
        let last = self.said(history::append(self.fenced(), changes, facts).await)?;
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
    /// Without a record nothing is pushed, so a server that was paused pushes nothing once another one has
    /// the account.
    fn records_each_push(&self) -> bool {
        true
    }

    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError> {
        let (fence, attempt) = (self.fence, self.next_attempt());
        self.surely(|| self.stores.records.write(fence, attempt, &records)).await
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        self.said(self.stores.records.read(self.account(), key).await)
    }

    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError> {
        self.said(self.stores.records.open(self.account()).await)
    }

    async fn settle(&self, keys: Vec<[u8; 32]>) -> Result<(), StoreError> {
        self.said(self.stores.records.settle(self.fence, self.next_attempt(), &keys).await)
    }

    async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError> {
        let (fence, attempt) = (self.fence, self.next_attempt());
        self.surely(|| self.stores.records.withdraw(fence, attempt, key)).await
    }
}

#[async_trait::async_trait]
impl TaskRecords for PostgresStore {
    /// Only the end of a task replaces its row: a first write that is delivered late must not undo its
    /// cancellation.
    async fn keep_task(&self, record: TaskRecord, is_open: bool) -> Result<(), StoreError> {
        let insert = "insert into task (account, id, record, is_open) values ($1, $2, $3, $4) \
                      on conflict (account, id) do update set record = excluded.record, is_open = excluded.is_open \
                      where not excluded.is_open";
        let (id, encoded) = (&record.id[..], record.encode());
        let params = [
            (&self.fence.account as _, Type::INT8),
            (&id as _, Type::BYTEA),
            (&encoded as _, Type::BYTEA),
            (&is_open as _, Type::BOOL),
        ];
        self.said(self.write(Kind::Durable, insert, &params).await)
    }

    async fn tasks(&self) -> Result<Vec<TaskRecord>, StoreError> {
        let task = |row: &Row| {
            let id = row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?;
            Ok(TaskRecord::decode(id, row.get(1))?)
        };
        let find = "select id, record from task where account = $1";
        let read = async {
            let params = [(&self.fence.account as _, Type::INT8)];
            let rows = self.stores.pool.begin_reading().await?.commit_with(find, &params).await?;
            rows.iter().map(task).collect()
        };
        self.said(read.await)
    }

    async fn forget_tasks(&self, ids: Vec<[u8; 16]>) -> Result<(), StoreError> {
        let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
        let params = [(&self.fence.account as _, Type::INT8), (&ids as _, Type::BYTEA_ARRAY)];
        let delete = "delete from task where account = $1 and id = any($2)";
        self.said(self.write(Kind::Writing, delete, &params).await)
    }
}

#[async_trait::async_trait]
impl EventLog for PostgresStore {
    fn watch(&self) -> watch::Receiver<i64> {
        self.last_event.subscribe()
    }

    async fn events_begun(&self) -> Result<Option<u32>, StoreError> {
        let log = self.said(events::log(&self.stores.pool, self.account()).await)?;
        Ok(log.begun.map(|tag| tag as u32))
    }

    async fn last_event(&self) -> Result<u64, StoreError> {
        let log = self.said(events::log(&self.stores.pool, self.account()).await)?;
        Ok(log.last as u64)
    }

    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError> {
        self.said(events::read(&self.stores.pool, self.account(), after, most).await)
    }

    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError> {
        self.said(events::unconfirmed(&self.stores.pool, self.account()).await)
    }

    async fn sink_or_new(&self, key: [u8; 16], from: u64) -> Result<SinkRecord, StoreError> {
        self.said(events::sink_or_new(self.fenced(), key, from).await)
    }

    async fn keep_sink(&self, sink: SinkRecord, delivery: Option<DeliveryRecord>) -> Result<(), StoreError> {
        self.said(events::keep_sink(self.fenced(), &sink, delivery.as_ref()).await)
    }

    async fn keep_delivery(
        &self,
        delivery: DeliveryRecord,
        state: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        self.said(events::keep_delivery(self.fenced(), &delivery, state.as_deref()).await)
    }

    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError> {
        self.said(events::sink(&self.stores.pool, self.account(), key).await)
    }

    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError> {
        self.said(events::delivery(&self.stores.pool, self.account(), key, seq).await)
    }

    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError> {
        self.said(events::deliveries(&self.stores.pool, self.account(), key).await)
    }
}
