//! Up to which news of the servers on its store a wallet is.

use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// The numbers of news that this server has taken in, and that it has told.
pub(super) struct SharedSeq {
    taken_in: watch::Sender<u64>,
    told: AtomicU64,
}

impl SharedSeq {
    pub(super) fn new() -> Self {
        Self { taken_in: watch::Sender::new(0), told: AtomicU64::new(0) }
    }

    /// This server knows all that happened up to a news.
    pub(super) fn has_taken_in(&self, seq: u64) {
        self.taken_in.send_if_modified(|known| std::mem::replace(known, seq.max(*known)) < seq);
    }

    /// What this server did is news of a number. What others did before that it may not know yet.
    pub(super) fn has_told(&self, seq: u64) {
        self.told.fetch_max(seq, Ordering::Relaxed);
    }

    /// The latest news that it knows of.
    pub(super) fn latest(&self) -> u64 {
        self.told.load(Ordering::Relaxed).max(*self.taken_in.borrow())
    }

    pub(super) fn is_taken_in(&self, seq: u64) -> bool {
        *self.taken_in.borrow() >= seq
    }

    /// Waits until this server knows all that happened up to a news.
    pub(super) async fn wait_for(&self, seq: u64) {
        // The sender is held here.
        let _ = self.taken_in.subscribe().wait_for(|known| *known >= seq).await;
    }
}
