//! What all requests share.

use super::Config;
use crate::net::HttpClient;
use crate::node::{BadUrl, FullNode, MiningService};
use crate::service::{Backend, Registry};
use std::sync::Arc;

/// A server's settings, its services and its wallets. Clones are the same server.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    config: Config,
    backend: Backend,
    wallets: Registry,
}

impl App {
    /// A server without wallets.
    pub fn new(config: Config) -> Result<Self, BadUrl> {
        let client = HttpClient::shared();
        let backend = Backend {
            network: config.network,
            node: FullNode::new(client.clone(), config.server.as_str())?
                .with_connect_limit(config.connection_timeout),
            mining: MiningService::new(
                client,
                config.tx_mining_url.as_str(),
                config.tx_mining_api_key.as_ref(),
            )?,
        };
        Ok(Self(Arc::new(Inner { config, backend, wallets: Registry::default() })))
    }
    /// Its settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }
    /// The services that its wallets talk to.
    pub(super) fn backend(&self) -> &Backend {
        &self.0.backend
    }
    /// The wallets started on it.
    pub fn wallets(&self) -> &Registry {
        &self.0.wallets
    }
}
