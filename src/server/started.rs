//! Wallets by the ids that users gave them, where several servers use one store: each account is run by one
//! of them, and any server starts a wallet that none runs, when it is asked for it.

use super::App;
use crate::ledger::sha256d;
use crate::node::{KeyGuard, KeyLocks};
use crate::rt;
use crate::service::Wallet;
use crate::store::{ServerName, Started, StoreError};
use futures_util::future::join_all;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a request waits for others that start or stop the same wallet: each may wait for a database.
const TURN_LIMIT: Duration = Duration::from_secs(20);

/// What the store knows of the wallets of this server.
#[derive(Default)]
pub(super) struct StartedIds {
    known: Mutex<HashMap<String, Known>>,
    /// Held while a wallet of an id is started or stopped.
    turns: KeyLocks,
}

struct Known {
    /// [`Started::number`].
    number: u64,
    /// Whether it was started for a request, which waits until it is ready.
    on_demand: bool,
}

impl StartedIds {
    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None of them runs here any more.
    pub(super) fn forget_all(&self) {
        self.known().clear();
    }

    /// Whether a wallet of this server was started because a request for it came.
    pub(super) fn is_on_demand(&self, id: &str) -> bool {
        self.known().get(id).is_some_and(|known| known.on_demand)
    }

    /// Whether a wallet of this server is the one of a number.
    pub(super) fn is(&self, id: &str, number: u64) -> bool {
        self.known().get(id).is_some_and(|known| known.number == number)
    }
}

impl App {
    /// The turn to start or stop a wallet of an id.
    ///
    /// # Errors
    /// Says that others have it.
    pub(super) async fn turn_of(&self, id: &str) -> Result<KeyGuard, String> {
        let turn = self.started_ids().turns.lock(sha256d(id.as_bytes()));
        let turn = rt::timeout(TURN_LIMIT, turn).await;
        turn.map_err(|rt::Elapsed| format!("other requests still start or stop wallet {id:?}: ask again"))
    }

    /// The wallet of an id, whichever server runs it; `None` too where the store knows no ids.
    pub(super) async fn started(&self, id: &str) -> Result<Option<Started>, StoreError> {
        let Some(stores) = self.stores() else { return Ok(None) };
        let Some(all) = stores.started_wallets() else { return Ok(None) };
        all.started(self.config().network.name(), id).await
    }

    /// Has the store know of a wallet that runs here, with a request that any server can start it by, if
    /// there is one. `wanted` is the number of one that was known. `false` if it was stopped since, or the id
    /// is another wallet's.
    pub(super) async fn keep_started(
        &self,
        id: &str,
        wallet: &Wallet,
        request: Option<&str>,
        wanted: Option<u64>,
    ) -> Result<bool, StoreError> {
        let Some(stores) = self.stores() else { return Ok(true) };
        let Some(all) = stores.started_wallets() else { return Ok(true) };
        let (config, account) = (self.config(), wallet.owner_name());
        let network = config.network.name();
        let started = match wanted {
            Some(_) => all.started(network, id).await?,
            None => Some(all.keep_started(network, id, request, account).await?),
        };
        let is_it = |started: &Started| {
            started.account == account
                && started.runs_on.is_none()
                && wanted.map_or(started.request.as_deref() == request, |number| started.number == number)
        };
        let Some(Started { number, .. }) = started.filter(is_it) else { return Ok(false) };
        self.started_ids().known().insert(id.to_owned(), Known { number, on_demand: wanted.is_some() });
        Ok(true)
    }

    /// Stops a wallet. From then on no server starts it by itself, and any may start another one of its
    /// account.
    pub(super) async fn stop_started(&self, id: &str, wallet: &Wallet) -> Result<(), StoreError> {
        let number = self.started_ids().known().get(id).map(|known| known.number);
        let stores = self.stores();
        if let (Some(all), Some(number)) = (stores.as_ref().and_then(|all| all.started_wallets()), number) {
            all.forget_started(self.config().network.name(), id, number).await?;
        }
        self.forget_started(id, wallet);
        self.wallets().stop(id).await;
        let account = wallet.owner_name();
        let is_last = !self.wallets().started().iter().any(|(_, other)| other.owner_name() == account);
        if let Some(lease) = stores.as_ref().and_then(|stores| stores.lease()).filter(|_| is_last) {
            lease.released(account).await;
        }
        Ok(())
    }

    /// Stops the wallets whose account another server has taken: their sends end with what the store says.
    /// Those whose account is to move are stopped after their sends under way.
    pub(super) fn stop_what_others_have(&self) {
        let mut moving = HashMap::<String, (ServerName, Vec<(String, Wallet)>)>::new();
        for (id, wallet) in self.wallets().started() {
            match check(&wallet) {
                Ok(()) => {}
                Err(StoreError::RunsOn(server)) => {
                    let account = moving.entry(wallet.owner_name().to_owned());
                    account.or_insert_with(|| (server, Vec::new())).1.push((id, wallet));
                }
                Err(error) => {
                    tracing::warn!("wallet {id:?} is stopped here: {error}");
                    self.leave(&id, &wallet);
                    tokio::spawn(async move { wallet.stop().await });
                }
            }
        }
        for (server, wallets) in moving.into_values() {
            let app = self.clone();
            tokio::spawn(async move { app.hand_over(wallets, &server).await });
        }
    }

    /// Stops all wallets of an account, or none if the move was called off meanwhile: one that is stopped
    /// alone would be started again by nobody. Requests that come meanwhile wait, or are told to come again.
    async fn hand_over(&self, mut wallets: Vec<(String, Wallet)>, server: &ServerName) {
        wallets.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut turns = Vec::new();
        for (id, _) in &wallets {
            // Whoever holds it for so long stops it, or starts it where it is refused.
            turns.push(self.turn_of(id).await);
        }
        wallets.retain(|(id, wallet)| self.wallets().get(id).is_some_and(|now| now.is(wallet)));
        if wallets.iter().all(|(_, wallet)| check(wallet).is_ok()) {
            return;
        }
        for (id, wallet) in &wallets {
            tracing::info!("wallet {id:?} moves to {server}");
            self.leave(id, wallet);
        }
        join_all(wallets.iter().map(|(_, wallet)| wallet.stop())).await;
    }

    /// A wallet of this server is not found here any more.
    fn leave(&self, id: &str, wallet: &Wallet) {
        self.forget_started(id, wallet);
        self.wallets().remove(id, wallet);
    }

    fn forget_started(&self, id: &str, wallet: &Wallet) {
        self.started_ids().known().remove(id);
        self.drop_journal(id, wallet);
        self.drop_tasks(id, wallet);
    }
}

/// Whether this server goes on to run the account of a wallet.
pub(super) fn check(wallet: &Wallet) -> Result<(), StoreError> {
    wallet.store().map_or(Ok(()), |store| store.check())
}
