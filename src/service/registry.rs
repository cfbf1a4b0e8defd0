//! The wallets of one process, by the ids that users gave them.

use super::error::StartError;
use super::wallet::Wallet;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Names are taken before a start begins, so that two starts at once can't share one.
#[derive(Default)]
pub struct Registry {
    slots: Mutex<HashMap<String, Slot>>,
}

enum Slot {
    Starting,
    Started(Wallet),
}

impl Registry {
    /// Starts a wallet as `name`. The name is taken while `start` is awaited, and free again if it fails.
    ///
    /// # Errors
    /// [`StartError::AlreadyStarted`] if the name is taken: `start` is not awaited then.
    pub async fn start<F>(&self, name: &str, start: F) -> Result<Wallet, StartError>
    where
        F: Future<Output = Result<Wallet, StartError>>,
    {
        let held = self.take(name)?;
        let wallet = start.await?;
        held.fill(wallet.clone());
        Ok(wallet)
    }

    /// `None` also while it starts.
    pub fn get(&self, name: &str) -> Option<Wallet> {
        match self.slots().get(name) {
            Some(Slot::Started(wallet)) => Some(wallet.clone()),
            _ => None,
        }
    }

    pub fn started(&self) -> Vec<(String, Wallet)> {
        let started = |(name, slot): (&String, &Slot)| match slot {
            Slot::Started(wallet) => Some((name.clone(), wallet.clone())),
            Slot::Starting => None,
        };
        self.slots().iter().filter_map(started).collect()
    }

    /// Whether a wallet or a start under way has the name.
    pub fn contains(&self, name: &str) -> bool {
        self.slots().contains_key(name)
    }

    /// Sends under way are finished first.
    pub async fn stop(&self, name: &str) -> bool {
        let Some(wallet) = self.get(name) else { return false };
        wallet.stop().await;
        // Another stop may have been faster, and the name may be taken again.
        self.remove(name, &wallet);
        true
    }

    pub fn remove(&self, name: &str, wallet: &Wallet) {
        let mut slots = self.slots();
        if matches!(slots.get(name), Some(Slot::Started(now)) if now.is(wallet)) {
            slots.remove(name);
        }
    }

    /// Each after its sends under way.
    pub async fn stop_all(&self) {
        let wallets: Vec<Wallet> = self
            .slots()
            .drain()
            .filter_map(|(_, slot)| match slot {
                Slot::Started(wallet) => Some(wallet),
                Slot::Starting => None,
            })
            .collect();
        futures_util::future::join_all(wallets.iter().map(Wallet::stop)).await;
    }

    fn take(&self, name: &str) -> Result<TakenName<'_>, StartError> {
        let mut slots = self.slots();
        if slots.contains_key(name) {
            return Err(StartError::AlreadyStarted);
        }
        slots.insert(name.to_owned(), Slot::Starting);
        Ok(TakenName { registry: self, name: name.to_owned(), filled: false })
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        // Ignores poisoning: each change is one call, so nothing is half done.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name taken for a start under way; freed when dropped unfilled (the start failed, or its caller went
/// away).
struct TakenName<'a> {
    registry: &'a Registry,
    name: String,
    filled: bool,
}

impl TakenName<'_> {
    fn fill(mut self, wallet: Wallet) {
        self.registry.slots().insert(self.name.clone(), Slot::Started(wallet));
        self.filled = true;
    }
}

impl Drop for TakenName<'_> {
    fn drop(&mut self) {
        if !self.filled {
            self.registry.slots().remove(&self.name);
        }
    }
}
