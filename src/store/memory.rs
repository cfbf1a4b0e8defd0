//! A store that lasts as long as the process.

use super::{Store, StoreError};
use crate::wallet::ChangeSet;
use std::sync::{Mutex, PoisonError};

/// Keeps change sets in memory, merged: lets a wallet be stopped and started again without asking for everything.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<ChangeSet>);

#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
impl Store for MemoryStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    async fn append(&self, changes: ChangeSet) -> Result<(), StoreError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).merge(changes);
        Ok(())
    }
}
