//! Stores on the simulated database of `tests/simulation`.

pub(crate) use super::account::{LEASE, LeaseTable, Renewed};
pub(crate) use super::error::PgError;
pub(crate) use super::pool::Fence;
pub(crate) use super::push_records::Records;
use super::{Inner, Pool, PostgresStores, PostgresUrl, schema};
use crate::store::{Store, StoreError};
use std::sync::Arc;
use tokio::sync::OnceCell;

/// The real tables, which the simulation is compared with.
pub(crate) async fn at_postgres(url: &str) -> (Arc<dyn LeaseTable>, Arc<dyn Records>) {
    let pool = Arc::new(Pool::new(url.parse().expect("a URL")));
    schema::set_up(&pool).await.expect("a database");
    (pool.clone(), pool)
}

impl PostgresStores {
    /// Stores whose accounts and push records are in a simulated database; nothing else is stored.
    pub(crate) fn simulated(accounts: Arc<dyn LeaseTable>, records: Arc<dyn Records>) -> Self {
        let url: PostgresUrl = "postgres://nobody@127.0.0.1:1/none".parse().expect("a URL");
        let Inner { pool, audited, server, .. } =
            Arc::into_inner(Self::new(url).0).expect("nobody else has it");
        let is_set_up = OnceCell::new_with(Some(()));
        Self(Arc::new(Inner { pool, accounts, records, is_set_up, server, audited }))
    }

    pub(crate) async fn take(&self, name: &str) -> Result<Arc<dyn Store>, StoreError> {
        Ok(self.store(name).await?)
    }
}
