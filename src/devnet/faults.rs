//! Faults that tests bring about: components that are down, slow, busy or talk nonsense.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// How the node answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeMode {
    /** As a node does. */
    #[default]
    Normal,
    /** Every request gets the status of [`NodeFaults::status`], and WebSocket connections are dropped. */
    Down,
    /** Nothing is answered as long as this lasts. */
    Slow,
    /** Answers with status 200 that are no JSON. */
    Garbage,
    /** Does what is asked, and breaks the connection off before the answer is complete. */
    Broken,
}

/// What is wrong with the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFaults {
    pub mode: NodeMode,
    /** Only requests whose path ends in this are touched; the WebSocket's path ends in `ws`. */
    pub path: String,
    /** The status of [`NodeMode::Down`]. */
    pub status: u16,
    /** Sent as `Retry-After`, in seconds, with that status. */
    pub retry_after: Option<u32>,
}

impl Default for NodeFaults {
    fn default() -> Self {
        Self { mode: NodeMode::Normal, path: String::new(), status: 503, retry_after: None }
    }
}

impl NodeFaults {
    /// What happens to a request for `path`.
    pub(super) fn mode_of(&self, path: &str) -> NodeMode {
        if path.trim_end_matches('/').ends_with(&self.path) { self.mode } else { NodeMode::Normal }
    }
}

/// What happens to history streams, before the frame of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFault {
    /** They stand still as long as this lasts. */
    HeldBefore(u64),
    /** Their connection is dropped. */
    BrokenBefore(u64),
}

/// How the mining service works its jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MiningMode {
    /** As it should. */
    #[default]
    Normal,
    /** No miner is connected: jobs wait in the queue until their time is over. */
    NoMiners,
    /** The time of every job is over at once. */
    Timeout,
    /** Every job fails. */
    Failed,
    /** Every request gets the status of [`MiningFaults::status`]. */
    Down,
}

/// What is wrong with the mining service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiningFaults {
    pub mode: MiningMode,
    /** How long each job waits before it is mined. */
    pub delay: Duration,
    /** The status of [`MiningMode::Down`]. */
    pub status: u16,
    /** Sent as `Retry-After`, in seconds, with that status. */
    pub retry_after: Option<u32>,
}

impl Default for MiningFaults {
    fn default() -> Self {
        Self { mode: MiningMode::Normal, delay: Duration::ZERO, status: 503, retry_after: None }
    }
}

/// The faults in force, and those who wait for them to end.
#[derive(Default)]
pub(super) struct Faults {
    node: watch::Sender<NodeFaults>,
    mining: watch::Sender<MiningFaults>,
    streams: watch::Sender<Option<StreamFault>>,
    broken_streams: AtomicUsize,
}

impl Faults {
    pub(super) fn set_node(&self, faults: NodeFaults) {
        self.node.send_replace(faults);
    }

    pub(super) fn set_mining(&self, faults: MiningFaults) {
        self.mining.send_replace(faults);
    }

    pub(super) fn node(&self) -> NodeFaults {
        self.node.borrow().clone()
    }

    pub(super) fn mining(&self) -> MiningFaults {
        *self.mining.borrow()
    }

    pub(super) fn set_streams(&self, fault: Option<StreamFault>) {
        self.streams.send_replace(fault);
    }

    /// Waits until the frame of this number is no longer held back. `false` if its connection breaks.
    pub(super) async fn may_stream(&self, seq: u64) -> bool {
        let mut streams = self.streams.subscribe();
        let held = |fault: &Option<_>| matches!(fault, Some(StreamFault::HeldBefore(first)) if seq >= *first);
        match streams.wait_for(|fault| !held(fault)).await.as_deref() {
            Ok(Some(StreamFault::BrokenBefore(first))) if seq >= *first => {
                self.broken_streams.fetch_add(1, Ordering::Relaxed);
                false
            }
            // The sender lives as long as `self`.
            Ok(_) | Err(_) => true,
        }
    }

    /// Each waits by a receiver of its own.
    pub(super) fn held_requests(&self) -> usize {
        self.node.receiver_count()
    }

    pub(super) fn broken_streams(&self) -> usize {
        self.broken_streams.load(Ordering::Relaxed)
    }

    /// What happens to a request for `path`, once it is no longer that nothing is answered.
    pub(super) async fn node_mode(&self, path: &str) -> NodeMode {
        let mut faults = self.node.subscribe();
        match faults.wait_for(|faults| faults.mode_of(path) != NodeMode::Slow).await {
            Ok(faults) => faults.mode_of(path),
            // The sender lives as long as `self`.
            Err(_) => NodeMode::Normal,
        }
    }
}
