//! What the rounds know of a wallet, and who waits for what is new of it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use tokio::sync::{Notify, watch};

/// A wallet that somebody follows.
#[derive(Default)]
pub(super) struct Followed {
    /// The number of its last news.
    pub(super) news: watch::Sender<i64>,
    /// Changes when numbers of news may come again: what a crash of the database takes back of them is given
    /// anew.
    pub(super) reconnected: AtomicU64,
    /// Sends that wait here for outputs of other servers.
    pub(super) waiting: AtomicUsize,
    /// Such sends wait at other servers.
    pub(super) others_wait: AtomicBool,
    /// There are pushes that somebody must bring to their end.
    pub(super) open: Notify,
    /// There are tasks to be carried out, or being carried out.
    pub(super) has_tasks: AtomicBool,
    /// There are tasks that a server had begun which is gone.
    pub(super) left_tasks: Notify,
}

impl Followed {
    /// Nothing is known yet.
    pub(super) fn new() -> Self {
        Self { news: watch::Sender::new(-1), ..Self::default() }
    }
}
