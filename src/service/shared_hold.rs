//! What a send has reserved in all servers on one store.

use super::SendError;
#[cfg(target_arch = "wasm32")]
use crate::store::Cluster;
use crate::store::{
    PushOutcome, PushRecord, Recorded, Reserved, SendId, SharedClaim, SharedCluster, StoreError,
};
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Whether it may be recorded.
    recorded: AtomicBool,
}

impl SharedHold {
    /// Nothing reserved yet; to be so many claims.
    pub(super) fn new(cluster: SharedCluster, send: SendId, claims: usize) -> Self {
        Self { cluster, send, claims, may_hold: AtomicBool::new(false), recorded: AtomicBool::new(false) }
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
        record: &PushRecord,
        instead_of: Option<[u8; 32]>,
    ) -> Result<Recorded, StoreError> {
        // From here on it may be recorded, whatever the store answers.
        let was_recorded = self.recorded.swap(true, Ordering::Relaxed);
        let recorded = self.cluster.record(self.send, self.claims, record, instead_of).await?;
        if recorded == Recorded::Lost && was_recorded {
            // As it was recorded before, another server may have pushed it since.
            let what = "it had lost touch with this server after the transaction was recorded".to_owned();
            return Err(StoreError::Failed { place: "of the wallet".to_owned(), what });
        }
        if recorded != Recorded::Kept {
            self.recorded.store(was_recorded, Ordering::Relaxed);
        }
        Ok(recorded)
    }

    /// What all servers are to be told of a push: what became of it, if it was recorded and that is known.
    pub(super) fn outcome<T>(&self, result: &Result<T, SendError>) -> Option<PushOutcome> {
        match result {
            _ if !self.recorded.load(Ordering::Relaxed) => None,
            Ok(_) => Some(PushOutcome::Pushed),
            // Whoever finds it open pushes the same bytes again.
            Err(
                SendError::Unknown { .. }
                | SendError::Open { .. }
                | SendError::CutOff
                | SendError::LeaseEnded
                | SendError::RecordUnclear { .. },
            ) => {
                self.cluster.disown(self.send);
                None
            }
            Err(_) => Some(PushOutcome::Refused),
        }
    }

    /// Tells all servers what became of a push. Gives the number of that news.
    pub(super) async fn settle(&self, outcome: PushOutcome) -> Option<u64> {
        let settled = self.cluster.settle(self.send, outcome).await;
        settled
            .inspect_err(|failure| {
                tracing::warn!("the other servers are not told what became of a push: {failure}");
                self.cluster.disown(self.send);
            })
            .ok()
    }
}

impl Drop for SharedHold {
    fn drop(&mut self) {
        if *self.may_hold.get_mut() && !*self.recorded.get_mut() {
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
