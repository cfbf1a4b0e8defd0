//! Stores for as long as the process runs.

use super::memory_events::MemoryEvents;
use super::{EventFacts, EventLog};
use super::{Owner, Store, StoreError, Stores};
use crate::wallet::ChangeSet;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Merged change sets in memory: a wallet can be stopped and started again without loading its history.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<ChangeSet>,
    events: MemoryEvents,
}

#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
impl Store for MemoryStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        Ok(self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if changes.forget {
            self.events.mark_known(kept.vertices.keys());
        }
        kept.merge(changes.clone());
        kept.mark_kept();
        Ok(())
    }

    async fn append_with_events(&self, changes: &ChangeSet, facts: &EventFacts) -> Result<(), StoreError> {
        {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            self.events.add_events(facts, |id| kept.vertices.contains_key(id));
        }
        self.append(changes).await
    }

    fn event_log(&self) -> Option<&dyn EventLog> {
        Some(&self.events)
    }
}

#[derive(Debug, Default)]
pub struct MemoryStores(Mutex<HashMap<String, Arc<MemoryStore>>>);

#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
impl Stores for MemoryStores {
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let store = {
            let mut stores = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            stores.entry(owner.name()).or_default().clone()
        };
        let kept = store.load().await?;
        Ok((store, kept))
    }
}
