//! Opened seed phrases, for as long as the server runs.

use super::store::{self, SeedError, SeedStore};
use crate::keys::{Seed, VaultError};
use crate::store::Documents;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use zeroize::Zeroizing;

#[derive(Clone, Default)]
pub struct SealedSeeds(Arc<RwLock<BTreeMap<String, Seed>>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    pub open: Vec<String>,
    /// The names of seeds with another password.
    pub locked: Vec<String>,
}

impl SealedSeeds {
    /// `None` unless it is open.
    pub fn get(&self, name: &str) -> Option<Seed> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Opens all seeds of the password. Seeds that are no longer stored are closed.
    ///
    /// # Errors
    /// [`SeedError`], also if the password opens none of them.
    pub async fn unlock(
        &self,
        documents: &dyn Documents,
        password: Zeroizing<String>,
    ) -> Result<Opened, SeedError> {
        let store = store::read(documents).await?;
        let names: Vec<_> = store.seeds.iter().map(|seed| seed.name.clone()).collect();
        let worked = tokio::task::spawn_blocking(move || open_all(&store, &password)).await;
        let found = worked.map_err(|failure| SeedError::Unreadable(failure.to_string()))??;
        if found.is_empty() && !names.is_empty() {
            return Err(VaultError::WrongPassword.into());
        }
        let (open, locked) = names.iter().cloned().partition(|name| found.contains_key(name));
        let mut seeds = self.0.write().unwrap_or_else(PoisonError::into_inner);
        seeds.retain(|name, _| names.contains(name));
        seeds.extend(found);
        Ok(Opened { open, locked })
    }

    /// Whether a seed of a name is stored and not open.
    pub async fn is_locked(&self, documents: &dyn Documents, name: &str) -> Result<bool, SeedError> {
        Ok(self.get(name).is_none() && store::read(documents).await?.get(name).is_ok())
    }
}

fn open_all(store: &SeedStore, password: &str) -> Result<BTreeMap<String, Seed>, SeedError> {
    let mut found = BTreeMap::new();
    for seed in &store.seeds {
        match seed.open(password) {
            Ok(opened) => drop(found.insert(seed.name.clone(), opened)),
            Err(SeedError::Vault(VaultError::WrongPassword)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
