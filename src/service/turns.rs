//! Servers that send from one wallet take turns where its outputs are too few for all of them. A send that
//! waits takes the change of another one at once where both are of one server, and hears of other servers'
//! change a moment later: so the server that is busy with such a wallet would keep all others waiting.

use super::live_state::lock;
use crate::rt::{self, Instant};
#[cfg(target_arch = "wasm32")]
use crate::store::Cluster;
use crate::store::SharedCluster;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::Mutex as AsyncMutex;

/// How long a server goes on once it has heard that sends of others wait: from half of this to one and a half
/// times as long, so that servers do not all pause at once.
const TURN: Duration = Duration::from_secs(1);
/// How long it reserves nothing then: longer than it takes until others hear of what is free.
const PAUSE: Duration = Duration::from_millis(500);

/// The turns of this server with a wallet.
#[derive(Default)]
pub(super) struct Turns {
    ends: Mutex<Option<Instant>>,
    /// Held while the others have theirs.
    pause: AsyncMutex<()>,
}

/// A send that waits for outputs of other servers, until this is dropped.
pub(super) struct WaitsForOthers(SharedCluster);

impl Drop for WaitsForOthers {
    fn drop(&mut self) {
        self.0.wait_ends();
    }
}

impl WaitsForOthers {
    /// Has other servers know it.
    pub(super) fn begin(cluster: SharedCluster) -> Self {
        cluster.wait_begins();
        Self(cluster)
    }
}

impl Turns {
    /// Whether it is other servers' turn to reserve outputs.
    pub(super) fn is_over(&self, cluster: &SharedCluster) -> bool {
        let others_wait = cluster.others_wait();
        let mut ends = lock(&self.ends);
        if !others_wait {
            *ends = None;
        }
        others_wait && *ends.get_or_insert_with(end_of_turn) <= Instant::now()
    }

    /// This server has nothing, and waits for what others have: its turn begins once it has something again.
    pub(super) fn is_without(&self) {
        *lock(&self.ends) = None;
    }

    /// Waits until the others have had theirs.
    pub(super) async fn let_others_reserve(&self, cluster: &SharedCluster) {
        let _pause = self.pause.lock().await;
        // Another send of this server may have waited for that.
        if self.is_over(cluster) {
            rt::sleep(PAUSE).await;
            *lock(&self.ends) = Some(end_of_turn());
        }
    }
}

/// That of one which begins now.
fn end_of_turn() -> Instant {
    let drawn = f64::from(getrandom::u32().unwrap_or_default()) / f64::from(u32::MAX);
    Instant::now() + TURN.mul_f64(0.5 + drawn)
}
