//! What a server is set up with: its settings, and the services that they name. A changed configuration makes
//! a new one.

use super::plugins::Publisher;
use super::{AppError, Config};
use crate::net::HttpClient;
use crate::node::{BadUrl, FullNode, Miner, Mining, MiningService, SwapService};
use crate::service::Backend;
use crate::store::{DataDir, PostgresStores, Stores};
use crate::trusted_file::Role;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;

pub(super) struct Setup {
    pub config: Arc<Config>,
    /// What its wallets talk to.
    pub backend: Backend,
    /// Who keeps proposals of atomic swaps, if somebody does.
    pub swap_service: Option<SwapService>,
    /// Where its wallets are kept, if anywhere.
    pub stores: Option<Arc<dyn Stores>>,
    /// The broker that is told of events, if there is one.
    pub rabbitmq: Option<Arc<Publisher>>,
}

/// What becomes of a running server for a changed configuration to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing: requests to come, and sends to come of running wallets, go by it.
    Requests,
    /// All wallets are stopped.
    Wallets,
    /// It ends: only a new start takes this up.
    Restart,
}

impl Setup {
    pub fn new(config: Config) -> Result<Self, AppError> {
        let client = HttpClient::shared();
        let backend = Backend {
            network: config.network,
            node: FullNode::new(client.clone(), config.server.as_str())?
                .with_connect_limit(config.connection_timeout),
            mining: miner(client, &config)?,
        };
        let stores = config.stores(Role::Service)?;
        let swap_service = swap_service(&config)?;
        let rabbitmq = config.plugins.rabbitmq.clone().map(Publisher::new).map(Arc::new);
        Ok(Self { config: Arc::new(config), backend, swap_service, stores, rabbitmq })
    }

    /// The one for a configuration that leaves wallets running. They share its miner.
    pub fn with_requests_by(&self, config: Config) -> Result<Self, AppError> {
        let Self { backend, stores, .. } = self;
        if mining_differs(&self.config, &config) {
            backend.mining.reconfigure(&miner(HttpClient::shared(), &config)?);
        }
        let swap_service = swap_service(&config)?.map(|new| match &self.swap_service {
            // Wallets to come share its connection with those that run.
            Some(old) if old.is_at_same(&new) => old.clone(),
            _ => new,
        });
        let rabbitmq = config.plugins.rabbitmq.clone().map(|settings| match &self.rabbitmq {
            Some(old) if *old.settings() == settings => old.clone(),
            _ => Arc::new(Publisher::new(settings)),
        });
        let (backend, stores) = (backend.clone(), stores.clone());
        Ok(Self { config: Arc::new(config), backend, swap_service, stores, rabbitmq })
    }
}

impl Config {
    /// Where wallets are kept, and what is the server's own; `None` if nothing is.
    ///
    /// # Errors
    /// [`AppError::DataDir`] if the data directory can't be made, or is not trusted.
    pub fn stores(&self, role: Role) -> Result<Option<Arc<dyn Stores>>, AppError> {
        Ok(match (&self.store, &self.data_dir) {
            (Some(url), _) => Some(Arc::new(PostgresStores::new(url.clone()))),
            (None, Some(dir)) => {
                let stores = DataDir::used_by(role, dir)
                    .map_err(|source| AppError::DataDir { path: dir.display().to_string(), source })?;
                Some(Arc::new(stores))
            }
            (None, None) => None,
        })
    }
}

impl Change {
    /// What the step from one configuration to another asks for, by the rules of hathor-wallet-headless.
    pub fn between(old: &Config, new: &Config) -> Self {
        let restart = old.http_bind != new.http_bind
            || old.http_port != new.http_port
            || old.http_max_connections != new.http_max_connections
            || old.plugins.ws != new.plugins.ws
            || old.advertise_url != new.advertise_url
            || !is_same(&old.api_key, &new.api_key)
            || old.console_level != new.console_level
            || old.log_format != new.log_format
            || old.log_requests != new.log_requests;
        let seed_gone = old
            .seeds
            .iter()
            .any(|(key, words)| new.seeds.get(key).is_none_or(|now| now.words() != words.words()));
        let participants_changed =
            old.multisig.iter().any(|(key, participants)| new.multisig.get(key) != Some(participants));
        let signer_moved = old.signers.iter().any(|(key, signer)| new.signers.get(key) != Some(signer));
        let wallets = seed_gone
            || signer_moved
            || participants_changed
            || old.network != new.network
            || old.server != new.server
            || old.connection_timeout != new.connection_timeout
            || old.gap_limit != new.gap_limit
            || old.data_dir != new.data_dir
            || old.store != new.store;
        match (restart, wallets) {
            (true, _) => Self::Restart,
            (false, true) => Self::Wallets,
            (false, false) => Self::Requests,
        }
    }
}

fn mining_differs(old: &Config, new: &Config) -> bool {
    old.mining != new.mining
        || old.tx_mining_url != new.tx_mining_url
        || !is_same(&old.tx_mining_api_key, &new.tx_mining_api_key)
}

fn is_same(one: &Option<SecretString>, other: &Option<SecretString>) -> bool {
    one.as_ref().map(ExposeSecret::expose_secret) == other.as_ref().map(ExposeSecret::expose_secret)
}

/// Of wallets that are started from now on.
fn swap_service(config: &Config) -> Result<Option<SwapService>, BadUrl> {
    let Some(url) = &config.atomic_swap_service else { return Ok(None) };
    let service = SwapService::new(HttpClient::shared(), url.as_str())?;
    Ok(Some(match &config.atomic_swap_service_ws {
        None => service,
        Some(url) => service.with_socket(url.url()),
    }))
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
