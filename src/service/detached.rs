//! Work that goes on to its end when its caller goes away: a transaction that is half way to the node can't
//! be called back, and whoever asks for it again must find what became of it.
//!
//! Every way in relies on this, and does nothing of the kind by itself. Sends are counted by the wallet that
//! makes them, pushes that need no wallet here; so an end can wait for both.

use super::SendError;
use crate::rt::{self, BoxFuture, SendOutsideWasm};
use tokio::sync::watch;

/// Brings work to its end in a task of its own, whatever becomes of its caller.
pub(super) async fn detached<T: SendOutsideWasm + 'static>(
    work: BoxFuture<'static, Result<T, SendError>>,
) -> Result<T, SendError> {
    rt::detached(work).await.unwrap_or(Err(SendError::CutOff))
}

/// How much is under way. Clones are the same count.
#[derive(Clone, Default)]
pub(super) struct UnderWay(watch::Sender<usize>);

/// Counts until it is dropped.
pub(super) struct Counted(watch::Sender<usize>);

impl UnderWay {
    pub(super) fn begin(&self) -> Counted {
        self.0.send_modify(|count| *count += 1);
        Counted(self.0.clone())
    }

    pub(super) fn count(&self) -> usize {
        *self.0.borrow()
    }

    /// Waits until nothing is.
    pub(super) async fn end(&self) {
        // The sender is held here, so waiting can't fail.
        let _ = self.0.subscribe().wait_for(|count| *count == 0).await;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
