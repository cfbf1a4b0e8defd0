//! What all requests share.

use super::access::Access;
use super::approvals::Approvals;
use super::events::Journal;
use super::gate::RequestGate;
use super::hop::Nonces;
use super::metrics::Metrics;
use super::places::Places;
use super::plugins::EventsSocket;
use super::reload::Source;
use super::seeds::{self, Opened, SealedSeeds, SeedError};
use super::setup::Setup;
use super::started::StartedIds;
use super::tasks::{Queue, Queues};
use super::webhooks::Webhooks;
use super::{Config, ConfigError};
use crate::node::{BadUrl, SwapService};
use crate::service::{Backend, Registry, SharedAccounts, Wallet};
use crate::store::Stores;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use tokio::sync::watch;
use zeroize::Zeroizing;

/// Why a server can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Url(#[from] BadUrl),
    #[error("can't use `data_dir` {path}: {source}")]
    DataDir { path: String, source: std::io::Error },
}

/// A server's settings, its services and its wallets. Clones are the same server.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    setup: RwLock<Arc<Setup>>,
    access: Access,
    approvals: Approvals,
    seeds: SealedSeeds,
    source: Option<Source>,
    wallets: Registry,
    shared_accounts: SharedAccounts,
    metrics: Metrics,
    journals: Mutex<HashMap<String, Arc<Journal>>>,
    queues: Queues,
    started_ids: StartedIds,
    webhooks: Webhooks,
    events_socket: EventsSocket,
    /// Changes with the setup.
    setups: watch::Sender<u64>,
    gate: RequestGate,
    is_draining: AtomicBool,
    places: Places,
    nonces: Nonces,
    /// Where it is reached, once it listens somewhere that others can name.
    address: OnceLock<String>,
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
        let setup = Setup::new(config)?;
        Ok(Self(Arc::new(Inner {
            places: Places::among(setup.config.http_max_connections),
            access: Access::new(&setup.config, setup.stores.as_ref()),
            approvals: Approvals::default(),
            seeds: SealedSeeds::default(),
            setup: RwLock::new(Arc::new(setup)),
            source,
            wallets: Registry::default(),
            shared_accounts: SharedAccounts::default(),
            metrics: Metrics::default(),
            journals: Mutex::default(),
            queues: Queues::default(),
            started_ids: StartedIds::default(),
            webhooks: Webhooks::default(),
            events_socket: EventsSocket::default(),
            setups: watch::Sender::new(0),
            gate: RequestGate::default(),
            is_draining: AtomicBool::new(false),
            nonces: Nonces::default(),
            address: OnceLock::new(),
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
        self.access().configure(&setup.config, setup.stores.as_ref());
        self.tell_address(&setup);
        *self.0.setup.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(setup);
        self.0.setups.send_modify(|count| *count += 1);
    }
    /// It is reached at an address.
    pub(super) fn listens_at(&self, address: SocketAddr) {
        if !address.ip().is_unspecified() {
            let _ = self.0.address.set(format!("http://{address}"));
        } else if self.config().cluster_secret.is_some() && self.config().advertise_url.is_none() {
            tracing::warn!(
                "other servers can't forward requests to this one, which listens at {address}: set `advertise_url`"
            );
        }
        self.tell_address(&self.setup());
    }
    /// Has other servers know where it is reached.
    fn tell_address(&self, setup: &Setup) {
        let lease = setup.stores.as_ref().and_then(|stores| stores.lease());
        let advertised = setup.config.advertise_url.as_ref().map(ToString::to_string);
        if let (Some(lease), Some(url)) = (lease, advertised.or_else(|| self.0.address.get().cloned())) {
            lease.reached_at(url.trim_end_matches('/'));
        }
    }
    /// Changes when there is another setup.
    pub(super) fn setups(&self) -> watch::Receiver<u64> {
        self.0.setups.subscribe()
    }
    /// Who is told of events by HTTP.
    pub(super) fn webhooks(&self) -> &Webhooks {
        &self.0.webhooks
    }
    /// Those who listen at the WebSocket of events.
    pub(super) fn events_socket(&self) -> &EventsSocket {
        &self.0.events_socket
    }
    /// The settings as they stand where they came from.
    pub(super) fn read_config(&self) -> Result<Config, ConfigError> {
        match &self.0.source {
            Some(read) => read(),
            None => Ok(Config::clone(&self.config())),
        }
    }
    /// The API keys that it knows.
    pub(super) fn access(&self) -> &Access {
        &self.0.access
    }
    /// What waits for approval.
    pub(super) fn approvals(&self) -> &Approvals {
        &self.0.approvals
    }
    /// The same server, for as long as there is one.
    pub(super) fn weak(&self) -> impl Fn() -> Option<Self> + Send + use<> {
        let inner = Arc::downgrade(&self.0);
        move || inner.upgrade().map(Self)
    }
    /// Whether requests need an API key.
    pub(super) async fn asks_for_keys(&self) -> bool {
        // Where it is not known, they do.
        self.config().api_key.is_some()
            || self.access().whole().await.is_none_or(|known| !known.all.is_empty())
    }
    /// The sealed words that are open.
    pub(super) fn seeds(&self) -> &SealedSeeds {
        &self.0.seeds
    }
    /// The names of the seeds that are kept sealed; `None` where there is nowhere to keep any.
    ///
    /// # Errors
    /// [`SeedError`] if they can't be read.
    pub async fn sealed_seeds(&self) -> Result<Option<Vec<String>>, SeedError> {
        let stores = self.stores();
        let Some(documents) = stores.as_ref().and_then(|stores| stores.documents()) else { return Ok(None) };
        Ok(Some(seeds::read(documents).await?.seeds.into_iter().map(|seed| seed.name).collect()))
    }
    /// Opens all sealed seeds that a password opens: `seedKey` of `/start` names them.
    ///
    /// # Errors
    /// [`SeedError`] if they can't be read, or the password opens none of them.
    pub async fn unlock(&self, password: Zeroizing<String>) -> Result<Opened, SeedError> {
        let stores = self.stores();
        let Some(documents) = stores.as_ref().and_then(|stores| stores.documents()) else {
            return Ok(Opened::default());
        };
        let opened = self.seeds().unlock(documents, password).await;
        self.audit_unlocking(&opened).await;
        let opened = opened?;
        tracing::info!("sealed seeds are open: {}", opened.open.join(", "));
        Ok(opened)
    }
    /// The wallets started on it.
    pub fn wallets(&self) -> &Registry {
        &self.0.wallets
    }
    /// What the store knows of them.
    pub(super) fn started_ids(&self) -> &StartedIds {
        &self.0.started_ids
    }
    /// Stops all of them, and forgets what was kept of them in memory.
    pub(super) async fn stop_wallets(&self) {
        self.0.wallets.stop_all().await;
        self.0.started_ids.forget_all();
        self.journals().clear();
        self.0.queues.clear();
    }
    /// The events of a wallet, kept from the first time that this is asked for.
    pub(super) fn journal(&self, id: &str, wallet: &Wallet) -> Arc<Journal> {
        let mut journals = self.journals();
        match journals.get(id) {
            Some(journal) if journal.is_of(wallet) => journal.clone(),
            _ => {
                let journal = Journal::begin(self, id, wallet);
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
    /// Says to load balancers that no more requests are wanted; those that come are taken still.
    pub(super) fn begin_to_drain(&self) {
        self.0.is_draining.store(true, Ordering::Relaxed);
    }
    /// Whether it is about to end.
    pub(super) fn is_draining(&self) -> bool {
        self.0.is_draining.load(Ordering::Relaxed)
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
    /// What other servers have forwarded lately.
    pub(super) fn nonces(&self) -> &Nonces {
        &self.0.nonces
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
