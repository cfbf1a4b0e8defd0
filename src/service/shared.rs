//! What the wallets of one process know of each other, so that two of them that are of one account never
//! spend the same output, and no two calls of contracts have the same number.
//!
//! Each has a state of its own: they may watch different addresses. What a plan takes is claimed here, all of
//! it or nothing, before the plan is carried out; who comes too late plans again with other outputs. What one
//! of them sends is told to the others before its claim ends, so that no output is free anywhere between the
//! two.

use super::detached::UnderWay;
use super::live_state::{LiveState, lock};
use super::open_pushes::{OpenPush, OpenPushes};
use crate::ledger::{Outpoint, Vertex};
use crate::node::KeyLocks;
use crate::store::MemoryPushRecords;
use crate::store::Owner;
use crate::wallet::{CallNumber, State, Update};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::{Mutex as AsyncMutex, watch};

/// What the wallets of one process share: those that are started with the same one know of each other. Clones
/// are the same.
#[derive(Clone, Default)]
pub struct SharedAccounts {
    accounts: Arc<Mutex<HashMap<String, Weak<SharedAccount>>>>,
    push_records: MemoryPushRecords,
    /// Pushes that need no wallet.
    pub(super) pushes: UnderWay,
    /// Their keys, as those of an account.
    pub(super) pushed_keys: KeyLocks,
}

/// What wallets of one account on one chain share.
#[derive(Default)]
pub(super) struct SharedAccount {
    claimed: Mutex<Claimed>,
    /// Pushes whose outcome is not known: what they spend is nobody else's.
    pub(super) open: OpenPushes,
    wallets: Mutex<Vec<Weak<LiveState>>>,
    pub(super) held: watch::Sender<Held>,
    /// Requests that are not to be carried out twice, by the names of their keys.
    pub(super) keys: KeyLocks,
    /// Held while one of its wallets is started.
    pub(super) starting: AsyncMutex<()>,
    /// How many of its wallets run.
    running: AtomicUsize,
    /// Held by the wallet that pushes what is open.
    pub(super) recovery: AsyncMutex<()>,
}

/// A wallet of an account that runs, until this is dropped.
pub(super) struct Running(Arc<SharedAccount>);

impl Drop for Running {
    fn drop(&mut self) {
        // The next one looks in the store for what is open.
        if self.0.running.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.open.clear();
        }
    }
}

/// The sends of an account that hold inputs, in all of its wallets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Under way.
    pub(super) holding: usize,
    /// Those that have ended.
    pub(super) ended: u64,
    /// Pushes whose outcome is not known.
    pub(super) open: usize,
}

/// What only sends under way may use.
#[derive(Default)]
struct Claimed {
    outputs: HashSet<Outpoint>,
    calls: HashSet<CallNumber>,
}

/// Outputs that only its holder may spend, and the number that only its call may have, until it is dropped.
pub(super) struct Claim {
    account: Arc<SharedAccount>,
    outputs: Vec<Outpoint>,
    call: Option<CallNumber>,
}

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

    /// Wallets of an account ([`Owner::name`]) that are started from now on know nothing of those before:
    /// these can't send any more.
    pub fn forget(&self, owner: &str) {
        lock(&self.accounts).remove(owner);
    }

    pub(super) fn of(&self, owner: &Owner) -> Arc<SharedAccount> {
        let mut accounts = lock(&self.accounts);
        accounts.retain(|_, account| account.strong_count() > 0);
        let name = owner.name();
        accounts.get(&name).and_then(Weak::upgrade).unwrap_or_else(|| {
            let account = Arc::<SharedAccount>::default();
            accounts.insert(name, Arc::downgrade(&account));
            account
        })
    }
}

impl SharedAccount {
    /// Takes a wallet in. It locks what the others have locked, and knows of their swaps.
    pub(super) fn join(&self, wallet: &Arc<LiveState>) {
        let others = self.others(wallet);
        if let Some(other) = others.first() {
            let (other, mut state) = (other.read(), wallet.write());
            state.restore_locks(other.locked_outpoints());
            state.share_swaps(&other);
        }
        lock(&self.wallets).push(Arc::downgrade(wallet));
    }

    /// A wallet of the account runs from now on. To be called in the turn to start one.
    pub(super) fn begin(self: &Arc<Self>) -> Running {
        self.running.fetch_add(1, Ordering::SeqCst);
        Running(self.clone())
    }

    /// Whether none of its wallets runs: what was known of open pushes may be old.
    pub(super) fn is_idle(&self) -> bool {
        self.running.load(Ordering::SeqCst) == 0
    }

    /// Claims all of the outputs and the number of a call, or nothing; then it gives those that somebody else
    /// has. What the open push of the key `own` has is free for it.
    pub(super) fn claim(
        self: &Arc<Self>,
        outputs: Vec<Outpoint>,
        call: Option<CallNumber>,
        own: Option<&[u8; 32]>,
    ) -> Result<Claim, (Vec<Outpoint>, Option<CallNumber>)> {
        let mut claimed = lock(&self.claimed);
        let is_taken =
            |output: &Outpoint| claimed.outputs.contains(output) || self.open.have_output(output, own);
        let taken: Vec<_> = outputs.iter().copied().filter(is_taken).collect();
        let taken_call = call.filter(|call| claimed.calls.contains(call) || self.open.have_call(call, own));
        if !taken.is_empty() || taken_call.is_some() {
            return Err((taken, taken_call));
        }
        claimed.outputs.extend(outputs.iter().copied());
        claimed.calls.extend(call);
        Ok(Claim { account: self.clone(), outputs, call })
    }

    /// A push is open from now on, or still.
    pub(super) fn keep_open(&self, open: OpenPush) {
        self.open.add(open);
        self.note_open(false);
    }

    /// A push is not open any more, if it was.
    pub(super) fn end_open(&self, key: &[u8; 32]) {
        if self.open.remove(key) {
            self.note_open(true);
        }
    }

    fn note_open(&self, has_ended: bool) {
        let count = self.open.count();
        self.held.send_modify(|held| {
            held.open = count;
            held.ended += u64::from(has_ended);
        });
    }

    /// Tells the other wallets what one has sent.
    pub(super) fn tell_sent(&self, wallet: &LiveState, sent: &Vertex) {
        for other in self.others(wallet) {
            other.apply(|state| match state.vertex(&sent.id) {
                // What it knows of it already is newer.
                Some(_) => Update::default(),
                None => state.apply(sent.clone()),
            });
        }
    }

    /// Locks or unlocks outputs in all wallets of the account.
    pub(super) fn apply_to_all(&self, wallet: &LiveState, change: impl Fn(&mut State) -> Update) {
        wallet.apply(&change);
        self.others(wallet).iter().for_each(|other| other.apply(&change));
    }

    fn others(&self, wallet: &LiveState) -> Vec<Arc<LiveState>> {
        let mut wallets = lock(&self.wallets);
        wallets.retain(|wallet| wallet.strong_count() > 0);
        let others = wallets.iter().filter_map(Weak::upgrade);
        others.filter(|other| !std::ptr::eq(Arc::as_ptr(other), wallet)).collect()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut claimed = lock(&self.account.claimed);
        for output in &self.outputs {
            claimed.outputs.remove(output);
        }
        if let Some(call) = &self.call {
            claimed.calls.remove(call);
        }
    }
}
