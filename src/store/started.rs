//! Which wallets the servers on one database have started, so that each of them starts them when it is asked
//! for them.

use super::StoreError;

/// A wallet that was started in one server is started for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// Another one each time that a wallet of the name is started.
    pub number: u64,
    /// What it was started by, without any secret.
    pub request: String,
}

/// The wallets of all servers on a network, by the ids their users gave them.
#[async_trait::async_trait]
pub trait StartedWallets: Send + Sync {
    /// Takes an id for a request, unless it is taken. Gives what stands then.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn keep_started(&self, network: &str, id: &str, request: &str) -> Result<Started, StoreError>;

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

    /// Those of the numbers that stand no more.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn stopped_among(&self, numbers: &[u64]) -> Result<Vec<u64>, StoreError>;
}
