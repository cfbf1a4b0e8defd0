//! Calls of contracts that no block has yet. A node tells of a call that fails in its block, as that voids
//! it, but not of one that succeeds: only its confirmation changes. So they are asked after at each block.

use crate::ledger::VertexId;
use crate::node::ConfirmedCall;
use crate::service::account::RunningAccount;

/// Most calls that are asked after for one block, one after the other.
const MOST: usize = 64;
/// Most of them that turn out to have no block yet.
const MOST_IN_VAIN: usize = 8;

/// Which calls were asked after.
#[derive(Default)]
pub(super) struct AskedCalls {
    /// The best block's height then.
    height: Option<u32>,
    last: Option<VertexId>,
}

impl AskedCalls {
    /// The calls to be asked after, the oldest first and in turns, if there is a new block.
    pub(super) fn due(&mut self, wallet: &RunningAccount) -> Vec<VertexId> {
        let state = wallet.state.read();
        let height = state.best_height();
        if self.height == height {
            return Vec::new();
        }
        self.height = height;
        state.unconfirmed_calls(self.last.as_ref(), MOST)
    }

    /// What [`ask`] has given.
    pub(super) fn note(&mut self, last: Option<VertexId>) {
        self.last = last;
    }
}

/// Takes in which of the calls are confirmed. Gives the last that was asked after. What fails is tried again
/// at the next block.
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
