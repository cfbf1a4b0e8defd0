//! Calls of contracts that are in no block yet. A node notifies of a call that fails in its block, because
//! that voids it, but not of one that succeeds: only its confirmation changes. So the wallet asks for them at
//! each block.

use crate::ledger::VertexId;
use crate::node::ConfirmedCall;
use crate::service::account::RunningAccount;

/// Most calls per block, asked for one at a time.
const MOST: usize = 64;
/// Most of them that may turn out to have no block yet.
const MOST_IN_VAIN: usize = 8;

#[derive(Default)]
pub(super) struct AskedCalls {
    /// The height of the best block when calls were asked for last.
    height: Option<u32>,
    last: Option<VertexId>,
}

impl AskedCalls {
    /// The calls to ask for, oldest first and in rotation, if there is a new block.
    pub(super) fn due(&mut self, wallet: &RunningAccount) -> Vec<VertexId> {
        let state = wallet.state.read();
        let height = state.best_height();
        if self.height == height {
            return Vec::new();
        }
        self.height = height;
        state.unconfirmed_calls(self.last.as_ref(), MOST)
    }

    /// Takes the result of [`ask`].
    pub(super) fn note(&mut self, last: Option<VertexId>) {
        self.last = last;
    }
}

/// Applies which calls are confirmed. Returns the last call asked for. Failures are retried at the next
/// block.
pub(super) async fn ask(wallet: &RunningAccount, calls: Vec<VertexId>) -> Option<VertexId> {
    let (mut last, mut in_vain) = (None, 0);
    let node = wallet.loader();
    for id in calls {
        let confirmed = match node.confirmed_call(&id).await {
            Ok(confirmed) => confirmed,
            Err(failure) => {
                tracing::debug!("whether a block has the call {id} is not known: {failure}");
                break;
            }
        };
        last = Some(id);
        match confirmed {
            Some(ConfirmedCall { block, timestamp, blueprint }) => {
                wallet.state.apply(|state| state.confirm_call(&id, block, timestamp, blueprint));
            }
            None => in_vain += 1,
        }
        if in_vain == MOST_IN_VAIN {
            break;
        }
    }
    last
}
