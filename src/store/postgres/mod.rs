//! Stores in a PostgreSQL database, for all wallets of a server: a row for each wallet, each vertex, each
//! record. No seed and no key gets there.
//!
//! Change sets are merged into the rows as they are appended, so that there is each vertex once, with the
//! number of the change set that it last came with.

mod cluster;
mod error;
mod events;
mod history;
mod migrate;
mod pool;
mod push_records;
mod servers;
mod shared;
mod tasks;
mod tls;
mod url;

pub use self::url::PostgresUrl;

use self::error::PgError;
use self::pool::Pool;
use self::servers::{Followed, Server};
use self::shared::SharedWallet;
use super::{
    Cluster, DeliveryRecord, EventFacts, EventLog, EventRecord, Owner, PushRecord, PushRecords, SinkRecord,
    Store, StoreError, Stores, TaskRecord, TaskRecords,
};
use crate::ledger::VertexId;
use crate::wallet::ChangeSet;
use std::sync::{Arc, OnceLock};
use tokio::sync::{OnceCell, watch};

/// The stores in a database. Nothing is asked of it before the first wallet is opened.
pub struct PostgresStores(Arc<Inner>);

struct Inner {
    pool: Pool,
    is_set_up: OnceCell<()>,
    /// This process, among those on the database.
    server: Arc<Server>,
}

impl PostgresStores {
    /// Those in the database at `url`.
    pub fn new(url: PostgresUrl) -> Self {
        Self(Arc::new(Inner { pool: Pool::new(url), is_set_up: OnceCell::new(), server: Arc::default() }))
    }
}

impl Inner {
    fn failed(&self, error: PgError) -> StoreError {
        error.at(self.pool.url().to_string())
    }
}

#[async_trait::async_trait]
impl Stores for PostgresStores {
    /// A history that turns out to be damaged is dropped: it is a copy of what the ledger says.
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let inner = &self.0;
        inner
            .is_set_up
            .get_or_try_init(|| migrate::migrate(&inner.pool))
            .await
            .map_err(|error| inner.failed(error))?;
        let wallet = history::wallet_id(&inner.pool, &owner.name()).await;
        let wallet = wallet.map_err(|error| inner.failed(error))?;
        let store = PostgresStore { stores: inner.clone(), wallet, followed: OnceLock::new() };
        let kept = match store.load().await {
            Err(damaged @ StoreError::Damaged { .. }) => {
                tracing::warn!("{damaged}: dropped; the history is loaded from the full node");
                history::forget(&inner.pool, wallet).await.map_err(|error| inner.failed(error))?;
                ChangeSet::default()
            }
            kept => kept?,
        };
        Ok((Arc::new(store), kept))
    }
}

/// One wallet in a database.
struct PostgresStore {
    stores: Arc<Inner>,
    wallet: i64,
    /// Once somebody waits for events.
    followed: OnceLock<Arc<Followed>>,
}

#[async_trait::async_trait]
impl Store for PostgresStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        history::load(&self.stores.pool, self.wallet).await.map_err(|error| self.stores.failed(error))
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.append_telling(changes, &EventFacts::default()).await
    }

    async fn append_telling(&self, changes: &ChangeSet, facts: &EventFacts) -> Result<(), StoreError> {
        let appended = history::append(&self.stores.pool, self.wallet, changes, facts).await;
        if appended.map_err(|error| self.stores.failed(error))? {
            self.stores.server.look_now();
        }
        Ok(())
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

    fn cluster(&self) -> Option<Arc<dyn Cluster>> {
        Some(Arc::new(SharedWallet::new(self.stores.clone(), self.wallet)))
    }
}

#[async_trait::async_trait]
impl PushRecords for PostgresStore {
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError> {
        let kept = push_records::write(&self.stores.pool, self.wallet, &records).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        let record = push_records::read(&self.stores.pool, self.wallet, key).await;
        record.map_err(|error| self.stores.failed(error))
    }
}

#[async_trait::async_trait]
impl TaskRecords for PostgresStore {
    async fn keep_task(&self, record: TaskRecord, is_open: bool) -> Result<(), StoreError> {
        let kept = tasks::write(&self.stores.pool, self.wallet, &record, is_open).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn tasks(&self) -> Result<Vec<TaskRecord>, StoreError> {
        let tasks = tasks::read(&self.stores.pool, self.wallet, false).await;
        tasks.map_err(|error| self.stores.failed(error))
    }

    async fn forget_tasks(&self, ids: Vec<[u8; 16]>) -> Result<(), StoreError> {
        let forgotten = tasks::forget(&self.stores.pool, self.wallet, &ids).await;
        forgotten.map_err(|error| self.stores.failed(error))
    }

    fn are_shared(&self) -> bool {
        true
    }

    async fn open_tasks(&self) -> Result<Vec<TaskRecord>, StoreError> {
        let tasks = tasks::read(&self.stores.pool, self.wallet, true).await;
        tasks.map_err(|error| self.stores.failed(error))
    }

    async fn claim_task(&self, id: [u8; 16]) -> Result<bool, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        let claimed = tasks::claim(pool, &server.lease, self.wallet, id).await;
        claimed.map_err(|error| self.stores.failed(error))
    }

    async fn withdraw_task(&self, record: TaskRecord) -> Result<bool, StoreError> {
        let withdrawn = tasks::withdraw(&self.stores.pool, self.wallet, &record).await;
        withdrawn.map_err(|error| self.stores.failed(error))
    }
}

#[async_trait::async_trait]
impl EventLog for PostgresStore {
    fn watch(&self) -> watch::Receiver<i64> {
        let follow = || {
            servers::run(&self.stores);
            self.stores.server.follow(self.wallet)
        };
        self.followed.get_or_init(follow).news.subscribe()
    }

    fn are_events_shared(&self) -> bool {
        true
    }

    async fn events_begun(&self) -> Result<Option<u32>, StoreError> {
        let log = events::log(&self.stores.pool, self.wallet).await;
        let begun = log.map_err(|error| self.stores.failed(error))?.begun;
        Ok(begun.map(|tag| tag as u32))
    }

    async fn last_event(&self) -> Result<u64, StoreError> {
        let log = events::log(&self.stores.pool, self.wallet).await;
        Ok(log.map_err(|error| self.stores.failed(error))?.last as u64)
    }

    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError> {
        let events = events::read(&self.stores.pool, self.wallet, after, most).await;
        events.map_err(|error| self.stores.failed(error))
    }

    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError> {
        let unconfirmed = events::unconfirmed(&self.stores.pool, self.wallet).await;
        unconfirmed.map_err(|error| self.stores.failed(error))
    }

    async fn claim_sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        let claimed = events::claim_sink(pool, &server.lease, self.wallet, key).await;
        claimed.map_err(|error| self.stores.failed(error))
    }

    async fn keep_sink(
        &self,
        sink: SinkRecord,
        delivery: Option<DeliveryRecord>,
    ) -> Result<bool, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        let kept = events::write_sink(pool, &server.lease, self.wallet, &sink, delivery.as_ref()).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn keep_delivery(
        &self,
        delivery: DeliveryRecord,
        state: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let pool = &self.stores.pool;
        let kept = events::keep_delivery(pool, self.wallet, &delivery, state.as_deref()).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError> {
        let sink = events::sink(&self.stores.pool, self.wallet, key).await;
        sink.map_err(|error| self.stores.failed(error))
    }

    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError> {
        let delivery = events::delivery(&self.stores.pool, self.wallet, key, seq).await;
        delivery.map_err(|error| self.stores.failed(error))
    }

    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError> {
        let deliveries = events::deliveries(&self.stores.pool, self.wallet, key).await;
        deliveries.map_err(|error| self.stores.failed(error))
    }
}
