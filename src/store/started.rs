//! Which wallets the servers on one database have started, so that each of them starts them when it is asked
//! for them.

use super::StoreError;
use std::collections::BTreeSet;

/// A wallet that was started in one server is started for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// Another one each time that a wallet of the name is started.
    pub number: u64,
    /// What it was started by, without any secret.
    pub request: String,
}

/// Which wallets have listeners, such as webhooks: these are to run somewhere, whether or not anybody asks
/// for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenedTo {
    /// All of them.
    All,
    /// Those of some ids.
    Ids(BTreeSet<String>),
}

/// A wallet that no server saw to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftWallet {
    /// [`Started::number`].
    pub number: u64,
    #[allow(missing_docs)]
    pub id: String,
}

/// The wallets of all servers on a network, by the ids their users gave them.
#[async_trait::async_trait]
pub trait StartedWallets: Send + Sync {
    /// Takes an id for a request that starts a wallet with the store of a name
    /// ([`Owner::name`](super::Owner::name)), unless it is taken. Gives what stands then; `None` if another
    /// server holds the id for another wallet.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn keep_started(
        &self,
        network: &str,
        id: &str,
        request: &str,
        owner: &str,
    ) -> Result<Option<Started>, StoreError>;

    /// Holds an id for a wallet that runs here and that no other server can start, for as long as this one
    /// lives: no other one starts another wallet under it. `false` if it is taken, or held for another
    /// wallet.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn hold_id(&self, network: &str, id: &str, owner: &str) -> Result<bool, StoreError>;

    /// Holds it no more; soon, if the store can't be reached now.
    async fn let_id_go(&self, network: &str, id: &str);

    /// What a wallet was started by, if it is.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn started(&self, network: &str, id: &str) -> Result<Option<Started>, StoreError>;

    /// The wallet is stopped, if it is still the one of a number.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn forget_started(&self, network: &str, id: &str, number: u64) -> Result<(), StoreError>;

    /// A wallet runs here, with the store of a name: other servers start it by themselves only when this one
    /// is gone. `false` if it was stopped.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn runs_here(&self, number: u64, owner: &str) -> Result<bool, StoreError>;

    /// Wallets that no server sees to, though there is something to do for them, so many at most, but none of
    /// some numbers: this server sees to them from now on.
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

    /// Leaves a wallet to other servers that was taken over and can't be started here.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn leave(&self, number: u64) -> Result<(), StoreError>;

    /// Those of the numbers that stand no more.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn stopped_among(&self, numbers: &[u64]) -> Result<Vec<u64>, StoreError>;
}
