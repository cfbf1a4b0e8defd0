//! A running wallet: a view of a running account, with the services and the signer that it was started with.

use super::account::RunningAccount;
use super::account::facts::EVENTS;
use super::account::live_state::lock;
use super::account::reserve::InFlightSends;
use super::guard::{Guarded, WalletSigner};
use super::inner::Inner;
use super::send::recover;
use super::swap_proposals::SwapProposals;
use super::{
    Account, Backend, NotReady, Options, Phase, SendKey, StartError, Status, WatchError, settling, sync,
};
use crate::keys::{ACCOUNT_PATH, AddressKeys, MULTISIG_ACCOUNT_PATH, MultisigPublic};
use crate::ledger::{Amount, Effect, Transaction, Vertex, VertexId};
use crate::node::{CallError, FullNode, Lane, NodeVersion, Tenant};
use crate::rt::{self, CpuShare};
use crate::store::{Owner, Store, StoreError};
use crate::wallet::{Event, Scan, State};
use std::sync::{Arc, Once};
use std::time::Duration;
use tokio::sync::{broadcast, watch};
use tracing::Instrument;

/// How long a start waits for the node, so that its caller soon learns that it is down.
const START_LIMIT: Duration = Duration::from_secs(5);

/// Warns, once per process, of a node with an unusual deposit: tokens cost more or less there than expected.
fn warn_of_deposit(version: &NodeVersion) {
    static ONCE: Once = Once::new();
    if !version.deposit.is_usual() {
        ONCE.call_once(|| {
            let (network, deposit) = (&version.network, version.deposit.deposit(Amount::new(10_000)));
            tracing::warn!(
                "the full node of {network} asks for a deposit other than 1 %: {deposit} cents of HTR for 100.00 of a token"
            );
        });
    }
}

fn begin(account: &Arc<RunningAccount>, options: &Options) {
    let mut tasks = vec![follow(account, options)];
    tasks.push(rt::spawn(recover::run(account.clone()).in_current_span()));
    if EVENTS {
        tasks.push(rt::spawn(
            settling::follow(account.clone(), options.events_confirmations).in_current_span(),
        ));
    }
    *lock(&account.tasks) = tasks;
}

fn follow(account: &Arc<RunningAccount>, options: &Options) -> rt::TaskHandle {
    rt::spawn(sync::run(account.clone(), options.sync_mode).in_current_span())
}

/// A running wallet. Clones are the same wallet; it runs until [`Wallet::stop`].
#[derive(Clone)]
pub struct Wallet {
    pub(super) inner: Arc<Inner>,
    pub(super) guard: Guarded,
    /// The queue of this handle's requests to the node.
    pub(super) lane: Lane,
}

impl Wallet {
    /// Asks the node for its version, checks its network, and begins to load. Returns before the history is
    /// loaded: see [`Wallet::ready`].
    ///
    /// # Errors
    /// [`StartError`]; nothing is left running.
    pub async fn start(account: Account, backend: Backend, options: Options) -> Result<Self, StartError> {
        let node = backend.node.in_lane(Lane::Check).with_limits(START_LIMIT, START_LIMIT);
        let version = node.version().await?;
        version.check_network(backend.network.name())?;
        warn_of_deposit(&version);
        let (public, signer) = account.into_sides();
        let scan = match &public {
            // The list is complete, and any of its addresses may be in use.
            AddressKeys::List(list) => Scan::IndexLimit { first: 0, last: list.count() - 1 },
            AddressKeys::Account(_) | AddressKeys::Multisig(_) => options.scan,
        };
        let owner = Owner {
            wallet: public.wallet_id(),
            network: version.network.clone(),
            genesis: version.genesis_block,
        };
        // The log lines of the account's tasks belong neither to this request nor to this wallet id.
        let span = tracing::error_span!(parent: None, "account", name = owner.name());
        let slot = options.shared.slot(&owner);
        let mut running = slot.lock().await;
        // An account that has lost its store ends without this start.
        running.take_if(|account| account.state.check_store() == Err(StoreError::Taken));
        if let Some(account) = &*running {
            account.check_joining(&backend.node)?;
        }
        let joins = running.is_some();
        let last_event = match &*running {
            Some(account) => Some(account.state.last_event().await?),
            None => None,
        };
        let (account, view) = match &*running {
            Some(account) => (account.clone(), account.add_view(scan).await),
            None => {
                let keys = (public, scan);
                let account = RunningAccount::load(keys, &backend, version.clone(), &owner, &options);
                let account = account.instrument(span.clone()).await?;
                span.in_scope(|| begin(&account, &options));
                *running = Some(account.clone());
                let view = account.state.read().this_view();
                (account, view)
            }
        };
        let status = account.ids.join(view, account.address_count());
        if account.ids.status().phase == Phase::Error {
            // The task may have ended because of an id that is gone by now.
            account.set_phase(Phase::Connecting, None);
            if let Some(task) = lock(&account.tasks).first_mut() {
                *task = span.in_scope(|| follow(&account, &options));
            }
        }
        if joins {
            account.wake.notify_one();
        }
        drop(running);
        let inner = Arc::new(Inner {
            sends: InFlightSends::new(&account),
            view,
            slot,
            backend,
            version,
            last_event_at_start: last_event.unwrap_or(account.last_event_at_start),
            account,
            signer: signer.map(WalletSigner::new),
            scan,
            wait_for_change: options.wait_for_change,
            status,
            swaps: SwapProposals::new(options.swap_service),
        });
        Ok(Self { inner, guard: None, lane: Lane::default() })
    }

    /// Refuses sends that wait for others' change, now and later. Sends that have their inputs continue.
    pub fn end_waiting(&self) {
        self.inner.sends.end_waiting();
        // Wakes sends that wait for the node, so that they see it.
        self.inner.status.send_modify(|_| {});
    }

    /// Accepts no more sends, and waits for those under way. The last wallet of an account ends it, once
    /// everything is written.
    pub async fn stop(&self) {
        self.inner.sends.close();
        // Wakes sends that wait for the node, so that they see it.
        self.inner.status.send_modify(|_| {});
        self.inner.sends.end().await;
        self.inner.swaps.forget_all();
        // A new start waits until the account has ended.
        let mut running = self.inner.slot.lock().await;
        let account = &self.inner.account;
        if account.ids.leave(self.inner.view) {
            // If the store was lost, the slot may have a successor already.
            running.take_if(|running| Arc::ptr_eq(running, account));
            account.end().await;
            self.inner.set_closed();
        } else {
            // A caller that finds the wallet ready, with the state locked, also finds its view.
            self.inner.set_closed();
            account.state.write().retain_views(&account.ids.views());
        }
    }

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
