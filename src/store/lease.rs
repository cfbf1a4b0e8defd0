//! Which server runs an account, if several use one store: one at a time, by a lease.

use super::StoreError;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerName {
    /// Another one for each process.
    pub id: u64,
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaseHealth {
    /// Why the store did not answer, if it did not.
    pub problem: Option<String>,
    /// The time since the last renewal; `None` without a lease: a server without wallets needs none.
    pub renewed: Option<Duration>,
    pub accounts: u64,
    /// Pushes of these accounts without a known outcome.
    pub open_pushes: u64,
}

/// This server's lease. An account is taken by [`Stores::open`](super::Stores::open), and released when its
/// store is dropped.
#[async_trait::async_trait]
pub trait Lease: Send + Sync {
    /// Sets this server's URL for other servers, before it has a lease.
    fn reached_at(&self, url: &str);
    /// Begins a lease, if there is none yet: other servers can hand accounts over to this one.
    async fn join(&self) -> Result<(), StoreError>;
    /// The shared clock in Unix milliseconds; `None` without a lease.
    fn database_time(&self) -> Option<u64>;
    async fn is_live(&self, server: u64) -> Result<bool, StoreError>;
    /// `None` without a lease.
    fn server(&self) -> Option<ServerName>;
    /// Whether no other server can have taken an account of this one, except accounts whose stores already
    /// fail [`Store::check`](super::Store::check): reads are current.
    ///
    /// # Errors
    /// [`StoreError`] if one may have.
    fn check(&self) -> Result<(), StoreError>;
    /// As of the last renewal.
    fn health(&self) -> LeaseHealth;
    /// Waits until a store of this server fails [`Store::check`](super::Store::check). Returns every few
    /// seconds while any does.
    async fn changed(&self);
    /// Waits, with a limit, until others can take an account whose wallets are stopped.
    async fn released(&self, account: &str);
    /// Announces that this server releases its accounts soon: other servers wait for them.
    async fn will_leave(&self);
    /// Ends the lease: others can take the accounts at once.
    async fn leave(&self);
}
