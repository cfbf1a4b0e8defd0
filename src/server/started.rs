//! Wallets that servers on one store share: one that was started in any of them is started here when it is
//! asked for, and stopped here when it was stopped there.

use super::App;
use crate::ledger::sha256d;
use crate::node::{KeyGuard, KeyLocks};
use crate::rt;
use crate::service::Wallet;
use crate::store::{Started, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often it is looked whether wallets were stopped in other servers.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a request waits for others that start or stop the same wallet: each may wait for a database.
const TURN_LIMIT: Duration = Duration::from_secs(20);
/// How long that look waits for them: there is a next one.
const SHORT_TURN_LIMIT: Duration = Duration::from_millis(100);

/// The wallets of this server that are started for all.
#[derive(Default)]
pub(super) struct StartedForAll {
    known: Mutex<HashMap<String, Known>>,
    /// Those that are started because a request for them came.
    on_demand: Mutex<HashSet<String>>,
    /// Held while a wallet of an id is started or stopped.
    turns: KeyLocks,
    is_watched: AtomicBool,
}

/// One of them.
struct Known {
    number: u64,
    wallet: Wallet,
}

impl StartedForAll {
    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The wallet of an id, if it is the one of a number.
    pub(super) fn wallet(&self, id: &str, number: u64) -> Option<Wallet> {
        self.known().get(id).filter(|known| known.number == number).map(|known| known.wallet.clone())
    }

    /// None of them runs here any more.
    pub(super) fn forget_all(&self) {
        self.known().clear();
        self.on_demand().clear();
    }

    /// Whether a wallet of this server was started because a request for it came.
    pub(super) fn is_on_demand(&self, id: &str) -> bool {
        self.on_demand().contains(id)
    }

    /// A request for a wallet came that is to be started here.
    pub(super) fn set_on_demand(&self, id: &str, on_demand: bool) {
        let mut ids = self.on_demand();
        if on_demand {
            ids.insert(id.to_owned());
        } else {
            ids.remove(id);
        }
    }

    fn on_demand(&self) -> MutexGuard<'_, HashSet<String>> {
        self.on_demand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// The turn to start or stop a wallet of an id.
    ///
    /// # Errors
    /// Says that others have it.
    pub(super) async fn turn_of(&self, id: &str) -> Result<KeyGuard, String> {
        let turn = self.started_for_all().turns.lock(sha256d(id.as_bytes()));
        let turn = rt::timeout(TURN_LIMIT, turn).await;
        turn.map_err(|rt::Elapsed| format!("other requests still start or stop wallet {id:?}: ask again"))
    }

    /// What a wallet was started by, in whichever server; `None` too where servers share none.
    pub(super) async fn started_anywhere(&self, id: &str) -> Result<Option<Started>, StoreError> {
        let Some(stores) = self.stores() else { return Ok(None) };
        let Some(all) = stores.started_wallets() else { return Ok(None) };
        all.started(self.config().network.name(), id).await
    }

    /// Starts a wallet that runs here for all servers, by a request that has no secret in it; one that runs
    /// here because others have started it, if it is not stopped. `false` if that is not so, or the id is
    /// another wallet's there.
    pub(super) async fn start_for_all(
        &self,
        id: &str,
        wallet: &Wallet,
        request: &str,
    ) -> Result<bool, StoreError> {
        let Some(stores) = self.stores() else { return Ok(true) };
        let Some(all) = stores.started_wallets() else { return Ok(true) };
        let (config, known) = (self.config(), self.started_for_all());
        let network = config.network.name();
        let started = loop {
            let started = if known.is_on_demand(id) {
                all.started(network, id).await?
            } else {
                all.keep_started(network, id, request, wallet.owner_name()).await?
            };
            let Some(started) = started.filter(|started| started.request == request) else {
                return Ok(false);
            };
            // Somebody may stop it right now.
            if all.runs_here(started.number, wallet.owner_name()).await? {
                break started;
            }
        };
        let new = Known { number: started.number, wallet: wallet.clone() };
        known.known().insert(id.to_owned(), new);
        if !known.is_watched.swap(true, Ordering::Relaxed) {
            tokio::spawn(watch(self.clone()));
        }
        Ok(true)
    }

    /// Starts a wallet that runs here alone, as others can't start it. `false` if the id is another wallet's
    /// at another server.
    pub(super) async fn start_here(&self, id: &str, wallet: &Wallet) -> Result<bool, StoreError> {
        let Some(stores) = self.stores() else { return Ok(true) };
        let Some(all) = stores.started_wallets() else { return Ok(true) };
        all.hold_id(self.config().network.name(), id, wallet.owner_name()).await
    }

    /// Stops a wallet, in all servers if it was started for all.
    pub(super) async fn stop_for_all(&self, id: &str, wallet: &Wallet) -> Result<(), StoreError> {
        let number = self.started_for_all().known().get(id).map(|known| known.number);
        let stores = self.stores();
        let all = stores.as_ref().and_then(|stores| stores.started_wallets());
        let network = self.config().network.name().to_owned();
        if let Some((all, number)) = all.zip(number) {
            all.forget_started(&network, id, number).await?;
        }
        self.stop_wallet(id, wallet).await;
        if let (Some(all), None) = (all, number) {
            all.let_id_go(&network, id).await;
        }
        Ok(())
    }

    /// Stops a wallet that runs here and was stopped elsewhere, if one of an id is: it is heard of only with
    /// the next look.
    pub(super) async fn stop_if_stopped_elsewhere(&self, id: &str) -> Result<(), StoreError> {
        let Some(stores) = self.stores() else { return Ok(()) };
        let Some(all) = stores.started_wallets() else { return Ok(()) };
        let number = self.started_for_all().known().get(id).map(|known| known.number);
        let Some((number, wallet)) = number.and_then(|number| Some((number, self.wallets().get(id)?))) else {
            return Ok(());
        };
        if !all.stopped_among(&[number]).await?.is_empty() {
            self.stop_wallet(id, &wallet).await;
        }
        Ok(())
    }

    async fn stop_wallet(&self, id: &str, wallet: &Wallet) {
        self.started_for_all().known().remove(id);
        self.started_for_all().set_on_demand(id, false);
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
                for (id, number) in stopped {
                    // Who has the turn may start another one of the id.
                    let turns = &app.started_for_all().turns;
                    let turn = turns.lock(sha256d(id.as_bytes()));
                    let Ok(turn) = rt::timeout(SHORT_TURN_LIMIT, turn).await else { continue };
                    let Some(wallet) = app.started_for_all().wallet(&id, number) else { continue };
                    tracing::info!("wallet {id:?} was stopped in another server");
                    // Sends under way are waited for, by which others are not to be kept.
                    let app = app.clone();
                    tokio::spawn(async move {
                        app.stop_wallet(&id, &wallet).await;
                        drop(turn);
                    });
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

async fn stopped_elsewhere(app: &App) -> Result<Vec<(String, u64)>, StoreError> {
    let Some(stores) = app.stores() else { return Ok(Vec::new()) };
    let Some(all) = stores.started_wallets() else { return Ok(Vec::new()) };
    let numbers: Vec<u64> = app.started_for_all().known().values().map(|known| known.number).collect();
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let stopped = all.stopped_among(&numbers).await?;
    let known = app.started_for_all().known();
    let stopped = known.iter().filter(|(_, known)| stopped.contains(&known.number));
    Ok(stopped.map(|(id, known)| (id.clone(), known.number)).collect())
}
