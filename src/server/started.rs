//! Wallets by the ids that users gave them, where several servers use one store: each account is run by one
//! of them, and any server starts a wallet that none runs, when it is asked for it.

use super::App;
use crate::ledger::sha256d;
use crate::node::{KeyGuard, KeyLocks};
use crate::rt;
use crate::service::Wallet;
use crate::store::{Started, StoreError};
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

    /// Stops the wallets of an account after their sends under way, so that another server can run it.
    /// Requests that come meanwhile wait, or are told to come again.
    pub(super) async fn hand_over(&self, account: &str) {
        let wallets = self.wallets().started().into_iter();
        let of_account = wallets.filter(|(_, wallet)| wallet.owner_name() == account);
        for (id, wallet) in of_account {
            // Whoever holds it for so long stops it, or starts it where it is refused.
            let _turn = self.turn_of(&id).await;
            self.forget_started(&id, &wallet);
            self.wallets().remove(&id, &wallet);
            wallet.stop().await;
        }
        if let Some(stores) = self.stores()
            && let Some(lease) = stores.lease()
        {
            lease.released(account).await;
        }
    }

    /// Stops the wallets of accounts that other servers have taken. They are not found here from now on;
    /// their sends end with what the store says.
    pub(super) fn stop_lost(&self, accounts: &[String]) {
        for account in accounts {
            self.shared_accounts().forget(account);
        }
        for (id, wallet) in self.wallets().started() {
            if accounts.iter().any(|account| account == wallet.owner_name()) {
                self.forget_started(&id, &wallet);
                self.wallets().remove(&id, &wallet);
                tokio::spawn(async move { wallet.stop().await });
            }
        }
    }

    fn forget_started(&self, id: &str, wallet: &Wallet) {
        self.started_ids().known().remove(id);
        self.drop_journal(id, wallet);
        self.drop_tasks(id, wallet);
    }
}
