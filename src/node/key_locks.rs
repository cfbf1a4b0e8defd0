//! One lock a key, there only as long as somebody has it or waits for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::OwnedMutexGuard;

type Lock = tokio::sync::Mutex<()>;

/// Locks by key. Clones are the same locks.
#[derive(Clone, Debug, Default)]
pub struct KeyLocks(Arc<Mutex<HashMap<[u8; 32], Weak<Lock>>>>);

/// The lock of one key, until this is dropped.
#[derive(Debug)]
pub struct KeyGuard {
    /// Somebody else had it first.
    pub waited: bool,
    _guard: OwnedMutexGuard<()>,
    _entry: Entry,
}

/// Takes the key out of the table when nobody is left who wants it.
#[derive(Debug)]
struct Entry {
    locks: KeyLocks,
    key: [u8; 32],
    lock: Option<Arc<Lock>>,
}

impl KeyLocks {
    /// Waits until nobody else has the lock of `key`.
    pub async fn lock(&self, key: [u8; 32]) -> KeyGuard {
        let lock = {
            let mut table = self.table();
            let known = table.get(&key).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let lock = Arc::<Lock>::default();
                table.insert(key, Arc::downgrade(&lock));
                lock
            })
        };
        let entry = Entry { locks: self.clone(), key, lock: Some(lock.clone()) };
        let (guard, waited) = match lock.clone().try_lock_owned() {
            Ok(guard) => (guard, false),
            Err(_) => (lock.lock_owned().await, true),
        };
        KeyGuard { waited, _guard: guard, _entry: entry }
    }

    /// How many keys somebody has or waits for.
    pub fn len(&self) -> usize {
        self.table().len()
    }

    /// Whether nobody has any.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn table(&self) -> MutexGuard<'_, HashMap<[u8; 32], Weak<Lock>>> {
        // Every change is one call, so a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut table = self.locks.table();
        // Under the table's lock, so that the last one to leave sees that it is the last.
        self.lock = None;
        if table.get(&self.key).is_some_and(|lock| lock.strong_count() == 0) {
            table.remove(&self.key);
        }
    }
}
