//! What all requests share.

use super::Config;
use super::idempotency::Answers;
use super::metrics::Metrics;
use crate::net::HttpClient;
use crate::node::{BadUrl, FullNode, Miner, Mining, MiningService};
use crate::service::{Backend, Registry};
use crate::store::{DataDir, Stores};
use std::sync::Arc;

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
