//! A running account: one history, and one answer to who may spend an output, for all wallet ids of it in
//! the process ([`SharedAccounts`]). A wallet id is a name for it with a view of its addresses.

pub mod change_writer;
pub mod facts;
pub mod ids;
pub mod live_state;
pub mod open_pushes;
pub mod record_writer;
pub mod reserve;

use super::detached::UnderWay;
use super::{Backend, Options, Phase, Progress, SendError, Sent, StartError};
use crate::keys::AddressKeys;
use crate::ledger::{Address, Outpoint, SpentOutput, TokenVersion, Transaction, VertexId};
use crate::node::{FullNode, KeyLocks, Lane, NodeVersion};
use crate::rt;
use crate::store::{EventsOnly, MemoryPushRecords, Owner, PushRecords, StoreError};
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

/// Addresses derived while the account waits.
const DERIVED_AT_ONCE: u32 = 200;

/// What all wallet ids of an account share, and the tasks that work for it.
pub struct RunningAccount {
    /// What its store is called.
    pub owner: String,
    /// The number of the last event that was kept when it was started.
    pub last_event_at_start: u64,
    node: FullNode,
    /// What the node said of its network at the start.
    pub version: NodeVersion,
    pub public: AddressKeys,
    /// Wakes the task that follows the node: there are more addresses to be watched, or it shall not wait any
    /// longer to try again.
    pub wake: Notify,
    pub state: Arc<LiveState>,
    pub ids: Arc<Ids>,
    /// How tokens are paid for, as far as it has been asked for.
    pub token_versions: Mutex<HashMap<VertexId, TokenVersion>>,
    /// Whether it has been ready since it was started: then others rely on what it knows.
    was_ready: AtomicBool,
    pub held: watch::Sender<Held>,
    /// Pushes whose outcome is not known: what they spend is nobody else's.
    pub open: OpenPushes,
    pub keys: KeyLocks,
    /// Where its pushes are recorded.
    pub records: RecordWriter,
    /// Such as that which follows the node.
    pub tasks: Mutex<Vec<rt::TaskHandle>>,
}

/// A transaction that the node has taken, and the wallet does not know of yet.
pub struct Pushed {
    pub id: VertexId,
    pub transaction: Transaction,
    /// What its inputs spend, in their order, where some are others'.
    pub spends: Option<Vec<SpentOutput>>,
}

/// What is reserved in an account.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// Reservations of sends, and of pushes whose outcome is not known.
    pub live: usize,
    /// Those that have ended.
    pub ended: u64,
}

impl RunningAccount {
    /// Loads what is kept, with one view of the addresses.
    pub async fn load(
        (public, scan): (AddressKeys, Scan),
        backend: &Backend,
        version: NodeVersion,
        owner: &Owner,
        options: &Options,
    ) -> Result<Arc<Self>, StartError> {
        let settings = Settings {
            network: backend.network,
            scan,
            reward_spend_min_blocks: version.reward_spend_min_blocks,
            deposit: version.deposit,
        };
        let (store, kept) = match &options.stores {
            None => (None, ChangeSet::default()),
            Some(stores) => {
                let (store, kept) = stores.open(owner).await?;
                (Some(store), kept)
            }
        };
        let watched = public.clone();
        let state = rt::in_background(move || State::restore(watched, settings, kept)).await;
        let store = match store {
            // Its events last as long as it runs.
            None if EVENTS => Some(Arc::new(EventsOnly::default()) as _),
            store => store,
        };
        let (tells, last_event_at_start) = match store.as_ref().and_then(|store| store.event_log()) {
            Some(log) => (log.events_begun().await?.is_some(), log.last_event().await?),
            None => (false, 0),
        };
        let memory = options.shared.push_records().of(&owner.name());
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
            held: watch::Sender::new(Held::default()),
            open: OpenPushes::default(),
            keys: options.shared.keys.clone(),
            records,
            tasks: Mutex::default(),
        });
        account.find_open(left_open);
        if tells {
            account.state.begin_telling();
        }
        Ok(account)
    }

    /// A wallet id that joins must ask the same node, and must not keep the account from moving to another
    /// server.
    pub fn check_joining(&self, node: &FullNode) -> Result<(), StartError> {
        self.state.check_store()?;
        let runs_at = self.node.address();
        if runs_at == node.address() { Ok(()) } else { Err(StartError::OtherNode(runs_at)) }
    }

    /// Adds a view, for a wallet id that is to join, and watches its addresses.
    pub async fn add_view(&self, scan: Scan) -> ViewId {
        let view = {
            let mut state = self.state.write();
            // Those of starts that were given up are of no use.
            state.retain_views(&self.ids.views());
            state.add_view(scan)
        };
        self.grow(view).await;
        view
    }

    /// Derives and watches what a view lacks.
    pub async fn grow(&self, view: ViewId) {
        loop {
            let state = self.state.clone();
            if !rt::in_background(move || state.grow(view, DERIVED_AT_ONCE)).await {
                break;
            }
        }
        self.wake.notify_one();
    }

    /// How many addresses are watched, or will be next.
    pub fn address_count(&self) -> u32 {
        self.state.read().addresses().len() as u32
    }

    /// The addresses that are to be watched, of those at these places and from the place `from` on, and how
    /// many there are in all. The places of the others are left: only wallet ids have them that the node
    /// refused or that are stopped.
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

    /// The node refuses to watch an address of the account; it may not say which. Wallet ids with that
    /// address fail. Returns whether the others can go on.
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

    /// Ends once everything is kept. No wallet id is left.
    pub async fn end(&self) {
        lock(&self.tasks).drain(..).for_each(|task| task.abort());
        if let Some(writer) = &self.state.writer {
            writer.close().await;
        }
        self.records.close().await;
    }

    /// Takes what was pushed into the history.
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
            self.state.tell_repeated(id);
        }
        Sent { id, transaction }
    }

    /// Locks outputs, which are reserved, durably.
    pub async fn lock_reserved(&self, outputs: &[Outpoint], now: u32, until: u32) -> Result<(), SendError> {
        self.state.apply(|state| state.lock_outpoints(outputs, now, until));
        // Pages keep it later: what they propose is worth more to them than its lock.
        if cfg!(feature = "native") {
            self.flush().await.map_err(SendError::Store)?;
        }
        Ok(())
    }

    /// The node, as what follows the ledger asks it.
    pub fn loader(&self) -> FullNode {
        self.node.in_lane(Lane::Load)
    }

    /// The node, for what brings a signed transaction to the ledger.
    pub fn pusher(&self) -> FullNode {
        self.node.for_pushes()
    }

    /// Waits until all that was changed so far is kept.
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

    /// When the node is tried again, while the account waits for that.
    pub fn set_next_try(&self, time: Option<u32>) {
        self.ids.update(&|status| status.next_try = time);
    }

    pub fn set_ready(&self) {
        let was_ready = self.was_ready.swap(true, Ordering::Relaxed);
        if EVENTS && !was_ready {
            self.state.begin_events();
        }
        self.tell_features();
        self.set_phase(Phase::Ready, None);
    }

    /// Warns of the network's features that this version does not support. The store makes an event of each
    /// only once.
    pub fn tell_features(&self) {
        let features = self.node.unsupported_features();
        self.ids.update(&|status| status.unsupported_features.clone_from(&features));
        if EVENTS {
            features.iter().for_each(|feature| self.state.state_fact(facts::of_feature(feature)));
        }
    }

    /// Forgets the history, which is wrong, unless others rely on it.
    pub fn forget_if_never_ready(&self) {
        if !self.was_ready.load(Ordering::Relaxed) {
            self.state.apply(State::forget);
        }
    }

    /// So many addresses are loaded, in the order in which they were derived.
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

/// What the wallets of one process share: those that are started with the same one, of one account, are one,
/// at the full node and in the store of the first. Clones are the same.
#[derive(Clone, Default)]
pub struct SharedAccounts {
    /// By the owner's name.
    slots: Arc<Mutex<HashMap<String, Weak<Slot>>>>,
    push_records: MemoryPushRecords,
    /// Pushes that need no wallet.
    pub(in crate::service) pushes: UnderWay,
    /// Requests that are not to be carried out twice, by the names of their keys.
    pub(in crate::service) keys: KeyLocks,
}

/// Where an account runs, if it does. Locked while a wallet id of it is started or stopped.
pub type Slot = AsyncMutex<Option<Arc<RunningAccount>>>;

impl SharedAccounts {
    /// Where pushes of wallets are recorded that are kept nowhere.
    pub fn push_records(&self) -> &MemoryPushRecords {
        &self.push_records
    }

    /// How many transactions are being pushed that are no wallet's, whether or not their callers still wait.
    pub fn pushes_under_way(&self) -> usize {
        self.pushes.count()
    }

    /// Waits until none is.
    pub async fn pushes_ended(&self) {
        self.pushes.end().await;
    }

    /// Nothing shared yet; pushes of wallets that are kept nowhere are recorded in `push_records`, which says
    /// how many there is room for.
    pub fn with_push_records(push_records: MemoryPushRecords) -> Self {
        Self { push_records, ..Self::default() }
    }

    /// Where an account runs.
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
