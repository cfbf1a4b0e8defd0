//! Which wallets are started, where several servers use one store: any of them starts a wallet that none
//! runs, when it is asked for it.

use super::{ServerName, Store, StoreError};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A wallet that is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// Another one each time that a wallet of the id is started.
    pub number: u64,
    /// What any server can start it by, without any secret; `None` where only the one that runs it could.
    pub request: Option<String>,
    /// Its account ([`Owner::name`](super::Owner::name)).
    pub account: String,
    /// The other server that runs its account, or is to run it next. One that hands it over to this server
    /// counts as ending.
    pub runs_on: Option<ServerName>,
}

/// Which wallets have listeners, such as webhooks: these are to run somewhere, whether or not anybody asks
/// for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenedTo {
    All,
    /// Those of some ids.
    Ids(BTreeSet<String>),
}

/// A wallet that no server ran. Its account is this server's, for as long as this is there or a wallet of it
/// runs.
pub struct LeftWallet {
    /// [`Started::number`].
    pub number: u64,
    pub id: String,
    pub held: Arc<dyn Store>,
}

/// The started wallets of a network, by the ids that their users gave them.
#[async_trait::async_trait]
pub trait StartedWallets: Send + Sync {
    /// Takes an id for a wallet that runs here, unless it is taken. Gives what stands then.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked, or another server runs the account by now.
    async fn keep_started(
        &self,
        network: &str,
        id: &str,
        request: Option<&str>,
        account: &str,
    ) -> Result<Started, StoreError>;

    /// The wallet of an id, if it is started.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn started(&self, network: &str, id: &str) -> Result<Option<Started>, StoreError>;

    /// The wallet is stopped, if it is still the one of a number.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn forget_started(&self, network: &str, id: &str, number: u64) -> Result<(), StoreError>;

    /// Wallets that no server runs, though there is something to do for them: those of so many accounts at
    /// most, but none of some numbers.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn take_over(
        &self,
        network: &str,
        listened_to: &ListenedTo,
        but: &[u64],
        most: u32,
    ) -> Result<Vec<LeftWallet>, StoreError>;
}
