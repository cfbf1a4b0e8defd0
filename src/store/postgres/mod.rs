//! Stores in a PostgreSQL database, for all wallets of a server: a row for each wallet, each vertex, each
//! record. No seed gets there but those that are sealed, and of API keys only their hashes.
//!
//! Change sets are merged into the rows as they are appended, so that there is each vertex once, with the
//! number of the change set that it last came with.

mod audit;
mod chores;
mod cluster;
mod connection;
mod documents;
mod error;
mod events;
mod followed;
mod freeing;
mod held;
mod history;
mod key_locks;
mod lease;
mod migrate;
mod news;
mod others;
mod pool;
mod push_records;
mod rounds;
mod servers;
mod shared;
mod spending;
mod started;
mod statement;
mod store;
mod tasks;
mod tls;
mod url;
mod whole;

pub use self::url::PostgresUrl;

use self::error::PgError;
use self::held::HeldId;
use self::pool::{ANSWER_LIMIT, Pool};
use self::servers::Server;
use self::store::PostgresStore;
use super::{
    AuditHead, AuditLog, ClusterHealth, Document, DocumentVersion, Documents, LeftWallet, ListenedTo,
    NamedStores, Owner, Spending, Started, StartedWallets, Store, StoreError, Stores, WholeSpending,
    WholeStore,
};
use crate::limits::{Assessment, Charge, Counted, PaymentId};
use crate::rt;
use crate::wallet::ChangeSet;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{OnceCell, OwnedMutexGuard};

/// The stores in a database. Nothing is asked of it before the first wallet is opened.
pub struct PostgresStores(Arc<Inner>);

struct Inner {
    pool: Pool,
    /// For what a send asks, which is mostly a message each: it must not wait behind a transaction of many.
    calls: Pool,
    is_set_up: OnceCell<()>,
    /// Held by who appends to a wallet: others who would wait for its row, over connections, wait here.
    appending: Mutex<HashMap<i64, Weak<tokio::sync::Mutex<()>>>>,
    /// This process, among those on the database.
    server: Arc<Server>,
    /// Up to where this process has seen the audit log.
    audited: Mutex<AuditHead>,
}

impl PostgresStores {
    /// Those in the database at `url`.
    pub fn new(url: PostgresUrl) -> Self {
        Self(Arc::new(Inner {
            calls: Pool::new(url.clone()),
            pool: Pool::new(url),
            is_set_up: OnceCell::new(),
            appending: Mutex::default(),
            server: Arc::default(),
            audited: Mutex::default(),
        }))
    }
}

impl Inner {
    /// The database, once its tables are as this program needs them.
    async fn set_up(&self) -> Result<&Pool, StoreError> {
        let set_up = self.is_set_up.get_or_try_init(|| migrate::migrate(&self.pool)).await;
        set_up.map(|()| &self.pool).map_err(|error| self.failed(error))
    }

    /// The turn to append to a wallet, among those of this process: several ids may be one wallet.
    async fn turn_to_append(&self, wallet: i64) -> Result<OwnedMutexGuard<()>, PgError> {
        let turns = {
            let mut all = self.appending.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|_, turns| turns.strong_count() > 0);
            let known = all.get(&wallet).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let new = Arc::default();
                all.insert(wallet, Arc::downgrade(&new));
                new
            })
        };
        let turn = rt::timeout(ANSWER_LIMIT, turns.lock_owned()).await;
        turn.map_err(|rt::Elapsed| PgError::Busy(ANSWER_LIMIT))
    }

    fn failed(&self, error: PgError) -> StoreError {
        error.at(self.pool.url().to_string())
    }
}

#[async_trait::async_trait]
impl Stores for PostgresStores {
    /// A history that turns out to be damaged is dropped: it is a copy of what the ledger says.
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let inner = &self.0;
        let store = self.store(&owner.name()).await?;
        let kept = match store.load().await {
            Err(damaged @ StoreError::Damaged { .. }) => {
                tracing::warn!("{damaged}: dropped; the history is loaded from the full node");
                history::forget(&inner.pool, store.wallet).await.map_err(|error| inner.failed(error))?;
                ChangeSet::default()
            }
            kept => kept?,
        };
        rounds::run(inner).map_err(|error| inner.failed(error))?;
        Ok((Arc::new(store), kept))
    }

    async fn open_pushes(&self, network: &str) -> Result<Option<Arc<dyn Store>>, StoreError> {
        let nobody = Owner { wallet: [0; 32], network: network.to_owned(), genesis: None };
        Ok(Some(self.open(&nobody).await?.0))
    }

    fn cluster_health(&self) -> Option<ClusterHealth> {
        Some(self.0.server.health())
    }

    async fn leave_cluster(&self) {
        self.0.server.leave().await;
    }

    fn started_wallets(&self) -> Option<&dyn StartedWallets> {
        Some(self)
    }

    fn documents(&self) -> Option<&dyn Documents> {
        Some(self)
    }

    fn spending(&self) -> Option<&dyn Spending> {
        Some(self)
    }

    fn audit_log(&self) -> Option<&dyn AuditLog> {
        Some(self)
    }
}

#[async_trait::async_trait]
impl AuditLog for PostgresStores {
    async fn append(&self, entry: Map<String, Value>) -> Result<AuditHead, StoreError> {
        let pool = self.0.set_up().await?;
        audit::append(pool, entry, &self.0.audited).await.map_err(|error| self.0.failed(error))
    }

    async fn head(&self) -> Result<AuditHead, StoreError> {
        let pool = self.0.set_up().await?;
        audit::head(pool).await.map_err(|error| self.0.failed(error))
    }

    async fn lines(&self, after: u64, most: usize) -> Result<Vec<String>, StoreError> {
        let pool = self.0.set_up().await?;
        audit::lines(pool, after, most).await.map_err(|error| self.0.failed(error))
    }

    async fn keep_lines(
        &self,
        before: AuditHead,
        lines: Vec<String>,
        head: AuditHead,
    ) -> Result<bool, StoreError> {
        let pool = self.0.set_up().await?;
        audit::keep_lines(pool, before, &lines, head).await.map_err(|error| self.0.failed(error))
    }
}

#[async_trait::async_trait]
impl Spending for PostgresStores {
    async fn count(&self, id: PaymentId, by: u64, assessment: &Assessment) -> Result<Counted, StoreError> {
        let pool = self.0.set_up().await?;
        spending::count(pool, by.cast_signed(), id, assessment).await.map_err(|error| self.0.failed(error))
    }

    async fn look(&self, id: PaymentId, assessment: &Assessment) -> Result<Counted, StoreError> {
        let pool = self.0.set_up().await?;
        spending::look(pool, id, assessment).await.map_err(|error| self.0.failed(error))
    }

    async fn take_back(&self, id: PaymentId, by: u64, charges: &[Charge]) -> Result<(), StoreError> {
        let pool = self.0.set_up().await?;
        let taken_back = spending::take_back(pool, by.cast_signed(), id, charges).await;
        taken_back.map_err(|error| {
            self.0.server.chores.take_back(by.cast_signed(), id, charges.to_vec());
            self.0.failed(error)
        })
    }
}

impl PostgresStores {
    async fn store(&self, name: &str) -> Result<PostgresStore, StoreError> {
        let pool = self.0.set_up().await?;
        let wallet = history::wallet_id(pool, name).await.map_err(|error| self.0.failed(error))?;
        Ok(PostgresStore::new(self.0.clone(), wallet))
    }
}

#[async_trait::async_trait]
impl NamedStores for PostgresStores {
    async fn names(&self) -> Result<Vec<String>, StoreError> {
        let pool = self.0.set_up().await?;
        history::names(pool).await.map_err(|error| self.0.failed(error))
    }

    async fn open_named(&self, name: &str) -> Result<(Arc<dyn WholeStore>, ChangeSet), StoreError> {
        let store = self.store(name).await?;
        let kept = store.load().await?;
        Ok((Arc::new(store), kept))
    }

    fn all_documents(&self) -> &dyn Documents {
        self
    }

    fn all_audit(&self) -> &dyn AuditLog {
        self
    }

    async fn spent(&self) -> Result<WholeSpending, StoreError> {
        let pool = self.0.set_up().await?;
        spending::all(pool).await.map_err(|error| self.0.failed(error))
    }

    async fn keep_spent(&self, spent: WholeSpending) -> Result<bool, StoreError> {
        let pool = self.0.set_up().await?;
        spending::keep(pool, &spent).await.map_err(|error| self.0.failed(error))
    }
}

#[async_trait::async_trait]
impl StartedWallets for PostgresStores {
    async fn keep_started(
        &self,
        network: &str,
        id: &str,
        request: &str,
        owner: &str,
    ) -> Result<Option<Started>, StoreError> {
        let pool = self.0.set_up().await?;
        let id = HeldId::new(network, id, owner);
        let kept = started::keep(pool, &self.0.server.lease, &id, request).await;
        kept.map_err(|error| self.0.failed(error))
    }

    async fn hold_id(&self, network: &str, id: &str, owner: &str) -> Result<bool, StoreError> {
        self.0.set_up().await?;
        let Server { held, lease, .. } = &*self.0.server;
        held.hold(&self.0.pool, lease, HeldId::new(network, id, owner))
            .await
            .map_err(|error| self.0.failed(error))
    }

    async fn let_id_go(&self, network: &str, id: &str) {
        let Server { held, lease, .. } = &*self.0.server;
        held.let_go(&self.0.pool, lease, HeldId::new(network, id, "")).await;
    }

    async fn started(&self, network: &str, id: &str) -> Result<Option<Started>, StoreError> {
        let pool = self.0.set_up().await?;
        started::find(pool, network, id).await.map_err(|error| self.0.failed(error))
    }

    async fn forget_started(&self, network: &str, id: &str, number: u64) -> Result<(), StoreError> {
        let pool = self.0.set_up().await?;
        started::forget(pool, network, id, number).await.map_err(|error| self.0.failed(error))
    }

    async fn runs_here(&self, number: u64, owner: &str) -> Result<bool, StoreError> {
        let pool = self.0.set_up().await?;
        let runs = started::run_here(pool, &self.0.server.lease, number, owner).await;
        runs.map_err(|error| self.0.failed(error))
    }

    async fn take_over(
        &self,
        network: &str,
        listened_to: &ListenedTo,
        but: &[u64],
        most: u32,
    ) -> Result<Vec<LeftWallet>, StoreError> {
        self.0.set_up().await?;
        let taken = started::take_over(&self.0, network, listened_to, but, most).await;
        taken.map_err(|error| self.0.failed(error))
    }

    async fn leave(&self, number: u64) -> Result<(), StoreError> {
        let pool = self.0.set_up().await?;
        let left = started::leave(pool, &self.0.server.lease, number).await;
        left.map_err(|error| self.0.failed(error))
    }

    async fn stopped_among(&self, numbers: &[u64]) -> Result<Vec<u64>, StoreError> {
        let pool = self.0.set_up().await?;
        started::stopped_among(pool, numbers).await.map_err(|error| self.0.failed(error))
    }
}

#[async_trait::async_trait]
impl Documents for PostgresStores {
    async fn read_document(&self, name: &'static str) -> Result<Option<Document>, StoreError> {
        let pool = self.0.set_up().await?;
        documents::read(pool, name).await.map_err(|error| self.0.failed(error))
    }

    async fn document_version(&self, name: &'static str) -> Result<Option<DocumentVersion>, StoreError> {
        let pool = self.0.set_up().await?;
        documents::version(pool, name).await.map_err(|error| self.0.failed(error))
    }

    async fn replace_document(
        &self,
        name: &'static str,
        before: Option<DocumentVersion>,
        text: &str,
    ) -> Result<bool, StoreError> {
        let pool = self.0.set_up().await?;
        let replaced = documents::replace(pool, name, before, text).await;
        replaced.map_err(|error| self.0.failed(error))
    }
}
