//! A running wallet: a view of a running account, with the services and the signer that it was started with.

use super::account::live_state::{ReadState, SeenState, lock};
use super::account::reserve::InFlightSends;
use super::account::{RunningAccount, Slot};
use super::backend::Backend;
use super::error::{NotReady, SendError, WatchError};
use super::guard::{Guarded, SendKey, WalletSigner};
use super::status::{Phase, Status};
use super::swap_proposals::SwapProposals;
use crate::keys::{ACCOUNT_PATH, AddressKeys, MULTISIG_ACCOUNT_PATH, MultisigPublic};
use crate::ledger::{Effect, Transaction, Vertex, VertexId};
use crate::node::{CallError, FullNode, Lane, NodeVersion, Tenant};
use crate::rt::{self, CpuShare};
use crate::store::{Store, StoreError};
use crate::wallet::{Event, Scan, State, ViewId};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, watch};

/// A running wallet. Clones are the same wallet; it runs until [`Wallet::stop`].
#[derive(Clone)]
pub struct Wallet {
    pub(super) inner: Arc<Inner>,
    pub(super) guard: Guarded,
    /// The queue of this handle's requests to the node.
    pub(super) lane: Lane,
}

/// The state that all clones of a [`Wallet`] share: a view of an account.
pub struct Inner {
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

impl Wallet {
    /// Connects to the full node at once, if the wallet waits before the next try.
    pub fn reconnect(&self) {
        self.inner.account.wake.notify_one();
    }

    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Reads the state, ready or not: balances may be wrong. `look` blocks the wallet: no I/O in it.
    pub fn look<T>(&self, look: impl FnOnce(&State, u32) -> T) -> T {
        let state = self.inner.read();
        look(&state, rt::unix_seconds())
    }

    /// What a transaction of the history did to the wallet, by what is known of how tokens are paid for.
    pub fn effect(&self, state: &State, vertex: &Vertex) -> Effect {
        let versions = lock(&self.inner.account.token_versions);
        state.effect(vertex, |token| versions.get(token).copied())
    }

    pub fn status(&self) -> Status {
        self.inner.status.borrow().clone()
    }

    pub fn watch(&self) -> watch::Receiver<Status> {
        self.inner.status.subscribe()
    }

    /// Changes from now on. A listener that is far behind learns how many events it missed.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.inner.account.state.events.subscribe()
    }

    /// Transactions and blocks that the node sends again unchanged: at least once for each of their
    /// addresses.
    pub fn repeated(&self) -> broadcast::Receiver<VertexId> {
        self.inner.account.state.repeated.subscribe()
    }

    /// Waits for the end of the next known time lock, forever if there is none. What was locked can then be
    /// spent, without an event.
    pub async fn next_unlock(&self) {
        match self.look(|state, now| state.next_unlock(now)) {
            Some(time) => {
                let wait = (u64::from(time) * 1000).saturating_sub(rt::unix_millis());
                rt::sleep(Duration::from_millis(wait)).await;
            }
            None => std::future::pending().await,
        }
    }

    /// `None` once stopped.
    pub fn store(&self) -> Option<Arc<dyn Store>> {
        let is_stopped = self.inner.status.borrow().phase == Phase::Closed;
        self.inner.account.state.writer.as_ref().filter(|_| !is_stopped)?.store()
    }

    /// 0 if there was none.
    pub fn last_event_at_start(&self) -> u64 {
        self.inner.last_event_at_start
    }

    /// [`Owner::name`](crate::store::Owner::name): the same wherever the account is kept.
    pub fn owner_name(&self) -> &str {
        &self.inner.account.owner
    }

    pub async fn ready(&self) -> Status {
        match self.watch().wait_for(|status| status.phase.is_settled()).await {
            Ok(status) => status.clone(),
            Err(_) => Status::new(Phase::Closed),
        }
    }

    pub fn backend(&self) -> &Backend {
        &self.inner.backend
    }

    /// The same wallet, for a tenant whose node requests are queued fairly with those of others.
    #[must_use]
    pub fn asked_by(&self, tenant: Tenant) -> Self {
        Self { lane: Lane::Read(tenant), ..self.clone() }
    }

    /// The same wallet, for sends: their requests to the node don't wait for readers.
    #[must_use]
    pub fn for_sending(&self) -> Self {
        Self { lane: self.lane.of_sends(), ..self.clone() }
    }

    /// The share of the processors for this handle's calculations.
    pub(super) const fn cpu_share(&self) -> CpuShare {
        if matches!(self.lane, Lane::Send(_)) { CpuShare::Sends } else { CpuShare::Reads }
    }

    /// The services, for pushing signed transactions.
    pub(super) fn pushes(&self) -> Backend {
        Backend { node: self.node(), ..self.inner.backend.clone() }.for_pushes()
    }

    /// The node, with this handle's queue.
    pub fn node(&self) -> FullNode {
        self.inner.backend.node.in_lane(self.lane.clone())
    }

    /// The public key (compressed) of the address at an index; `None` if the address has several.
    pub fn public_key(&self, index: u32) -> Option<[u8; 33]> {
        self.inner.account.public.public_key(index)
    }

    /// The path of the account, with which the paths of its keys begin. Keys of a list have no paths, only a
    /// last number.
    pub fn account_path(&self) -> &'static str {
        match &self.inner.account.public {
            AddressKeys::Account(_) | AddressKeys::List(_) => ACCOUNT_PATH,
            AddressKeys::Multisig(_) => MULTISIG_ACCOUNT_PATH,
        }
    }

    /// `None` unless the wallet is multisig.
    pub fn participants(&self) -> Option<&MultisigPublic> {
        match &self.inner.account.public {
            AddressKeys::Account(_) | AddressKeys::List(_) => None,
            AddressKeys::Multisig(participants) => Some(participants),
        }
    }

    pub fn node_version(&self) -> &NodeVersion {
        &self.inner.version
    }

    /// Reads the state at the present time (Unix seconds), if the wallet is ready. `read` blocks all changes:
    /// no I/O in it.
    pub fn read<T>(&self, read: impl FnOnce(&State, u32) -> T) -> Result<T, NotReady> {
        let state = self.inner.read();
        self.check_ready()?;
        Ok(read(&state, rt::unix_seconds()))
    }

    /// The address at index 0, ready or not.
    pub fn first_address(&self) -> String {
        let state = self.inner.read();
        match state.address_text(0) {
            Some(text) => text.to_owned(),
            None => state.address(0).expect("0 is an index").to_string(),
        }
    }

    /// The current address as text; with `mark_as_used` the next one becomes current.
    pub fn current_address(&self, mark_as_used: bool) -> Result<String, NotReady> {
        if !mark_as_used {
            return self.read(|state, _| {
                let text = state.address_text(state.current_index());
                text.map_or_else(|| state.current_address().to_string(), ToOwned::to_owned)
            });
        }
        let mut state = self.inner.write();
        self.check_ready()?;
        let (address, changes) = state.next_address();
        self.inner.account.state.keep(changes);
        Ok(address.to_string())
    }

    /// Waits until all changes so far are written.
    ///
    /// # Errors
    /// [`StoreError`] if they can't be written now: that is retried forever.
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.inner.account.flush().await
    }

    /// The transaction recorded for a request's key, of any age, and whether its push is open.
    pub async fn recorded(&self, key: SendKey) -> Result<Option<(VertexId, bool)>, StoreError> {
        let Some(record) = self.inner.account.records.record(key.name).await? else { return Ok(None) };
        let transaction = Transaction::from_bytes_with_v2(&record.transaction).ok();
        let id = transaction.and_then(|transaction| transaction.id().ok()).ok_or_else(|| {
            let what = "a record of a push can't be read".to_owned();
            StoreError::Damaged { place: "of the wallet".to_owned(), what }
        })?;
        Ok(Some((id, record.is_open)))
    }

    /// Watches all addresses up to index `last`, and returns once their history is loaded. Only for wallets
    /// with an index limit.
    ///
    /// # Errors
    /// [`WatchError::NotReady`] also if the wallet stops being ready meanwhile; the addresses are watched
    /// nevertheless.
    pub async fn watch_to(&self, last: u32) -> Result<(), WatchError> {
        if !matches!(self.inner.scan, Scan::IndexLimit { .. }) {
            return Err(WatchError::NoIndexLimit);
        }
        self.check_ready()?;
        let (account, view) = (&self.inner.account, self.inner.view);
        account.state.write().extend_view(view, last);
        account.ids.extended(view);
        account.grow(view).await;
        let count = account.address_count();
        let loaded = |status: &Status| status.phase != Phase::Ready || status.loaded >= count;
        // The wallet itself has the sender.
        let _ = self.watch().wait_for(loaded).await;
        Ok(self.check_ready()?)
    }

    pub(super) fn check_ready(&self) -> Result<(), NotReady> {
        let status = self.inner.status.borrow();
        if status.phase == Phase::Ready { Ok(()) } else { Err(NotReady(Box::new(status.clone()))) }
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfirmationsError {
    /// The node does not know the transaction, or does not answer.
    #[error("the full node does not tell how the transaction stands")]
    Transaction(#[source] Option<CallError>),
    #[error("the full node does not tell how high the chain is")]
    Height(#[source] CallError),
}

impl Wallet {
    /// Asks the node how many blocks have come since the one that confirmed a transaction; 0 without one.
    pub async fn confirmations(&self, vertex: &Vertex) -> Result<u32, ConfirmationsError> {
        let node = self.node();
        let status = match node.transaction(&vertex.id).await {
            Ok(Some(status)) => status,
            Ok(None) => return Err(ConfirmationsError::Transaction(None)),
            Err(failure) => return Err(ConfirmationsError::Transaction(Some(failure))),
        };
        // A block confirms itself.
        let first = status.first_block_height.or(vertex.height);
        let Some(first) = first.filter(|_| !status.voided) else { return Ok(0) };
        let best = node.best_height().await.map_err(ConfirmationsError::Height)?;
        Ok(best.saturating_sub(first))
    }
}
