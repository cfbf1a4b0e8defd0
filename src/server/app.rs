//! What all requests share.

use super::Config;
use super::events::Journal;
use super::idempotency::Answers;
use super::metrics::Metrics;
use crate::net::HttpClient;
use crate::node::{BadUrl, FullNode, Miner, Mining, MiningService};
use crate::service::{Backend, Registry, Wallet};
use crate::store::{DataDir, Stores};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
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
    config: Config,
    backend: Backend,
    wallets: Registry,
    stores: Option<Arc<dyn Stores>>,
    answers: Answers,
    metrics: Metrics,
    journals: Mutex<HashMap<String, Arc<Journal>>>,
    stopping: watch::Sender<bool>,
}

impl App {
    /// A server without wallets.
    pub fn new(config: Config) -> Result<Self, AppError> {
        let client = HttpClient::shared();
        let backend = Backend {
            network: config.network,
            node: FullNode::new(client.clone(), config.server.as_str())?
                .with_connect_limit(config.connection_timeout),
            mining: miner(client, &config)?,
        };
        let stores = match &config.data_dir {
            None => None,
            Some(dir) => {
                let stores = DataDir::new(dir)
                    .map_err(|source| AppError::DataDir { path: dir.display().to_string(), source })?;
                Some(Arc::new(stores) as Arc<dyn Stores>)
            }
        };
        Ok(Self(Arc::new(Inner {
            config,
            backend,
            wallets: Registry::default(),
            stores,
            answers: Answers::default(),
            metrics: Metrics::default(),
            journals: Mutex::default(),
            stopping: watch::Sender::new(false),
        })))
    }
    /// Its settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }
    /// The services that its wallets talk to.
    pub(super) fn backend(&self) -> &Backend {
        &self.0.backend
    }
    /// Where its wallets are kept, if anywhere.
    pub(super) fn stores(&self) -> Option<Arc<dyn Stores>> {
        self.0.stores.clone()
    }
    /// The wallets started on it.
    pub fn wallets(&self) -> &Registry {
        &self.0.wallets
    }
    /// The events of a wallet, kept from the first time that this is asked for.
    pub(super) fn journal(&self, id: &str, wallet: &Wallet) -> Arc<Journal> {
        let mut journals = self.0.journals.lock().unwrap_or_else(PoisonError::into_inner);
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
        let mut journals = self.0.journals.lock().unwrap_or_else(PoisonError::into_inner);
        if journals.get(id).is_some_and(|journal| journal.is_of(wallet)) {
            journals.remove(id);
        }
    }
    /// Ends the answers that have no end of their own.
    pub(super) fn stop(&self) {
        self.0.stopping.send_replace(true);
    }
    /// Waits for the server's end to begin.
    pub(super) async fn stopping(self) {
        // The sender is held by the server itself.
        let _ = self.0.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }
    /// Answers kept for repetitions.
    pub(super) fn answers(&self) -> &Answers {
        &self.0.answers
    }
    /// What it did so far.
    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }
}

/// Who does the proof of work, as configured.
fn miner(client: HttpClient, config: &Config) -> Result<Miner, BadUrl> {
    let Some(url) = &config.tx_mining_url else { return Ok(Miner::local()) };
    let service = MiningService::new(client, url.as_str(), config.tx_mining_api_key.as_ref())?;
    Ok(match config.mining {
        Mining::Service => service.into(),
        Mining::Local => Miner::local(),
        Mining::ServiceThenLocal => Miner::service_then_local(service),
    })
}
