//! What the wallets of one process know of each other, so that two of them that are of one account never
//! spend the same output, and no two calls of contracts have the same number.
//!
//! Each has a state of its own: they may watch different addresses. What a plan takes is claimed here, all of
//! it or nothing, before the plan is carried out; who comes too late plans again with other outputs. What one
//! of them sends is told to the others before its claim ends, so that no output is free anywhere between the
//! two.

use super::detached::UnderWay;
use super::live_state::{LiveState, lock};
use super::turns::Turns;
use crate::ledger::{Outpoint, Vertex};
use crate::node::KeyLocks;
use crate::store::MemoryPushRecords;
use crate::store::{Owner, SharedClaim};
use crate::wallet::{CallNumber, State, Update};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::watch;

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
    wallets: Mutex<Vec<Weak<LiveState>>>,
    pub(super) held: watch::Sender<Held>,
    /// Requests that are not to be carried out twice, by the names of their keys.
    pub(super) keys: KeyLocks,
    /// Those of this server with the account, among all servers.
    pub(super) turns: Turns,
}

/// The sends of an account that hold inputs, in all of its wallets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Under way.
    pub(super) holding: usize,
    /// Those that have ended.
    pub(super) ended: u64,
    /// What other servers hold, and what was recorded by any and not settled.
    pub(super) elsewhere: usize,
}

/// What only sends under way may use.
#[derive(Default)]
struct Claimed {
    outputs: HashSet<Outpoint>,
    calls: HashSet<CallNumber>,
    /// What other servers have, as far as is known here.
    elsewhere: HashSet<SharedClaim>,
}

impl Claimed {
    fn has_output(&self, output: &Outpoint) -> bool {
        self.outputs.contains(output) || self.elsewhere.contains(&SharedClaim::Output(*output))
    }

    fn has_call(&self, call: &CallNumber) -> bool {
        self.calls.contains(call) || self.elsewhere.contains(&shared_call(call))
    }
}

fn shared_call(call: &CallNumber) -> SharedClaim {
    SharedClaim::Call { address: call.address, seqnum: call.seqnum }
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

    /// Claims all of the outputs and the number of a call, or nothing; then it gives those that somebody else
    /// has.
    pub(super) fn claim(
        self: &Arc<Self>,
        outputs: Vec<Outpoint>,
        call: Option<CallNumber>,
    ) -> Result<Claim, (Vec<Outpoint>, Option<CallNumber>)> {
        let mut claimed = lock(&self.claimed);
        let taken: Vec<_> = outputs.iter().copied().filter(|output| claimed.has_output(output)).collect();
        let taken_call = call.filter(|call| claimed.has_call(call));
        if !taken.is_empty() || taken_call.is_some() {
            return Err((taken, taken_call));
        }
        claimed.outputs.extend(outputs.iter().copied());
        claimed.calls.extend(call);
        Ok(Claim { account: self.clone(), outputs, call })
    }

    /// Whether another server has an output, or one that was recorded by any and not settled, as far as is
    /// known here.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn is_elsewhere(&self, output: Outpoint) -> bool {
        lock(&self.claimed).elsewhere.contains(&SharedClaim::Output(output))
    }

    /// Takes in that other servers have this, too: until it is known what all of them have.
    pub(super) fn add_elsewhere(&self, claims: Vec<SharedClaim>) {
        let count = {
            let mut claimed = lock(&self.claimed);
            claimed.elsewhere.extend(claims);
            claimed.elsewhere.len()
        };
        self.held.send_if_modified(|held| std::mem::replace(&mut held.elsewhere, count) != count);
    }

    /// Takes in what other servers have. Sends that wait plan again if some of that is free, or spent.
    pub(super) fn set_elsewhere(&self, claims: Vec<SharedClaim>) {
        let claims: HashSet<_> = claims.into_iter().collect();
        let (count, was_freed) = {
            let mut claimed = lock(&self.claimed);
            let was_freed = !claimed.elsewhere.is_subset(&claims);
            claimed.elsewhere = claims;
            (claimed.elsewhere.len(), was_freed)
        };
        self.held.send_if_modified(|held| {
            let changed = was_freed || held.elsewhere != count;
            held.elsewhere = count;
            held.ended += u64::from(was_freed);
            changed
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

impl Claim {
    /// The same, for all servers.
    pub(super) fn shared_claims(&self) -> Vec<SharedClaim> {
        let outputs = self.outputs.iter().copied().map(SharedClaim::Output);
        outputs.chain(self.call.as_ref().map(shared_call)).collect()
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
