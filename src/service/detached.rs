//! Work that continues to its end when its caller goes away: a transaction on its way to the node can't be
//! called back, and a repeated request must find its outcome.
//!
//! All interfaces rely on this. Sends are counted by their wallet, pushes without a wallet here, so that a
//! shutdown can wait for both.

use super::error::SendError;
use crate::rt::{self, BoxFuture, SendOutsideWasm};
use tokio::sync::watch;

/// Runs work in a task of its own, so that it survives its caller.
pub(super) async fn detached<T: SendOutsideWasm + 'static>(
    work: BoxFuture<'static, Result<T, SendError>>,
) -> Result<T, SendError> {
    rt::detached(work).await.unwrap_or(Err(SendError::CutOff))
}

/// The number of pushes under way. Clones share it.
#[derive(Clone, Default)]
pub(super) struct UnderWay(watch::Sender<usize>);

pub(super) struct Counted(watch::Sender<usize>);

impl UnderWay {
    pub(super) fn begin(&self) -> Counted {
        self.0.send_modify(|count| *count += 1);
        Counted(self.0.clone())
    }

    pub(super) fn count(&self) -> usize {
        *self.0.borrow()
    }

    pub(super) async fn end(&self) {
        // `self` has the sender, so waiting can't fail.
        let _ = self.0.subscribe().wait_for(|count| *count == 0).await;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
