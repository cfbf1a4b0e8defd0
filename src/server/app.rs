//! What all requests share.

use super::events::Journal;
use super::gate::RequestGate;
use super::metrics::Metrics;
use super::places::Places;
use super::reload::Source;
use super::setup::Setup;
use super::tasks::{Queue, Queues};
use super::webhooks::Webhooks;
use super::{Config, ConfigError};
use crate::node::{BadUrl, SwapService};
use crate::service::{Backend, Registry, SharedAccounts, Wallet};
use crate::store::Stores;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use tokio::sync::watch;

/// Why a server can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    #[allow(missing_docs)]
    Url(#[from] BadUrl),
    #[error("can't use the data directory {path}: {source}: check `data_dir`")]
    #[allow(missing_docs)]
    DataDir { path: String, source: std::io::Error },
}

/// A server's settings, its services and its wallets. Clones are the same server.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    setup: RwLock<Arc<Setup>>,
    source: Option<Source>,
    wallets: Registry,
    shared_accounts: SharedAccounts,
    metrics: Metrics,
    journals: Mutex<HashMap<String, Arc<Journal>>>,
    queues: Queues,
    webhooks: Webhooks,
    /// Changes with the setup.
    setups: watch::Sender<u64>,
    gate: RequestGate,
    places: Places,
}

impl App {
    /// A server without wallets.
    ///
    /// # Errors
    /// [`AppError::Url`] if the address of a service is no HTTP address, [`AppError::DataDir`] if the data
    /// directory can't be made.
    pub fn new(config: Config) -> Result<Self, AppError> {
        Self::of(config, None)
    }
    /// A server without wallets that reads its configuration again, from `source`, at each
    /// `POST /reload-config`.
    ///
    /// # Errors
    /// [`AppError::Url`] if the address of a service is no HTTP address, [`AppError::DataDir`] if the data
    /// directory can't be made. `source` is not asked yet.
    pub fn reloadable(
        config: Config,
        source: impl Fn() -> Result<Config, ConfigError> + Send + Sync + 'static,
    ) -> Result<Self, AppError> {
        Self::of(config, Some(Box::new(source)))
    }
    fn of(config: Config, source: Option<Source>) -> Result<Self, AppError> {
        Ok(Self(Arc::new(Inner {
            places: Places::among(config.http_max_connections),
            setup: RwLock::new(Arc::new(Setup::new(config)?)),
            source,
            wallets: Registry::default(),
            shared_accounts: SharedAccounts::default(),
            metrics: Metrics::default(),
            journals: Mutex::default(),
            queues: Queues::default(),
            webhooks: Webhooks::default(),
            setups: watch::Sender::new(0),
            gate: RequestGate::default(),
        })))
    }
    /// Its settings, as they are now.
    pub fn config(&self) -> Arc<Config> {
        self.setup().config.clone()
    }
    /// The services that its wallets talk to.
    pub(super) fn backend(&self) -> Backend {
        self.setup().backend.clone()
    }
    /// Who keeps proposals of atomic swaps, if somebody does.
    pub(super) fn swap_service(&self) -> Option<SwapService> {
        self.setup().swap_service.clone()
    }
    /// Where its wallets are kept, if anywhere.
    pub(super) fn stores(&self) -> Option<Arc<dyn Stores>> {
        self.setup().stores.clone()
    }
    pub(super) fn setup(&self) -> Arc<Setup> {
        self.0.setup.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
    pub(super) fn set_up(&self, setup: Setup) {
        *self.0.setup.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(setup);
        self.0.setups.send_modify(|count| *count += 1);
    }
    /// Changes when there is another setup.
    pub(super) fn setups(&self) -> watch::Receiver<u64> {
        self.0.setups.subscribe()
    }
    /// Who is told of events by HTTP.
    pub(super) fn webhooks(&self) -> &Webhooks {
        &self.0.webhooks
    }
    /// The settings as they stand where they came from.
    pub(super) fn read_config(&self) -> Result<Config, ConfigError> {
        match &self.0.source {
            Some(read) => read(),
            None => Ok(Config::clone(&self.config())),
        }
    }
    /// The wallets started on it.
    pub fn wallets(&self) -> &Registry {
        &self.0.wallets
    }
    /// Stops all of them, and forgets what was kept of them in memory.
    pub(super) async fn stop_wallets(&self) {
        self.0.wallets.stop_all().await;
        self.journals().clear();
        self.0.queues.clear();
    }
    /// The events of a wallet, kept from the first time that this is asked for.
    pub(super) fn journal(&self, id: &str, wallet: &Wallet) -> Arc<Journal> {
        let mut journals = self.journals();
        match journals.get(id) {
            Some(journal) if journal.is_of(wallet) => journal.clone(),
            _ => {
                let journal = Journal::begin(id, wallet);
                journals.insert(id.to_owned(), journal.clone());
                journal
            }
        }
    }
    /// Forgets the events of a wallet that was stopped.
    pub(super) fn drop_journal(&self, id: &str, wallet: &Wallet) {
        let mut journals = self.journals();
        if journals.get(id).is_some_and(|journal| journal.is_of(wallet)) {
            journals.remove(id);
        }
    }
    /// The tasks of a wallet, which are carried out from the first time that this is asked for.
    pub(super) fn tasks(&self, id: &str, wallet: &Wallet) -> Arc<Queue> {
        self.0.queues.of(self, id, wallet)
    }
    /// How many tasks wait, and how many are being carried out.
    pub(super) fn tasks_under_way(&self) -> (usize, usize) {
        self.0.queues.counts()
    }
    /// Lets go of the tasks of a wallet that was stopped.
    pub(super) fn drop_tasks(&self, id: &str, wallet: &Wallet) {
        self.0.queues.drop_of(id, wallet);
    }
    fn journals(&self) -> MutexGuard<'_, HashMap<String, Arc<Journal>>> {
        self.0.journals.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Begins the server's end: no more requests are taken, and answers that have no end of their own are
    /// ended.
    pub(super) fn end(&self) {
        self.0.gate.end();
    }
    /// Waits for the server's end to begin.
    pub(super) async fn ending(self) {
        self.0.gate.ending().await;
    }
    /// What requests pass.
    pub(super) fn gate(&self) -> &RequestGate {
        &self.0.gate
    }
    /// Waits until no request is under way, and no push whose caller hung up. To be asked while the gate is
    /// closed.
    pub(super) async fn idle(&self) {
        self.gate().empty().await;
        self.shared_accounts().pushes_ended().await;
    }
    /// How much is under way: requests, and pushes, whose callers may have hung up.
    pub(super) fn under_way(&self) -> u64 {
        self.gate().inside() + self.shared_accounts().pushes_under_way() as u64
    }
    /// What requests that may take long have to have.
    pub(super) fn places(&self) -> &Places {
        &self.0.places
    }
    /// What its wallets share.
    pub fn shared_accounts(&self) -> &SharedAccounts {
        &self.0.shared_accounts
    }
    /// What it did so far.
    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }
}
