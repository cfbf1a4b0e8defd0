//! Which server runs which account, for who looks after several servers, and moving one to another server.

use super::StoreError;

/// A server that has renewed its lease lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveServer {
    pub id: u64,
    pub url: Option<String>,
    /// Milliseconds since it renewed its lease.
    pub renewed: u64,
    /// How many accounts it runs.
    pub accounts: u64,
}

/// An account that has started wallets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountState {
    /// [`Owner::name`](super::Owner::name).
    pub name: String,
    /// The ids of its wallets.
    pub wallets: Vec<String>,
    /// The server that runs it, among those that live.
    pub server: Option<u64>,
    /// How often it was taken.
    pub epoch: u64,
    /// The server that it moves to.
    pub wanted_by: Option<u64>,
    /// Whether any server can start all of its wallets.
    pub is_movable: bool,
}

/// The accounts in a store, and the servers.
#[async_trait::async_trait]
pub trait Accounts: Send + Sync {
    /// All of them as they are now.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn all(&self) -> Result<(Vec<AccountState>, Vec<LiveServer>), StoreError>;

    /// Has an account move to a server: the one that runs it hands it over once its sends under way have
    /// ended. `false` if the account was taken since its state was asked for, or the server is gone.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn move_to(&self, account: &AccountState, server: u64) -> Result<bool, StoreError>;
}
