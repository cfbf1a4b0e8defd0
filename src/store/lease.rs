//! Which server runs an account, where several use one store: one at a time, by a lease.

use super::StoreError;
use std::fmt;
use std::time::Duration;

/// A server among those on one store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerName {
    /// Another one for each process.
    pub id: u64,
    /// Where it is reached, if it knows.
    pub url: Option<String>,
    /// Whether it releases its accounts soon.
    pub is_ending: bool,
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "server {}", self.id)?;
        self.url.as_ref().map_or(Ok(()), |url| write!(f, " ({url})"))
    }
}

/// The lease of this server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaseHealth {
    /// Why the store did not answer, if it did not.
    pub problem: Option<String>,
    /// How long ago the lease was renewed; `None` without one: a server without wallets needs none.
    pub renewed: Option<Duration>,
    /// Accounts that this server runs.
    pub accounts: u64,
    /// Pushes of these whose outcome is not known.
    pub open_pushes: u64,
}

/// What a server asks of its lease. An account is taken by [`Stores::open`](super::Stores::open), and given
/// up when its store is dropped.
#[async_trait::async_trait]
pub trait Lease: Send + Sync {
    /// Where this server is reached, which others name. To be said before it has a lease.
    fn reached_at(&self, url: &str);
    /// Begins a lease, if there is none yet: other servers can hand accounts over to this one.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn join(&self) -> Result<(), StoreError>;
    /// Unix milliseconds by the clock that all servers share, once this one has a lease.
    fn database_time(&self) -> Option<u64>;
    /// Whether a server's lease has not ended.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn is_live(&self, server: u64) -> Result<bool, StoreError>;
    /// This server, once it has a lease.
    fn server(&self) -> Option<ServerName>;
    /// Whether no other server can have taken an account of this one by now, but those whose stores say so:
    /// what is known of them is current.
    ///
    /// # Errors
    /// [`StoreError`] if one may have.
    fn check(&self) -> Result<(), StoreError>;
    /// As of the last renewal.
    fn health(&self) -> LeaseHealth;
    /// Waits until stores of this server fail [`Store::check`](super::Store::check), and ends every few
    /// seconds for as long as any does.
    async fn changed(&self);
    /// Waits, not for long, until others can take an account whose wallets are stopped.
    async fn released(&self, account: &str);
    /// This server releases its accounts soon: who wants one is to wait for it.
    async fn will_leave(&self);
    /// This server ends: others need not wait for what it has.
    async fn leave(&self);
}
