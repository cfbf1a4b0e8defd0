//! What a wallet's users see of it being on several servers.

use super::inner::Inner;
use super::{NotReady, Wallet};
use crate::rt;
use crate::store::StoreError;
use std::time::Duration;

/// Why no address was taken.
#[derive(Debug)]
pub enum TakeAddressError {
    /// The wallet is not ready.
    NotReady(NotReady),
    /// The store that several servers share can't be asked.
    Store(StoreError),
}

/// What a server knows of a news that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// All that happened up to it.
    Now,
    /// It may know it later.
    Late,
    /// No server has told of it.
    Never,
}

impl Wallet {
    /// Whether other servers may have it started, too.
    pub fn is_shared(&self) -> bool {
        self.inner.cluster.is_some()
    }

    /// The number of the latest news of all servers that this one knows of; `None` if the wallet is this
    /// server's alone. It never falls.
    pub fn seq(&self) -> Option<u64> {
        self.inner.cluster.as_ref().map(|_| self.inner.seq.latest())
    }

    /// Waits until this server knows all that happened in any server up to a news, so long at most.
    pub async fn knows(&self, seq: u64, limit: Duration) -> Known {
        let inner = &self.inner;
        let Some(cluster) = inner.cluster.as_ref().filter(|_| !inner.seq.is_taken_in(seq)) else {
            return Known::Now;
        };
        let known = rt::timeout(limit, async {
            if matches!(cluster.look_for(seq).await, Ok(false)) {
                return Known::Never;
            }
            // Where the store can't be asked now, it may be heard later.
            inner.seq.wait_for(seq).await;
            Known::Now
        });
        known.await.unwrap_or(Known::Late)
    }

    /// Waits until all that was changed here is kept, and so is known to the other servers soon.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be kept now: that is tried on and on.
    pub async fn tell_servers(&self) -> Result<(), StoreError> {
        self.inner.tell_servers().await
    }

    /// [`Wallet::current_address`], which becomes used in all servers: no two give the same, but for the last
    /// one of the gap limit.
    ///
    /// # Errors
    /// [`TakeAddressError`]: then no address is given.
    pub async fn take_address(&self) -> Result<String, TakeAddressError> {
        let inner = &self.inner;
        let Some(cluster) = &inner.cluster else {
            return self.current_address(true).map_err(TakeAddressError::NotReady);
        };
        let known = self.read(|state, _| (state.current_index(), state.addresses_to_watch(0).end - 1));
        let (current, most) = known.map_err(TakeAddressError::NotReady)?;
        let (index, seq) = cluster.take_address(current, most).await.map_err(TakeAddressError::Store)?;
        inner.seq.has_told(seq);
        let mut state = inner.state.write();
        let changes = state.move_past(index);
        inner.state.keep(changes);
        let text = state.address_text(index).map(str::to_owned);
        let derived = || state.address(index).map(|address| address.to_string());
        text.or_else(derived).ok_or_else(|| TakeAddressError::NotReady(NotReady::closed()))
    }
}

impl Inner {
    /// See [`Wallet::tell_servers`].
    pub(super) async fn tell_servers(&self) -> Result<(), StoreError> {
        let (Some(cluster), Some(writer)) = (&self.cluster, &self.state.writer) else { return Ok(()) };
        writer.flush().await?;
        self.seq.has_told(cluster.latest().await?);
        Ok(())
    }
}
