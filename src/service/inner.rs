//! What all clones of a running wallet share.

use super::account::live_state::{ReadState, SeenState};
use super::account::reserve::InFlightSends;
use super::account::{RunningAccount, Slot};
use super::guard::WalletSigner;
use super::swap_proposals::SwapProposals;
use super::{Backend, Phase, SendError, Status};
use crate::node::NodeVersion;
use crate::wallet::{Scan, ViewId};
use std::sync::Arc;
use tokio::sync::watch;

/// What all clones of a [`super::Wallet`] share with each other: a view of an account, and who asks.
pub(super) struct Inner {
    pub(super) account: Arc<RunningAccount>,
    pub(super) view: ViewId,
    /// Where the account runs.
    pub(super) slot: Arc<Slot>,
    pub(super) backend: Backend,
    /// What the node said of its network at the start.
    pub(super) version: NodeVersion,
    /// The number of the last event that was kept when it was started.
    pub(super) last_event_at_start: u64,
    /// What signs, all alone or a share of what several must sign; none for a wallet that only watches.
    pub(super) signer: Option<WalletSigner>,
    pub(super) scan: Scan,
    pub(super) wait_for_change: bool,
    pub(super) status: watch::Sender<Status>,
    pub(super) sends: InFlightSends,
    /// Its proposals at the swap service.
    pub(super) swaps: SwapProposals,
}

impl Inner {
    /// The state machine as the wallet sees it, to be looked at. Never held across an await.
    pub(super) fn read(&self) -> ReadState<'_> {
        self.account.state.read_through(self.view)
    }

    /// The same, to be changed.
    pub(super) fn write(&self) -> SeenState<'_> {
        self.account.state.write_through(self.view)
    }

    pub(super) fn set_closed(&self) {
        self.status.send_modify(|status| *status = Status::new(Phase::Closed));
    }

    /// Says in the status what was wrong with the last send, or that nothing was.
    pub(super) fn note_send(&self, problem: Option<&SendError>) {
        self.status.send_if_modified(|status| {
            let problem = match problem {
                _ if status.phase != Phase::Ready => return false,
                Some(error) if !error.outlasts_the_send() => return false,
                problem => problem.map(ToString::to_string),
            };
            let changed = status.problem != problem;
            status.problem = problem;
            changed
        });
    }
}
