//! Stores of wallets' changes, so that a later start need not load the whole history. No secret is ever
//! stored.
//!
//! A stored history is a copy of the ledger. A lost store costs time; a wrong one is detected at the next
//! start and filled anew. Beside the history, records of pushes are kept for a day, for requests that may be
//! repeated: a repeated request without its record is a new request.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! use headless_wallet::{store::{MemoryStores, Owner, Store, Stores}, wallet::ChangeSet};
//!
//! let stores = MemoryStores::default();
//! let owner = Owner { wallet: [7; 32], network: "testnet".to_owned(), genesis: None };
//! let changes = ChangeSet { best_height: Some(1_000), ..ChangeSet::default() };
//! let (store, kept) = stores.open(&owner).await?;
//! assert!(kept.is_empty());
//! store.append(&changes).await?;
//! assert_eq!(stores.open(&owner).await?.1, changes);
//! # Ok::<(), Box<dyn std::error::Error>>(()) })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod announced;
#[cfg(feature = "native")]
mod audit;
#[cfg(feature = "native")]
mod audit_file;
#[cfg(feature = "native")]
mod data_dir;
#[cfg(feature = "native")]
mod document;
mod encode;
mod event_log;
#[cfg(feature = "native")]
mod lease;
mod memory;
mod memory_events;
mod memory_records;
#[cfg(feature = "native")]
mod migrate;
#[cfg(feature = "native")]
mod migrate_common;
#[cfg(feature = "native")]
mod postgres;
mod push_record;
#[cfg(feature = "native")]
mod redb;
#[cfg(feature = "native")]
mod spending;
#[cfg(feature = "native")]
mod spending_file;
#[cfg(feature = "native")]
mod started;
#[cfg(feature = "native")]
mod task_record;

#[cfg(feature = "native")]
pub use audit::{AuditHash, AuditHead, AuditLog, write_audit};
#[cfg(feature = "native")]
pub use data_dir::DataDir;
#[cfg(feature = "native")]
pub use document::{
    APPROVALS_DOCUMENT, Document, DocumentVersion, Documents, KEYS_DOCUMENT, MAX_DOCUMENT_BYTES,
    SEEDS_DOCUMENT,
};
pub use encode::{FORMAT, RecordError, decode_changes, decode_vertex, encode_changes, encode_vertex};
pub use event_log::{
    DeliveryRecord, EventFact, EventFacts, EventKind, EventLog, EventRecord, Happening, Movement, SinkRecord,
    Standing,
};
#[cfg(feature = "native")]
pub use lease::{AccountState, Accounts, Lease, LeaseHealth, LiveServer, ServerName};
pub use memory::{MemoryStore, MemoryStores};
pub use memory_events::EventsOnly;
pub use memory_records::MemoryPushRecords;
#[cfg(feature = "native")]
pub use migrate::{Migrated, NamedStores, WholeEventLog, WholeStore, migrate};
#[cfg(feature = "native")]
pub use migrate_common::{WholeSpending, migrate_audit_log, migrate_documents, migrate_spending};
#[cfg(all(test, feature = "native"))]
pub(crate) use postgres::simulated;
#[cfg(feature = "native")]
pub use postgres::{PostgresStores, PostgresUrl};
pub use push_record::{PushRecord, PushRecords, RECORD_LIFE};
#[cfg(feature = "native")]
pub use redb::{Compacted, RedbStore};
#[cfg(feature = "native")]
pub use spending::Spending;
#[cfg(feature = "native")]
pub use started::{LeftWallet, ListenedTo, Started, StartedWallets};
#[cfg(feature = "native")]
pub use task_record::{TaskRecord, TaskRecords};

use crate::ledger::VertexId;
use crate::rt::{SendOutsideWasm, SyncOutsideWasm};
use crate::wallet::ChangeSet;
use std::sync::Arc;

/// The change sets of one wallet: they are appended and loaded.
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
pub trait Store: SendOutsideWasm + SyncOutsideWasm {
    /// Everything appended so far, merged in order.
    ///
    /// # Errors
    /// [`StoreError`] if any of it can't be read: a part must never be taken for the whole.
    async fn load(&self) -> Result<ChangeSet, StoreError>;
    /// Adds `changes`, durably.
    ///
    /// # Errors
    /// [`StoreError`]: all of it is there or nothing, and it may be tried again.
    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError>;
    fn push_records(&self) -> Option<&dyn PushRecords> {
        None
    }
    #[cfg(feature = "native")]
    fn task_records(&self) -> Option<&dyn TaskRecords> {
        None
    }
    fn event_log(&self) -> Option<&dyn EventLog> {
        None
    }
    /// Adds `changes`, and makes events of facts that are new, in one transaction.
    ///
    /// # Errors
    /// [`StoreError`]: all of it is there or nothing, and it may be tried again.
    async fn append_with_events(&self, changes: &ChangeSet, _: &EventFacts) -> Result<(), StoreError> {
        self.append(changes).await
    }
    /// Whether this server continues to run the account.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if another server runs it by now, [`StoreError::RunsOn`] if another one is to
    /// run it once this one has released it.
    fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }
    fn keeps_history(&self) -> bool {
        true
    }
}

#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
pub trait Stores: SendOutsideWasm + SyncOutsideWasm {
    /// The store of `owner` and its content; an empty one the first time. If several servers use the stores,
    /// this one runs the account until the store is dropped.
    ///
    /// # Errors
    /// [`StoreError`] if something can't be read: the wallet then does not start. [`StoreError::RunsOn`] if
    /// another server runs the account.
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError>;
    /// The store for pushes without a wallet, for each network; `None` for the process's memory.
    async fn pushes_without_wallet(&self, _network: &str) -> Result<Option<Arc<dyn Store>>, StoreError> {
        Ok(None)
    }
    /// `None` unless several servers may use the stores.
    #[cfg(feature = "native")]
    fn lease(&self) -> Option<&dyn Lease> {
        None
    }
    /// `None` unless several servers may use the stores.
    #[cfg(feature = "native")]
    fn accounts(&self) -> Option<&dyn Accounts> {
        None
    }
    /// `None` unless several servers may use the stores.
    #[cfg(feature = "native")]
    fn started_wallets(&self) -> Option<&dyn StartedWallets> {
        None
    }
    #[cfg(feature = "native")]
    fn documents(&self) -> Option<&dyn Documents> {
        None
    }
    #[cfg(feature = "native")]
    fn spending(&self) -> Option<&dyn Spending> {
        None
    }
    #[cfg(feature = "native")]
    fn audit_log(&self) -> Option<&dyn AuditLog> {
        None
    }
}

/// The owner of a store: one wallet on one chain. Data of another chain must never be taken for this one's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// [`AccountPublic::wallet_id`](crate::keys::AccountPublic::wallet_id): distinguishes accounts and
    /// reveals no key.
    pub wallet: [u8; 32],
    /// As the node states it.
    pub network: String,
    /// The chain's first block, if the node states it.
    pub genesis: Option<VertexId>,
}

impl Owner {
    /// Different for every owner: lower-case letters, digits and hyphens, for a file name.
    pub fn name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let network: String = self.network.chars().take(40).map(plain).collect();
        let genesis = self.genesis.map_or_else(|| "unknown".to_owned(), |id| hex::encode(&id.0[..8]));
        format!("{network}-{genesis}-{}", hex::encode(&self.wallet[..20]))
    }
}

/// Why a store can't be used. Each text names the store and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error("store {0}: another process uses it: end that one, or give one of the two another --data-dir")]
    InUse(String),
    #[error("store {place}: {error}")]
    Newer { place: String, error: RecordError },
    /// Not a store, or damaged.
    #[error("store {place}: {what}")]
    Damaged { place: String, what: String },
    /// Another server runs the account by now: nothing was written, and its wallets are stopped here.
    #[error("another server runs this account now")]
    Taken,
    #[cfg(feature = "native")]
    #[error("the account runs on {0}")]
    RunsOn(ServerName),
    /// The store did not confirm a write, which may have happened.
    #[error("store {place}: {what}")]
    Unclear { place: String, what: String },
    /// It can't be read or written: nothing was written.
    #[error("store {place}: {what}")]
    Failed { place: String, what: String },
    /// It has as many push records as fit, and all of them are still needed.
    #[error(
        "{records} requests of the last day are remembered, and there is room for no more: repeat the request in {retry_after} s, or \
         start the server with --data-dir, where there is room for all"
    )]
    Full { records: usize, retry_after: u32 },
}
