//! Which server runs which account, for operators, and moving an account to another server.

use super::StoreError;

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
