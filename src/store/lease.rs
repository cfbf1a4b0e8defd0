//! Which server runs an account, if several use one store: one at a time, by a lease. Operators see it, and
//! move accounts to other servers.

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveServer {
    pub id: u64,
    pub url: Option<String>,
    /// Milliseconds since the last renewal.
    pub renewed: u64,
    pub accounts: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountState {
    /// [`Owner::name`](super::Owner::name).
    pub name: String,
    pub wallets: Vec<String>,
    pub server: Option<u64>,
    /// How often it was taken.
    pub epoch: u64,
    /// The server that it moves to.
    pub wanted_by: Option<u64>,
    /// Whether any server can start all of its wallets.
    pub is_movable: bool,
}

#[async_trait::async_trait]
pub trait Accounts: Send + Sync {
    async fn all(&self) -> Result<(Vec<AccountState>, Vec<LiveServer>), StoreError>;

    /// Asks the server that runs an account to hand it over to another, once its sends under way have ended.
    /// `false` if the account was taken since its state was read, or the other server is gone.
    async fn move_to(&self, account: &AccountState, server: u64) -> Result<bool, StoreError>;
}
