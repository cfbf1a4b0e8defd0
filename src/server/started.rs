//! Wallets that servers on one store share: one that was started in any of them is started here when it is
//! asked for, and stopped here when it was stopped there.

use super::App;
use crate::ledger::sha256d;
use crate::node::{KeyGuard, KeyLocks};
use crate::rt;
use crate::service::Wallet;
use crate::store::{Started, StoreError};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often it is looked whether wallets were stopped in other servers.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The wallets of this server that are started for all.
#[derive(Default)]
pub(super) struct StartedForAll {
    numbers: Mutex<HashMap<String, (u64, Wallet)>>,
    /// Held while a wallet of an id is started or stopped.
    turns: KeyLocks,
    is_watched: AtomicBool,
}

impl StartedForAll {
    fn numbers(&self) -> MutexGuard<'_, HashMap<String, (u64, Wallet)>> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None of them runs here any more.
    pub(super) fn forget_all(&self) {
        self.numbers().clear();
    }
}

impl App {
    /// The turn to start a wallet of an id.
    pub(super) async fn turn_of(&self, id: &str) -> KeyGuard {
        self.started_for_all().turns.lock(sha256d(id.as_bytes())).await
    }

    /// What a wallet was started by, in whichever server; `None` too where servers share none.
    pub(super) async fn started_anywhere(&self, id: &str) -> Result<Option<Started>, StoreError> {
        let Some(stores) = self.stores() else { return Ok(None) };
        let Some(all) = stores.started_wallets() else { return Ok(None) };
        all.started(self.config().network.name(), id).await
    }

    /// Starts a wallet that runs here for all servers, by a request that has no secret in it. `false` if the
    /// id is another wallet's there.
    pub(super) async fn start_for_all(
        &self,
        id: &str,
        wallet: &Wallet,
        request: &str,
    ) -> Result<bool, StoreError> {
        let Some(stores) = self.stores() else { return Ok(true) };
        let Some(all) = stores.started_wallets() else { return Ok(true) };
        let started = all.keep_started(self.config().network.name(), id, request).await?;
        if started.request != request {
            return Ok(false);
        }
        let known = self.started_for_all();
        known.numbers().insert(id.to_owned(), (started.number, wallet.clone()));
        if !known.is_watched.swap(true, Ordering::Relaxed) {
            tokio::spawn(watch(self.clone()));
        }
        Ok(true)
    }

    /// Stops a wallet, in all servers if it was started for all.
    pub(super) async fn stop_for_all(&self, id: &str, wallet: &Wallet) -> Result<(), StoreError> {
        let number = self.started_for_all().numbers().get(id).map(|(number, _)| *number);
        if let (Some(number), Some(stores)) = (number, self.stores())
            && let Some(all) = stores.started_wallets()
        {
            all.forget_started(self.config().network.name(), id, number).await?;
        }
        self.stop_wallet(id, wallet).await;
        Ok(())
    }

    async fn stop_wallet(&self, id: &str, wallet: &Wallet) {
        self.started_for_all().numbers().remove(id);
        self.wallets().stop(id).await;
        self.drop_journal(id, wallet);
        self.drop_tasks(id, wallet);
    }
}

/// Stops what was stopped elsewhere, until the server ends.
async fn watch(app: App) {
    let mut is_deaf = false;
    loop {
        tokio::select! {
            () = rt::sleep(LOOK_EVERY) => {}
            () = app.clone().ending() => return,
        }
        match stopped_elsewhere(&app).await {
            Ok(stopped) => {
                is_deaf = false;
                for (id, wallet) in stopped {
                    tracing::info!("wallet {id:?} was stopped in another server");
                    app.stop_wallet(&id, &wallet).await;
                }
            }
            // Said once, not every second.
            Err(failure) if !std::mem::replace(&mut is_deaf, true) => {
                tracing::warn!("which wallets other servers have stopped is not known: {failure}");
            }
            Err(_) => {}
        }
    }
}

async fn stopped_elsewhere(app: &App) -> Result<Vec<(String, Wallet)>, StoreError> {
    let Some(stores) = app.stores() else { return Ok(Vec::new()) };
    let Some(all) = stores.started_wallets() else { return Ok(Vec::new()) };
    let numbers: Vec<u64> = app.started_for_all().numbers().values().map(|(number, _)| *number).collect();
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let stopped = all.stopped_among(&numbers).await?;
    let known = app.started_for_all().numbers();
    let stopped = known.iter().filter(|(_, (number, _))| stopped.contains(number));
    Ok(stopped.map(|(id, (_, wallet))| (id.clone(), wallet.clone())).collect())
}
