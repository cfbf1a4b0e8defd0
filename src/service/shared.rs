//! The running accounts of a process: all wallet ids of one account share it.

use super::account::RunningAccount;
use super::detached::UnderWay;
use super::live_state::lock;
use crate::node::KeyLocks;
use crate::store::{MemoryPushRecords, Owner};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::Mutex as AsyncMutex;

/// What the wallets of one process share: those that are started with the same one, of one account, are one,
/// at the full node and in the store of the first. Clones are the same.
#[derive(Clone, Default)]
pub struct SharedAccounts {
    /// By the owner's name.
    slots: Arc<Mutex<HashMap<String, Weak<Slot>>>>,
    push_records: MemoryPushRecords,
    /// Pushes that need no wallet.
    pub(super) pushes: UnderWay,
    /// Requests that are not to be carried out twice, by the names of their keys.
    pub(super) keys: KeyLocks,
}

/// Where an account runs, if it does. Locked while a wallet id of it is started or stopped.
pub(super) type Slot = AsyncMutex<Option<Arc<RunningAccount>>>;

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
    pub(super) fn slot(&self, owner: &Owner) -> Arc<Slot> {
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
