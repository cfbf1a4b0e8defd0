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

/// The state that all clones of a [`super::Wallet`] share: a view of an account.
pub(super) struct Inner {
    pub(super) account: Arc<RunningAccount>,
    pub(super) view: ViewId,
    pub(super) slot: Arc<Slot>,
    pub(super) backend: Backend,
    /// The node's answer at the start.
    pub(super) version: NodeVersion,
    pub(super) last_event_at_start: u64,
    /// Signs alone or a participant's share; `None` for a wallet that only watches.
    pub(super) signer: Option<WalletSigner>,
    pub(super) scan: Scan,
    pub(super) wait_for_change: bool,
    pub(super) status: watch::Sender<Status>,
    pub(super) sends: InFlightSends,
    pub(super) swaps: SwapProposals,
}

impl Inner {
    /// The state as the wallet sees it. Never held across an await.
    pub(super) fn read(&self) -> ReadState<'_> {
        self.account.state.read_through(self.view)
    }

    pub(super) fn write(&self) -> SeenState<'_> {
        self.account.state.write_through(self.view)
    }

    pub(super) fn set_closed(&self) {
        self.status.send_modify(|status| *status = Status::new(Phase::Closed));
    }

    /// Shows the last send's problem in the status, or removes it.
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
