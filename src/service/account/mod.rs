//! A running account: one history and one set of reservations, for all its wallet ids in the process
//! ([`SharedAccounts`]). A wallet id is a name for the account with a view of its addresses.

pub mod change_writer;
pub mod facts;
pub mod ids;
pub mod live_state;
pub mod open_pushes;
pub mod record_writer;
pub mod reserve;

use super::backend::Backend;
use super::detached::UnderWay;
use super::error::{SendError, StartError};
use super::status::{Phase, Progress};
use crate::keys::AddressKeys;
use crate::ledger::{Address, Outpoint, SpentOutput, TokenVersion, Transaction, VertexId};
use crate::node::{FullNode, KeyLocks, Lane, NodeVersion};
use crate::rt;
use crate::store::{EventsOnly, MemoryPushRecords, Owner, PushRecords, StoreError, Stores};
use crate::wallet::{ChangeSet, Scan, Settings, State, ViewId};
use change_writer::ChangeWriter;
use facts::EVENTS;
use ids::Ids;
use live_state::{LiveState, lock};
use open_pushes::OpenPushes;
use record_writer::RecordWriter;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::{Mutex as AsyncMutex, Notify, watch};

/// Addresses derived in one step, while the state is locked.
const DERIVED_AT_ONCE: u32 = 200;

/// What all wallet ids of an account share, and its tasks.
pub struct RunningAccount {
    /// [`Owner::name`], the name of its store.
    pub owner: String,
    /// The number of the last event when it was started.
    pub last_event_at_start: u64,
    node: FullNode,
    pub version: NodeVersion,
    pub public: AddressKeys,
    /// Wakes the task that follows the node: there are more addresses to watch, or it shall retry at once.
    pub wake: Notify,
    pub state: Arc<LiveState>,
    pub ids: Arc<Ids>,
    /// How tokens are paid for, as far as the node was asked.
    pub token_versions: Mutex<HashMap<VertexId, TokenVersion>>,
    /// Once ready, other code relies on the history.
    was_ready: AtomicBool,
    pub reservations: watch::Sender<ReservationCounts>,
    /// Pushes whose outcome is unknown; their inputs are reserved.
    pub open: OpenPushes,
    pub keys: KeyLocks,
    pub records: RecordWriter,
    pub tasks: Mutex<Vec<rt::TaskHandle>>,
}

/// A transaction that the node has accepted and the wallet has not applied yet.
pub struct Pushed {
    pub id: VertexId,
    pub transaction: Transaction,
    /// The outputs spent by its inputs, in order, if some are others'.
    pub spends: Option<Vec<SpentOutput>>,
}

/// A transaction that the node has accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// For a creation, also the new token's uid.
    pub id: VertexId,
    pub transaction: Transaction,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ReservationCounts {
    /// Reservations of sends, and of pushes whose outcome is unknown.
    pub live: usize,
    pub ended: u64,
}

impl RunningAccount {
    /// Loads the stored history, with one view of the addresses.
    pub async fn load(
        (public, scan): (AddressKeys, Scan),
        backend: &Backend,
        version: NodeVersion,
        owner: &Owner,
        (stores, shared): (Option<&dyn Stores>, &SharedAccounts),
    ) -> Result<Arc<Self>, StartError> {
        let settings = Settings {
            network: backend.network,
            scan,
            reward_spend_min_blocks: version.reward_spend_min_blocks,
            deposit: version.deposit,
        };
        let (store, kept) = match stores {
            None => (None, ChangeSet::default()),
            Some(stores) => {
                let (store, kept) = stores.open(owner).await?;
                (Some(store), kept)
            }
        };
        let watched = public.clone();
        let state = rt::in_background(move || State::restore(watched, settings, kept)).await;
        let store = match store {
            // Events last as long as the wallet runs.
            None if EVENTS => Some(Arc::new(EventsOnly::default()) as _),
            store => store,
        };
        let (makes_facts, last_event_at_start) = match store.as_ref().and_then(|store| store.event_log()) {
            Some(log) => (log.events_begun().await?.is_some(), log.last_event().await?),
            None => (false, 0),
        };
        let memory = shared.push_records().of(&owner.name());
        let left_open = match store.as_ref().and_then(|store| store.push_records()) {
            Some(records) => records.open_pushes().await?,
            None => memory.open_pushes().await?,
        };
        let ids = Arc::new(Ids::new());
        let records = RecordWriter::new(store.clone(), memory);
        let writer = store.map(|store| ChangeWriter::new(store, ids.clone()));
        let account = Arc::new(Self {
            owner: owner.name(),
            last_event_at_start,
            node: backend.node.clone(),
            version,
            public,
            wake: Notify::new(),
            state: Arc::new(LiveState::new(state, writer)),
            ids,
            token_versions: Mutex::default(),
            was_ready: AtomicBool::new(false),
            reservations: watch::Sender::new(ReservationCounts::default()),
            open: OpenPushes::default(),
            keys: shared.keys.clone(),
            records,
            tasks: Mutex::default(),
        });
        account.find_open(left_open);
        if makes_facts {
            account.state.begin_facts();
        }
        Ok(account)
    }

    /// A wallet id that joins must use the same node, and must not keep the account from moving to another
    /// server.
    pub fn check_joining(&self, node: &FullNode) -> Result<(), StartError> {
        self.state.check_store()?;
        let runs_at = self.node.address();
        if runs_at == node.address() { Ok(()) } else { Err(StartError::OtherNode(runs_at)) }
    }

    /// Adds a view for a wallet id that is about to join, and watches its addresses.
    pub async fn add_view(&self, scan: Scan) -> ViewId {
        let view = {
            let mut state = self.state.write();
            // Drops the views of starts that failed.
            state.retain_views(&self.ids.views());
            state.add_view(scan)
        };
        self.grow(view).await;
        view
    }

    /// Derives and watches the addresses that a view lacks.
    pub async fn grow(&self, view: ViewId) {
        loop {
            let state = self.state.clone();
            if !rt::in_background(move || state.grow(view, DERIVED_AT_ONCE)).await {
                break;
            }
        }
        self.wake.notify_one();
    }

    /// Includes addresses that are about to be watched.
    pub fn address_count(&self) -> u32 {
        self.state.read().addresses().len() as u32
    }

    /// The addresses to watch among those at `places` and from index `from` on, and the number of all. Leaves
    /// in `places` the others: only failed or stopped wallet ids have them.
    pub fn to_watch(&self, places: &mut Vec<u32>, from: u32) -> (Vec<Address>, u32) {
        let Some(views) = self.ids.narrowed() else {
            let state = self.state.read();
            let count = state.addresses().len() as u32;
            let new = if from < count { state.addresses().skip(from as usize).collect() } else { Vec::new() };
            return (new, count);
        };
        let mut state = self.state.write();
        let indexes_of = |view| {
            state.see(Some(view));
            state.addresses_to_watch(0)
        };
        let wanted: Vec<_> = views.into_iter().map(indexes_of).collect();
        state.see(None);
        let all: Vec<Address> = state.addresses().collect();
        places.extend(from..all.len() as u32);
        let address = |place: &u32| all.get(*place as usize);
        let is_wanted = |place: &u32| {
            let index = address(place).and_then(|address| state.index_of(address));
            index.is_some_and(|index| wanted.iter().any(|indexes| indexes.contains(&index)))
        };
        let (now, later) = std::mem::take(places).into_iter().partition::<Vec<u32>, _>(is_wanted);
        *places = later;
        (now.iter().filter_map(address).copied().collect(), all.len() as u32)
    }

    /// Handles the node's refusal to watch an address, which it may not name. Wallet ids with that address
    /// fail. Returns whether others can continue.
    pub fn refuse(&self, address: Option<Address>, problem: &str) -> bool {
        let mut views = self.ids.views();
        if views.len() > 1 {
            let has = |view: &ViewId| {
                let state = self.state.read_through(*view);
                address.is_some_and(|address| state.index_of(&address).is_some())
            };
            views.retain(has);
        }
        self.ids.refuse(&views, problem)
    }

    /// Ends once everything is written. No wallet id may be left.
    pub async fn end(&self) {
        lock(&self.tasks).drain(..).for_each(|task| task.abort());
        if let Some(writer) = &self.state.writer {
            writer.close().await;
        }
        self.records.close().await;
    }

    pub fn sent(&self, Pushed { id, transaction, spends }: Pushed) -> Sent {
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
            self.state.notify_repeated(id);
        }
        Sent { id, transaction }
    }

    /// Locks reserved outputs, durably.
    pub async fn lock_reserved(&self, outputs: &[Outpoint], now: u32, until: u32) -> Result<(), SendError> {
        self.state.apply(|state| state.lock_outpoints(outputs, now, until));
        // A page writes it later: a proposal matters more there than a lock's durability.
        if cfg!(feature = "native") {
            self.flush().await.map_err(SendError::Store)?;
        }
        Ok(())
    }

    pub fn loader(&self) -> FullNode {
        self.node.in_lane(Lane::Load)
    }

    /// The node, for pushes of signed transactions.
    pub fn pusher(&self) -> FullNode {
        self.node.for_pushes()
    }

    pub async fn flush(&self) -> Result<(), StoreError> {
        match &self.state.writer {
            Some(writer) => writer.flush().await,
            None => Ok(()),
        }
    }

    pub fn set_phase(&self, phase: Phase, problem: Option<String>) {
        if let Some(problem) = &problem {
            tracing::warn!(%phase, "{problem}");
        }
        self.ids.update(&|status| {
            status.phase = phase;
            status.problem.clone_from(&problem);
        });
    }

    /// When the node is tried again; `None` unless the account waits for it.
    pub fn set_next_try(&self, time: Option<u32>) {
        self.ids.update(&|status| status.next_try = time);
    }

    pub fn set_ready(&self) {
        let was_ready = self.was_ready.swap(true, Ordering::Relaxed);
        if EVENTS && !was_ready {
            self.state.begin_events();
        }
        self.announce_features();
        self.set_phase(Phase::Ready, None);
    }

    /// Warns of the network's features that this version does not support. The store makes only one event per
    /// feature and state.
    pub fn announce_features(&self) {
        let features = self.node.unsupported_features();
        self.ids.update(&|status| status.unsupported_features.clone_from(&features));
        if EVENTS {
            features.iter().for_each(|feature| self.state.state_fact(facts::of_feature(feature)));
        }
    }

    /// Forgets a wrong history, unless other code relies on it.
    pub fn forget_if_never_ready(&self) {
        if !self.was_ready.load(Ordering::Relaxed) {
            self.state.apply(State::forget);
        }
    }

    /// The number of addresses loaded, in the order of derivation.
    pub fn set_loaded(&self, loaded: u32) {
        if self.ids.status().loaded != loaded {
            self.ids.update(&|status| status.loaded = loaded);
        }
    }

    pub fn progress(&self) -> Progress {
        self.ids.status().progress
    }

    pub fn set_progress(&self, progress: Progress) {
        self.ids.update(&|status| status.progress = progress);
    }
}

/// What the wallets of one process share. Wallets of one account that share it are one at the full node, and
/// are kept in the store of the first. Clones share the same.
#[derive(Clone, Default)]
pub struct SharedAccounts {
    /// By [`Owner::name`].
    slots: Arc<Mutex<HashMap<String, Weak<Slot>>>>,
    push_records: MemoryPushRecords,
    /// Pushes without a wallet.
    pub(in crate::service) pushes: UnderWay,
    pub(in crate::service) keys: KeyLocks,
}

/// Where an account runs, if it does. Locked while a wallet id of it is started or stopped.
pub type Slot = AsyncMutex<Option<Arc<RunningAccount>>>;

impl SharedAccounts {
    /// The records of pushes by wallets without a store.
    pub fn push_records(&self) -> &MemoryPushRecords {
        &self.push_records
    }

    /// Pushes without a wallet, whether or not their callers still wait.
    pub fn pushes_under_way(&self) -> usize {
        self.pushes.count()
    }

    pub async fn pushes_ended(&self) {
        self.pushes.end().await;
    }

    /// Shares nothing yet. `push_records` are for wallets without a store, and set the limit on their number.
    pub fn with_push_records(push_records: MemoryPushRecords) -> Self {
        Self { push_records, ..Self::default() }
    }

    pub(in crate::service) fn slot(&self, owner: &Owner) -> Arc<Slot> {
        let mut slots = lock(&self.slots);
        slots.retain(|_, slot| slot.strong_count() > 0);
        let key = owner.name();
        slots.get(&key).and_then(Weak::upgrade).unwrap_or_else(|| {
            let slot = Arc::<Slot>::default();
            slots.insert(key, Arc::downgrade(&slot));
            slot
        })
    }
}
