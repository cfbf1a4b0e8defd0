//! Stores in a PostgreSQL database, for all wallets of a server: a row for each wallet, vertex and record. No
//! seed phrase is stored unless it is sealed, and API keys only as hashes.
//!
//! Change sets are merged into the rows, so that each vertex is stored once, with the number of the change
//! set that wrote it last.

mod account;
mod audit;
mod connection;
mod documents;
mod error;
mod events;
mod history;
mod lease;
mod pool;
mod push_records;
mod schema;
#[cfg(test)]
pub(crate) mod simulated;
mod spending;
mod started;
mod store;
mod tls;
mod url;
mod whole;

pub use self::url::PostgresUrl;

use self::account::LeaseTable;
use self::error::PgError;
use self::lease::Server;
use self::pool::{Fence, Pool};
use self::push_records::Records;
use self::store::PostgresStore;
use super::{
    AccountState, Accounts, AuditHead, AuditLog, Document, DocumentVersion, Documents, Lease, LeaseHealth,
    LeftWallet, ListenedTo, LiveServer, NamedStores, Owner, ServerName, Spending, Started, StartedWallets,
    Store, StoreError, Stores, WholeSpending, WholeStore,
};
use crate::limits::{Assessment, Charge, Counted, PaymentId};
use crate::wallet::ChangeSet;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// The stores in a database, which is first used when a wallet is opened.
pub struct PostgresStores(Arc<Inner>);

struct Inner {
    pool: Arc<Pool>,
    accounts: Arc<dyn LeaseTable>,
    /// With connections of its own: the short queries of sends must not wait behind long transactions.
    records: Arc<dyn Records>,
    is_set_up: OnceCell<()>,
    server: Arc<Server>,
    /// The head of the audit log when this process read it last.
    audited: Mutex<AuditHead>,
}

impl PostgresStores {
    pub fn new(url: PostgresUrl) -> Self {
        let pool = Arc::new(Pool::new(url.clone()));
        Self(Arc::new(Inner {
            accounts: pool.clone(),
            records: Arc::new(Pool::new(url)),
            pool,
            is_set_up: OnceCell::new(),
            server: Arc::default(),
            audited: Mutex::default(),
        }))
    }
}

impl Inner {
    /// Makes the tables, once per process.
    async fn set_up(&self) -> Result<(), StoreError> {
        let set_up = self.is_set_up.get_or_try_init(|| schema::set_up(&self.pool)).await;
        set_up.copied().map_err(|error| self.failed(error))
    }

    /// Awaits a query, once the tables are there.
    async fn ask<T>(&self, asked: impl Future<Output = Result<T, PgError>>) -> Result<T, StoreError> {
        self.set_up().await?;
        asked.await.map_err(|error| self.failed(error))
    }

    fn fence_of(&self, account: &str) -> Result<Fence, StoreError> {
        self.server.fence_of(account).ok_or(StoreError::Taken)
    }

    fn failed(&self, error: PgError) -> StoreError {
        error.at(self.pool.url().to_string())
    }
}

#[async_trait::async_trait]
impl Stores for PostgresStores {
    /// Takes the account. A damaged history is dropped: it is a copy of the ledger.
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let store = self.store(&owner.name()).await?;
        let kept = match store.load().await {
            Err(damaged @ StoreError::Damaged { .. }) => {
                tracing::warn!("{damaged}: dropped; the history is loaded from the full node");
                history::forget(store.fenced()).await.map_err(|error| store.failed(error))?;
                ChangeSet::default()
            }
            kept => kept?,
        };
        Ok((store, kept))
    }

    async fn pushes_without_wallet(&self, network: &str) -> Result<Option<Arc<dyn Store>>, StoreError> {
        let nobody = Owner { wallet: [0; 32], network: network.to_owned(), genesis: None };
        Ok(Some(self.store(&nobody.name()).await?))
    }

    fn lease(&self) -> Option<&dyn Lease> {
        Some(self)
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
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
impl Lease for PostgresStores {
    fn reached_at(&self, url: &str) {
        self.0.server.reached_at(url);
    }

    async fn join(&self) -> Result<(), StoreError> {
        self.0.ask(self.0.server.id(&self.0)).await.map(drop)
    }

    fn database_time(&self) -> Option<u64> {
        self.0.server.database_time()
    }

    async fn is_live(&self, server: u64) -> Result<bool, StoreError> {
        account::is_live(&self.0.pool, server.cast_signed()).await.map_err(|error| self.0.failed(error))
    }

    fn server(&self) -> Option<ServerName> {
        self.0.server.name()
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.0.server.is_valid() {
            return Ok(());
        }
        Err(self.0.server.problem().unwrap_or_else(|| self.0.failed(PgError::LeaseEnded)))
    }

    fn health(&self) -> LeaseHealth {
        self.0.server.health()
    }

    async fn changed(&self) {
        self.0.server.has_changed.notified().await;
    }

    async fn released(&self, account: &str) {
        self.0.server.released(account).await;
    }

    async fn will_leave(&self) {
        self.0.server.will_leave(&*self.0.accounts).await;
    }

    async fn leave(&self) {
        self.0.server.leave().await;
    }
}

#[async_trait::async_trait]
impl Accounts for PostgresStores {
    async fn all(&self) -> Result<(Vec<AccountState>, Vec<LiveServer>), StoreError> {
        self.0.ask(account::all(&self.0.pool)).await
    }

    async fn move_to(&self, account: &AccountState, server: u64) -> Result<bool, StoreError> {
        self.0.ask(account::move_to(&self.0.pool, account, server)).await
    }
}

#[async_trait::async_trait]
impl AuditLog for PostgresStores {
    async fn append(&self, entry: Map<String, Value>) -> Result<AuditHead, StoreError> {
        self.0.ask(audit::append(&self.0.pool, entry, &self.0.audited)).await
    }

    async fn head(&self) -> Result<AuditHead, StoreError> {
        self.0.ask(audit::head(&self.0.pool)).await
    }

    async fn lines(&self, after: u64, most: usize) -> Result<Vec<String>, StoreError> {
        self.0.ask(audit::lines(&self.0.pool, after, most)).await
    }

    async fn keep_lines(
        &self,
        before: AuditHead,
        lines: Vec<String>,
        head: AuditHead,
    ) -> Result<bool, StoreError> {
        self.0.ask(audit::keep_lines(&self.0.pool, before, &lines, head)).await
    }
}

#[async_trait::async_trait]
impl Spending for PostgresStores {
    async fn count(
        &self,
        account: &str,
        id: PaymentId,
        by: u64,
        assessment: &Assessment,
    ) -> Result<Counted, StoreError> {
        let fence = self.0.fence_of(account)?;
        self.0.ask(spending::count(&self.0.pool, fence, by.cast_signed(), id, assessment)).await
    }

    async fn look(&self, id: PaymentId, assessment: &Assessment) -> Result<Counted, StoreError> {
        self.0.ask(spending::look(&self.0.pool, id, assessment)).await
    }

    async fn take_back(&self, id: PaymentId, by: u64, charges: &[Charge]) -> Result<(), StoreError> {
        self.0.set_up().await?;
        let taken_back = spending::take_back(&self.0.pool, by.cast_signed(), id, charges).await;
        taken_back.map_err(|error| {
            self.0.server.take_back(by.cast_signed(), id, charges.to_vec());
            self.0.failed(error)
        })
    }
}

impl PostgresStores {
    async fn store(&self, name: &str) -> Result<Arc<PostgresStore>, StoreError> {
        let account = self.0.ask(self.0.accounts.account(name)).await?;
        self.0.ask(self.0.server.open(&self.0, account, name)).await
    }
}

#[async_trait::async_trait]
impl NamedStores for PostgresStores {
    async fn names(&self) -> Result<Vec<String>, StoreError> {
        self.0.ask(account::names(&self.0.pool)).await
    }

    async fn open_named(&self, name: &str) -> Result<(Arc<dyn WholeStore>, ChangeSet), StoreError> {
        let store = self.store(name).await?;
        let kept = store.load().await?;
        Ok((store, kept))
    }

    async fn leave_all(&self) {
        self.0.server.leave().await;
    }

    fn all_documents(&self) -> &dyn Documents {
        self
    }

    fn all_audit(&self) -> &dyn AuditLog {
        self
    }

    async fn spent(&self) -> Result<WholeSpending, StoreError> {
        self.0.ask(spending::all(&self.0.pool)).await
    }

    async fn keep_spent(&self, spent: WholeSpending) -> Result<bool, StoreError> {
        self.0.ask(spending::keep(&self.0.pool, &spent)).await
    }
}

#[async_trait::async_trait]
impl StartedWallets for PostgresStores {
    async fn keep_started(
        &self,
        network: &str,
        id: &str,
        request: Option<&str>,
        account: &str,
    ) -> Result<Started, StoreError> {
        let fence = self.0.fence_of(account)?;
        self.0.ask(started::keep(&self.0.pool, fence, network, id, request)).await
    }

    async fn started(&self, network: &str, id: &str) -> Result<Option<Started>, StoreError> {
        self.0.ask(started::find(&self.0.pool, self.0.server.now(), network, id)).await
    }

    async fn forget_started(&self, network: &str, id: &str, number: u64) -> Result<(), StoreError> {
        self.0.ask(started::forget(&self.0.pool, network, id, number)).await
    }

    async fn take_over(
        &self,
        network: &str,
        listened_to: &ListenedTo,
        but: &[u64],
        most: u32,
    ) -> Result<Vec<LeftWallet>, StoreError> {
        self.0.ask(started::take_over(&self.0, network, listened_to, but, most)).await
    }
}

#[async_trait::async_trait]
impl Documents for PostgresStores {
    async fn read_document(&self, name: &'static str) -> Result<Option<Document>, StoreError> {
        self.0.ask(documents::read(&self.0.pool, name)).await
    }

    async fn document_version(&self, name: &'static str) -> Result<Option<DocumentVersion>, StoreError> {
        self.0.ask(documents::version(&self.0.pool, name)).await
    }

    async fn replace_document(
        &self,
        name: &'static str,
        before: Option<DocumentVersion>,
        text: &str,
    ) -> Result<bool, StoreError> {
        self.0.ask(documents::replace(&self.0.pool, name, before, text)).await
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
