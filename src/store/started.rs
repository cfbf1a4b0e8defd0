//! Started wallets, if several servers use one store: any server starts a wallet that none runs, when a
//! request needs it.

use super::{ServerName, Store, StoreError};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// Another one each time that a wallet of the id is started.
    pub number: u64,
    /// The start request without secrets, for any server; `None` if only the server that runs the wallet
    /// could start it.
    pub request: Option<String>,
    /// [`Owner::name`](super::Owner::name).
    pub account: String,
    /// The other server that runs the account, or is to run it next. A server that hands it over to this one
    /// counts as ending.
    pub runs_on: Option<ServerName>,
}

/// Wallets with listeners, such as webhooks: they run on some server even without requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenedTo {
    All,
    Ids(BTreeSet<String>),
}

/// A wallet that no server ran. This server has its account while this value exists or a wallet of it runs.
pub struct LeftWallet {
    /// [`Started::number`].
    pub number: u64,
    pub id: String,
    pub held: Arc<dyn Store>,
}

/// The started wallets of a network, by the ids that users gave them.
#[async_trait::async_trait]
pub trait StartedWallets: Send + Sync {
    /// Adds a wallet that runs here, unless the id is taken. Returns the wallet that has the id then.
    async fn keep_started(
        &self,
        network: &str,
        id: &str,
        request: Option<&str>,
        account: &str,
    ) -> Result<Started, StoreError>;

    async fn started(&self, network: &str, id: &str) -> Result<Option<Started>, StoreError>;

    /// Removes a stopped wallet, if its number is still the same.
    async fn forget_started(&self, network: &str, id: &str, number: u64) -> Result<(), StoreError>;

    /// Wallets that no server runs though they have work to do, of at most `most` accounts, except wallets
    /// with the given numbers.
    async fn take_over(
        &self,
        network: &str,
        listened_to: &ListenedTo,
        but: &[u64],
        most: u32,
    ) -> Result<Vec<LeftWallet>, StoreError>;
}
