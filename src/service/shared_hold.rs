//! What a send has reserved in all servers on one store.

use super::SendError;
use crate::ledger::VertexId;
#[cfg(target_arch = "wasm32")]
use crate::store::Cluster;
use crate::store::{PushRecord, Recorded, Reserved, SendId, SharedClaim, SharedCluster, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One that its send's tasks share.
#[cfg(not(target_arch = "wasm32"))]
pub(super) type Hold = std::sync::Arc<SharedHold>;
/// None: there is no cluster that it could be in.
#[cfg(target_arch = "wasm32")]
pub(super) type Hold = SharedHold;

/// Until this is dropped, or its send is recorded: from then on, until it is settled.
pub(super) struct SharedHold {
    cluster: SharedCluster,
    send: SendId,
    claims: usize,
    /// Whether it may have reserved something.
    may_hold: AtomicBool,
    /// The transaction that may be recorded.
    recorded: Mutex<Option<VertexId>>,
}

impl SharedHold {
    /// Nothing reserved yet; to be so many claims.
    pub(super) fn new(cluster: SharedCluster, send: SendId, claims: usize) -> Self {
        Self { cluster, send, claims, may_hold: AtomicBool::new(false), recorded: Mutex::default() }
    }

    pub(super) fn send(&self) -> SendId {
        self.send
    }

    /// Reserves them all or none.
    pub(super) async fn reserve(
        &self,
        claims: &[SharedClaim],
        may_be_locked: bool,
    ) -> Result<Reserved, StoreError> {
        if claims.is_empty() {
            return Ok(Reserved::All);
        }
        self.may_hold.store(true, Ordering::Relaxed);
        let reserved = self.cluster.reserve(self.send, claims, may_be_locked).await?;
        self.may_hold.store(reserved == Reserved::All, Ordering::Relaxed);
        Ok(reserved)
    }

    /// Records what is about to be pushed: see [`crate::store::Cluster::record`].
    pub(super) async fn record(
        &self,
        id: VertexId,
        record: &PushRecord,
        instead_of: Option<[u8; 32]>,
    ) -> Result<Recorded, StoreError> {
        // From here on it may be recorded, whatever the store answers.
        let before = self.recorded().replace(id);
        let recorded = self.cluster.record(self.send, self.claims, record, instead_of).await?;
        if recorded == Recorded::Lost && before.is_some() {
            // As it was recorded before, another server may have pushed it since.
            return Err(failed("it had lost touch with this server after the transaction was recorded"));
        }
        if recorded != Recorded::Kept {
            *self.recorded() = before;
        }
        Ok(recorded)
    }

    /// The result of a send, once what it has recorded and not sent is taken back: before anybody is told so.
    /// Where that can't be done, others may send it, and that is what is to be told.
    #[cfg_attr(
        target_arch = "wasm32",
        allow(unreachable_code, unused_variables, reason = "there is no cluster")
    )]
    pub(super) async fn withdrawn<T>(&self, sent: Result<T, SendError>) -> Result<T, SendError> {
        // Behind a reference the compiler does not see that, and the package would have all of this.
        #[cfg(target_arch = "wasm32")]
        match self.cluster {}
        let failure = match sent {
            Err(failure) => failure,
            sent => return sent,
        };
        let Some(id) = self.recorded().take() else { return Err(failure) };
        self.may_hold.store(false, Ordering::Relaxed);
        let unclear = match failure.may_be_sent() {
            // Whoever finds it open pushes the same bytes again.
            true => failure,
            false => match self.cluster.withdraw(self.send).await {
                Ok(true) => return Err(failure),
                Ok(false) => {
                    let cause = failed(
                        "another server has taken the transaction over, since this one was not heard of",
                    );
                    SendError::RecordUnclear { id, cause }
                }
                Err(cause) => SendError::RecordUnclear { id, cause },
            },
        };
        self.cluster.disown(self.send);
        Err(unclear)
    }

    /// Tells all servers that a node has what was recorded, if that is what was sent. Gives the number of
    /// that news.
    #[cfg_attr(
        target_arch = "wasm32",
        allow(unreachable_code, unused_variables, reason = "there is no cluster")
    )]
    pub(super) async fn settle(&self, sent: VertexId) -> Option<u64> {
        #[cfg(target_arch = "wasm32")]
        match self.cluster {}
        let recorded = self.recorded().take()?;
        self.may_hold.store(false, Ordering::Relaxed);
        if recorded != sent {
            // Another transaction that is as good has spent its inputs: of that one servers hear from their
            // nodes, and this one can't come any more.
            if !matches!(self.cluster.withdraw(self.send).await, Ok(true)) {
                self.cluster.disown(self.send);
            }
            return None;
        }
        let settled = self.cluster.settle(self.send).await;
        settled
            .inspect_err(|failure| {
                tracing::warn!("the other servers are not told what became of a push: {failure}");
                self.cluster.disown(self.send);
            })
            .ok()
    }

    fn recorded(&self) -> MutexGuard<'_, Option<VertexId>> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(what: &str) -> StoreError {
    StoreError::Failed { place: "of the wallet".to_owned(), what: what.to_owned() }
}

impl Drop for SharedHold {
    fn drop(&mut self) {
        if self.recorded().is_some() {
            // Cut off before it was known what became of it.
            self.cluster.disown(self.send);
        } else if *self.may_hold.get_mut() {
            self.cluster.release(self.send);
        }
    }
}

#[cfg(target_arch = "wasm32")]
impl Clone for SharedHold {
    fn clone(&self) -> Self {
        match self.cluster {}
    }
}
