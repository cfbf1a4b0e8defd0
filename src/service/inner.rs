//! What all clones of a running wallet share.

use super::admission::WalletSigner;
use super::in_flight::InFlightSends;
use super::live_state::LiveState;
use super::pushing::Pushed;
use super::record_writer::RecordWriter;
use super::shared::{Running, SharedAccount};
use super::swap_proposals::SwapProposals;
use super::{Backend, Phase, Progress, SendError, Sent, Status};
use crate::keys::AddressKeys;
use crate::ledger::{TokenVersion, VertexId};
use crate::node::{FullNode, Lane, NodeVersion};
use crate::rt;
#[cfg(feature = "native")]
use crate::store::StoreError;
use crate::wallet::{Scan, State};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, watch};

/// What all clones of a [`super::Wallet`] share with each other, and with the tasks that work for it.
pub(super) struct Inner {
    pub(super) backend: Backend,
    /// What the node said of its network at the start.
    pub(super) version: NodeVersion,
    /// What its store is called.
    #[cfg(feature = "native")]
    pub(super) owner: String,
    /// The number of the last event that was kept when it was started.
    #[cfg(feature = "native")]
    pub(super) last_event_at_start: u64,
    pub(super) public: AddressKeys,
    /// What signs, all alone or a share of what several must sign; none for a wallet that only watches.
    pub(super) signer: Option<WalletSigner>,
    pub(super) scan: Scan,
    pub(super) wait_for_change: bool,
    /// Wakes the task that follows the node: there are more addresses that the owner wants to have watched,
    /// or it shall not wait any longer to try again.
    pub(super) wake: Notify,
    pub(super) state: Arc<LiveState>,
    pub(super) status: watch::Sender<Status>,
    /// How tokens are paid for, as far as it has been asked for.
    pub(super) token_versions: Mutex<HashMap<VertexId, TokenVersion>>,
    /// Whether it has been ready since it was started: then others rely on what it knows.
    pub(super) was_ready: AtomicBool,
    pub(super) sends: InFlightSends,
    /// What the wallets of its account share.
    pub(super) account: Arc<SharedAccount>,
    /// Until it is stopped.
    pub(super) running: Mutex<Option<Running>>,
    /// Where its pushes are recorded.
    pub(super) records: RecordWriter,
    /// Its proposals at the swap service.
    pub(super) swaps: SwapProposals,
    /// Its tasks, such as that which follows the node.
    pub(super) tasks: Mutex<Vec<rt::TaskHandle>>,
}

impl Inner {
    /// Takes what was pushed into the state of this wallet and of those that are of the same account.
    pub(super) fn sent(&self, Pushed { id, transaction, spends }: Pushed) -> Sent {
        let mut is_news = false;
        self.state.apply(|state| {
            let update = match spends {
                None => state.apply_pushed(&transaction, id),
                Some(spends) => state.apply_pushed_swap(&transaction, id, spends),
            };
            is_news = !update.events.is_empty();
            update
        });
        if !is_news {
            self.state.tell_repeated(id);
        }
        let vertex = self.state.read().vertex(&id);
        vertex.into_iter().for_each(|vertex| self.account.tell_sent(&self.state, &vertex));
        Sent { id, transaction }
    }

    /// The node, as what follows the ledger asks it.
    pub(super) fn loader(&self) -> FullNode {
        self.backend.node.in_lane(Lane::Load)
    }

    /// Waits until all that was changed so far is kept.
    #[cfg(feature = "native")]
    pub(super) async fn flush(&self) -> Result<(), StoreError> {
        match &self.state.writer {
            Some(writer) => writer.flush().await,
            None => Ok(()),
        }
    }

    pub(super) fn set_phase(&self, phase: Phase, problem: Option<String>) {
        if let Some(problem) = &problem {
            tracing::warn!(%phase, "{problem}");
        }
        self.status.send_modify(|status| {
            status.phase = phase;
            status.problem = problem;
        });
    }

    /// When the node is tried again, while the wallet waits for that.
    pub(super) fn set_next_try(&self, time: Option<u32>) {
        self.status.send_modify(|status| status.next_try = time);
    }

    /// Everything is known.
    pub(super) fn set_ready(&self) {
        let was_ready = self.was_ready.swap(true, Ordering::Relaxed);
        #[cfg(feature = "native")]
        if !was_ready {
            self.state.begin_events();
        }
        #[cfg(not(feature = "native"))]
        let _ = was_ready;
        self.set_phase(Phase::Ready, None);
    }

    /// Forgets the history, which is wrong, unless others rely on it: sends under way hold some of its
    /// outputs.
    pub(super) fn forget_if_never_ready(&self) {
        if !self.was_ready.load(Ordering::Relaxed) {
            self.state.apply(State::forget);
        }
    }

    pub(super) fn progress(&self) -> Progress {
        self.status.borrow().progress
    }

    pub(super) fn set_progress(&self, progress: Progress) {
        self.status.send_modify(|status| status.progress = progress);
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
