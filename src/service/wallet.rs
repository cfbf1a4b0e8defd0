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

/// How long a start waits for the node: its caller should hear soon that it is down.
const START_LIMIT: Duration = Duration::from_secs(5);

/// Warns, once in a process, of a node whose deposit is not the usual one: tokens cost more or less than
/// expected there.
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

/// Begins the tasks of an account.
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

/// Begins the task that follows the node.
fn follow(account: &Arc<RunningAccount>, options: &Options) -> rt::TaskHandle {
    rt::spawn(sync::run(account.clone(), options.sync_mode).in_current_span())
}

/// A running wallet. Clones are the same wallet; it runs until [`Wallet::stop`].
#[derive(Clone)]
pub struct Wallet {
    pub(super) inner: Arc<Inner>,
    /// Looks at what is signed by way of this.
    pub(super) guard: Guarded,
    /// Where questions to the node wait that come by way of this.
    pub(super) lane: Lane,
}

impl Wallet {
    /// Asks the node for its version, checks its network, and begins to load. Returns before the history is
    /// there: see [`Wallet::ready`].
    ///
    /// # Errors
    /// [`StartError::Node`] if the node does not say its version, [`StartError::WrongNetwork`] if it is of
    /// another network, [`StartError::Store`] if what was kept can't be loaded, [`StartError::OtherNode`] if
    /// the account runs at another node already. Nothing goes on running then.
    pub async fn start(account: Account, backend: Backend, options: Options) -> Result<Self, StartError> {
        let node = backend.node.in_lane(Lane::Check).with_limits(START_LIMIT, START_LIMIT);
        let version = node.version().await?;
        version.check_network(backend.network.name())?;
        warn_of_deposit(&version);
        let (public, signer) = account.into_sides();
        let scan = match &public {
            // There are no others, and anybody may have been told any of them.
            AddressKeys::List(list) => Scan::IndexLimit { first: 0, last: list.count() - 1 },
            AddressKeys::Account(_) | AddressKeys::Multisig(_) => options.scan,
        };
        let owner = Owner {
            wallet: public.wallet_id(),
            network: version.network.clone(),
            genesis: version.genesis_block,
        };
        // What works for the account has lines in the log that outlast this request, and this wallet id.
        let span = tracing::error_span!(parent: None, "account", name = owner.name());
        let slot = options.shared.slot(&owner);
        let mut running = slot.lock().await;
        // An account whose store was lost ends without this start.
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
            // What follows the node has ended, perhaps for the sake of an id that is there no more.
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

    /// Refuses sends that wait for change of others, and all that would: those that have their inputs go on.
    pub fn end_waiting(&self) {
        self.inner.sends.end_waiting();
        // Sends that wait for the node look at it again.
        self.inner.status.send_modify(|_| {});
    }

    /// Takes no more sends, and waits for those under way. The last wallet of an account ends it, once
    /// everything is kept.
    pub async fn stop(&self) {
        self.inner.sends.close();
        // Sends that wait for the node look at it again.
        self.inner.status.send_modify(|_| {});
        self.inner.sends.end().await;
        self.inner.swaps.forget_all();
        // Whoever starts one next waits until the account has ended.
        let mut running = self.inner.slot.lock().await;
        let account = &self.inner.account;
        if account.ids.leave(self.inner.view) {
            // Where the store was lost, the slot may have a successor already.
            running.take_if(|running| Arc::ptr_eq(running, account));
            account.end().await;
            self.inner.set_closed();
        } else {
            // Whoever finds it ready, with the state locked, finds its view.
            self.inner.set_closed();
            account.state.write().retain_views(&account.ids.views());
        }
    }

    /// Tries at once to reach the full node again, if the wallet waits to.
    pub fn reconnect(&self) {
        self.inner.account.wake.notify_one();
    }

    /// Whether both are the same wallet.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Reads the state as it is, ready or not: balances may be wrong. `look` holds up the wallet: no I/O in
    /// it.
    pub fn look<T>(&self, look: impl FnOnce(&State, u32) -> T) -> T {
        let state = self.inner.read();
        look(&state, rt::unix_seconds())
    }

    /// What a transaction of the history did to the wallet, by what it knows of how tokens are paid for.
    pub fn effect(&self, state: &State, vertex: &Vertex) -> Effect {
        let versions = lock(&self.inner.account.token_versions);
        state.effect(vertex, |token| versions.get(token).copied())
    }

    pub fn status(&self) -> Status {
        self.inner.status.borrow().clone()
    }

    /// Follows where it stands.
    pub fn watch(&self) -> watch::Receiver<Status> {
        self.inner.status.subscribe()
    }

    /// Follows what happens to it from now on. A listener that is far behind is told how many events it
    /// missed.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.inner.account.state.events.subscribe()
    }

    /// Follows which transactions and blocks the node tells of again although nothing about them changed:
    /// once for each of their addresses, at least.
    pub fn repeated(&self) -> broadcast::Receiver<VertexId> {
        self.inner.account.state.repeated.subscribe()
    }

    /// Waits until the next of the time locks that are known now ends, for ever if there is none. What was
    /// locked can be spent then, and no event tells of it.
    pub async fn next_unlock(&self) {
        match self.look(|state, now| state.next_unlock(now)) {
            Some(time) => {
                let wait = (u64::from(time) * 1000).saturating_sub(rt::unix_millis());
                rt::sleep(Duration::from_millis(wait)).await;
            }
            None => std::future::pending().await,
        }
    }

    /// Where it is kept, until it is stopped.
    pub fn store(&self) -> Option<Arc<dyn Store>> {
        let is_stopped = self.inner.status.borrow().phase == Phase::Closed;
        self.inner.account.state.writer.as_ref().filter(|_| !is_stopped)?.store()
    }

    /// The number of the last event that was kept when it was started; 0 if there was none.
    pub fn last_event_at_start(&self) -> u64 {
        self.inner.last_event_at_start
    }

    /// What its store is called: the same wherever the same account is kept.
    pub fn owner_name(&self) -> &str {
        &self.inner.account.owner
    }

    /// Waits until it is ready, or can't become so any more (failed or stopped), and says which.
    pub async fn ready(&self) -> Status {
        match self.watch().wait_for(|status| status.phase.is_settled()).await {
            Ok(status) => status.clone(),
            Err(_) => Status::new(Phase::Closed),
        }
    }

    /// The network and services.
    pub fn backend(&self) -> &Backend {
        &self.inner.backend
    }

    /// The same wallet, for somebody whose questions to the node take turns with those of others.
    #[must_use]
    pub fn asked_by(&self, tenant: Tenant) -> Self {
        Self { lane: Lane::Read(tenant), ..self.clone() }
    }

    /// The same wallet, for what ends in a send: its questions to the node don't wait for those who read.
    #[must_use]
    pub fn for_sending(&self) -> Self {
        Self { lane: self.lane.of_sends(), ..self.clone() }
    }

    /// Whose part of the processors the calculations take that come by way of this.
    pub(super) const fn cpu_share(&self) -> CpuShare {
        if matches!(self.lane, Lane::Send(_)) { CpuShare::Sends } else { CpuShare::Reads }
    }

    /// The services, for what brings a signed transaction to the ledger.
    pub(super) fn pushes(&self) -> Backend {
        Backend { node: self.node(), ..self.inner.backend.clone() }.for_pushes()
    }

    /// The node, as whoever has this handle asks it.
    pub fn node(&self) -> FullNode {
        self.inner.backend.node.in_lane(self.lane.clone())
    }

    /// The public key (compressed) of the address at an index; `None` if it is of several.
    pub fn public_key(&self, index: u32) -> Option<[u8; 33]> {
        self.inner.account.public.public_key(index)
    }

    /// Where its account is: what the paths of its keys begin with. Keys of a list have no paths, and are
    /// told by their last number alone.
    pub fn account_path(&self) -> &'static str {
        match &self.inner.account.public {
            AddressKeys::Account(_) | AddressKeys::List(_) => ACCOUNT_PATH,
            AddressKeys::Multisig(_) => MULTISIG_ACCOUNT_PATH,
        }
    }

    /// The participants, if there are several.
    pub fn participants(&self) -> Option<&MultisigPublic> {
        match &self.inner.account.public {
            AddressKeys::Account(_) | AddressKeys::List(_) => None,
            AddressKeys::Multisig(participants) => Some(participants),
        }
    }

    /// What the node said of itself at the start.
    pub fn node_version(&self) -> &NodeVersion {
        &self.inner.version
    }

    /// Reads the state at the present time (Unix seconds), if the wallet is ready. `read` holds up all
    /// changes: no I/O in it.
    ///
    /// # Errors
    /// [`NotReady`], with the status: `read` is not called then.
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
    ///
    /// # Errors
    /// [`NotReady`]: no address is marked then.
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

    /// Waits until all that was changed so far is kept.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be kept now: that is tried on and on.
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.inner.account.flush().await
    }

    /// The transaction that was recorded for a request with a key, however long ago, and whether its push is
    /// open still.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't say.
    pub async fn recorded(&self, key: SendKey) -> Result<Option<(VertexId, bool)>, StoreError> {
        let Some(record) = self.inner.account.records.record(key.name).await? else { return Ok(None) };
        let transaction = Transaction::from_bytes(&record.transaction).ok();
        let id = transaction.and_then(|transaction| transaction.id().ok()).ok_or_else(|| {
            let what = "a record of a push can't be read".to_owned();
            StoreError::Damaged { place: "of the wallet".to_owned(), what }
        })?;
        Ok(Some((id, record.is_open)))
    }

    /// Watches all addresses up to the one at `last`, and returns once their history is loaded. Only where an
    /// index limit says which are watched.
    ///
    /// # Errors
    /// [`WatchError::NoIndexLimit`] without an index limit, [`WatchError::NotReady`] if the wallet is not
    /// ready, or stops being so while they are loaded: they are watched all the same then.
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
        // The sender is held by the wallet itself.
        let _ = self.watch().wait_for(loaded).await;
        Ok(self.check_ready()?)
    }

    pub(super) fn check_ready(&self) -> Result<(), NotReady> {
        let status = self.inner.status.borrow();
        if status.phase == Phase::Ready { Ok(()) } else { Err(NotReady(Box::new(status.clone()))) }
    }
}

/// Why it can't be said.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfirmationsError {
    /// The node does not tell of the transaction: it does not know it, or does not answer.
    #[error("the full node does not tell how the transaction stands")]
    Transaction(#[source] Option<CallError>),
    /// The node does not tell how high the chain is.
    #[error("the full node does not tell how high the chain is")]
    Height(#[source] CallError),
}

impl Wallet {
    /// How many blocks have come since the one that confirmed a transaction; 0 until one does. The node is
    /// asked.
    ///
    /// # Errors
    /// [`ConfirmationsError`] says what the node does not tell.
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
