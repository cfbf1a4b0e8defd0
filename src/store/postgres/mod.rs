//! Stores in a PostgreSQL database, for all wallets of a server: a row for each wallet, each vertex, each
//! record. No seed gets there but those that are sealed, and of API keys only their hashes.
//!
//! Change sets are merged into the rows as they are appended, so that there is each vertex once, with the
//! number of the change set that it last came with.

mod audit;
mod cluster;
mod documents;
mod error;
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
use self::servers::Server;
use self::shared::SharedWallet;
use super::{
    AuditHead, AuditLog, Cluster, Document, DocumentVersion, Documents, Owner, PushRecord, PushRecords,
    Store, StoreError, Stores, TaskRecord, TaskRecords,
};
use crate::wallet::ChangeSet;
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio::sync::OnceCell;

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

    /// Sets the tables up, once.
    async fn set_up(&self) -> Result<(), StoreError> {
        let set_up = self.is_set_up.get_or_try_init(|| migrate::migrate(&self.pool)).await;
        set_up.map(drop).map_err(|error| self.failed(error))
    }
}

#[async_trait::async_trait]
impl Stores for PostgresStores {
    /// A history that turns out to be damaged is dropped: it is a copy of what the ledger says.
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let inner = &self.0;
        inner.set_up().await?;
        let wallet = history::wallet_id(&inner.pool, &owner.name()).await;
        let wallet = wallet.map_err(|error| inner.failed(error))?;
        let store = PostgresStore { stores: inner.clone(), wallet };
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

    fn documents(&self) -> Option<&dyn Documents> {
        Some(self)
    }

    fn audit_log(&self) -> Option<&dyn AuditLog> {
        Some(self)
    }
}

#[async_trait::async_trait]
impl AuditLog for PostgresStores {
    async fn append(&self, entry: Map<String, Value>) -> Result<AuditHead, StoreError> {
        self.0.set_up().await?;
        audit::append(&self.0.pool, entry).await.map_err(|error| self.0.failed(error))
    }

    async fn head(&self) -> Result<AuditHead, StoreError> {
        self.0.set_up().await?;
        audit::head(&self.0.pool).await.map_err(|error| self.0.failed(error))
    }

    async fn lines(&self, after: u64, most: usize) -> Result<Vec<String>, StoreError> {
        self.0.set_up().await?;
        audit::lines(&self.0.pool, after, most).await.map_err(|error| self.0.failed(error))
    }
}

#[async_trait::async_trait]
impl Documents for PostgresStores {
    async fn read_document(&self, name: &'static str) -> Result<Option<Document>, StoreError> {
        self.0.set_up().await?;
        documents::read(&self.0.pool, name).await.map_err(|error| self.0.failed(error))
    }

    async fn document_version(&self, name: &'static str) -> Result<Option<DocumentVersion>, StoreError> {
        self.0.set_up().await?;
        documents::version(&self.0.pool, name).await.map_err(|error| self.0.failed(error))
    }

    async fn replace_document(
        &self,
        name: &'static str,
        before: Option<DocumentVersion>,
        text: &str,
    ) -> Result<bool, StoreError> {
        self.0.set_up().await?;
        let replaced = documents::replace(&self.0.pool, name, before, text).await;
        replaced.map_err(|error| self.0.failed(error))
    }
}

/// One wallet in a database.
struct PostgresStore {
    stores: Arc<Inner>,
    wallet: i64,
}

#[async_trait::async_trait]
impl Store for PostgresStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        history::load(&self.stores.pool, self.wallet).await.map_err(|error| self.stores.failed(error))
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        let appended = history::append(&self.stores.pool, self.wallet, changes).await;
        appended.map_err(|error| self.stores.failed(error))
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
