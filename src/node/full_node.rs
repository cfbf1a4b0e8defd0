//! The full node over HTTP: reads. Pushing has its own file.

use super::KeyLocks;
#[cfg(feature = "native")]
use super::connection_pool::ConnectionPool;
use super::endpoint::Endpoint;
use super::features::{ASKED_EVERY, Features, UnsupportedFeature};
use super::nano::KnownBlueprints;
use super::object;
use super::parents::RecentParents;
use super::{BadUrl, CallError, Fault, Lane, NodeVersion, Service};
use crate::ledger::Network;
use crate::net::{HttpClient, Url, brief};
use crate::rt::{self, Instant};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// A full node at one address. Clones share the limit on requests at once, and (with feature `native`)
/// WebSocket connections. Requests are those of a reader ([`Lane::Read`]) unless [`FullNode::in_lane`] says
/// otherwise.
#[derive(Clone)]
pub struct FullNode {
    pub(super) endpoint: Endpoint,
    pub(super) connect_limit: Duration,
    /// Payments that are being solved and pushed, by their sighashes.
    pub(crate) payments: KeyLocks,
    pub(super) parents: RecentParents,
    pub(super) blueprints: KnownBlueprints,
    features: Features,
    #[cfg(feature = "native")]
    pub(super) connections: Arc<ConnectionPool>,
}

/// What a service says of its health.
#[derive(Clone, Debug)]
pub struct Health {
    /// `pass`, `warn` or `fail`.
    pub status: String,
    /// The whole answer as it came.
    pub raw: Box<RawValue>,
}

impl Health {
    pub(super) fn from_json(body: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Wire {
            status: String,
        }
        let raw: Box<RawValue> = serde_json::from_slice(body).map_err(|e| e.to_string())?;
        let wire: Wire = object::read(raw.get().as_bytes()).map_err(|e| e.to_string())?;
        Ok(Self { status: brief(&wire.status), raw })
    }
}

impl FullNode {
    /// A node of the network's that anybody may use.
    pub const fn public_url(network: Network) -> Option<&'static str> {
        match network {
            Network::Mainnet => Some("https://node1.mainnet.hathor.network/v1a/"),
            Network::Testnet => Some("https://node1.testnet.hathor.network/v1a/"),
            Network::Privatenet => None,
        }
    }
    /// The node at `url`, which ends in its API prefix, such as `http://localhost:8080/v1a/`.
    ///
    /// # Errors
    /// [`BadUrl`] if `url` is no HTTP address.
    pub fn new(client: HttpClient, url: &str) -> Result<Self, BadUrl> {
        let endpoint = Endpoint::new(client, Service::FullNode, url)?;
        Ok(Self {
            endpoint,
            connect_limit: Duration::from_secs(20),
            payments: KeyLocks::default(),
            parents: RecentParents::default(),
            blueprints: KnownBlueprints::default(),
            features: Features::default(),
            #[cfg(feature = "native")]
            connections: Arc::new(ConnectionPool::new()),
        })
    }

    /// Limits one request to `request` (10 s without this), and all tries of one read together to `read` (30
    /// s).
    pub fn with_limits(mut self, request: Duration, read: Duration) -> Self {
        self.endpoint.timeout = request;
        self.endpoint.read_limit = read;
        self
    }

    /// Limits how long a WebSocket connection may take to come about (20 s without this).
    pub fn with_connect_limit(mut self, limit: Duration) -> Self {
        self.connect_limit = limit;
        self
    }

    /// The same node, for requests that wait in this lane.
    #[must_use]
    pub fn in_lane(&self, lane: Lane) -> Self {
        Self { endpoint: self.endpoint.in_lane(lane), ..self.clone() }
    }

    /// Where it is, without user and password.
    pub(crate) fn address(&self) -> String {
        self.endpoint.printable_url("")
    }
    /// The same node, for what brings a signed transaction of this tenant's to the ledger.
    pub(crate) fn for_pushes(&self) -> Self {
        Self { endpoint: self.endpoint.for_pushes(), ..self.clone() }
    }

    /// How long a read may take in all.
    pub(crate) fn read_limit(&self) -> Duration {
        self.endpoint.read_limit
    }

    /// That what was asked for over the WebSocket did not come in that time.
    pub(crate) fn no_answer_on_socket(&self) -> CallError {
        let fault = Fault::TimedOut(self.endpoint.read_limit);
        CallError::new(Service::FullNode, self.socket_url().printable(), fault)
    }

    /// That more came over the WebSocket than can be kept.
    pub(crate) fn too_much_on_socket(&self) -> CallError {
        let what = "it tells of more transactions than are kept while a history is loaded".to_owned();
        CallError::new(Service::FullNode, self.socket_url().printable(), Fault::InvalidAnswer(what))
    }

    /// Goes the way to the node.
    pub(super) fn client(&self) -> &HttpClient {
        &self.endpoint.client
    }

    /// Where the node's WebSocket is.
    pub(super) fn socket_url(&self) -> Url {
        self.endpoint.url("ws/").into_socket()
    }

    /// `GET version`.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked or refuses, with [`Fault::InvalidAnswer`] if a field that
    /// wallets need is missing or wrong.
    pub async fn version(&self) -> Result<NodeVersion, CallError> {
        let response = self.endpoint.get("version", &[]).await?;
        NodeVersion::from_json(&response.body)
            .map_err(|e| self.endpoint.error("version", Fault::InvalidAnswer(e)))
    }

    /// The height of the best block. The same answer lists the features of the network:
    /// [`Self::unsupported_features`] are known from then on.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, or its answer has no height.
    pub async fn best_height(&self) -> Result<u32, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            block_height: u32,
            features: Option<Box<RawValue>>,
        }
        let wire: Wire = self.endpoint.read("feature", &[]).await?;
        self.features.note(wire.features.as_deref(), Instant::now());
        Ok(wire.block_height)
    }

    /// The features of the network that this version does not support and that are, or will be, active, as
    /// the node listed them last. Nothing is asked.
    pub fn unsupported_features(&self) -> Arc<[UnsupportedFeature]> {
        self.features.watch().borrow().clone()
    }

    /// Changes when these do.
    pub(crate) fn watch_features(&self) -> watch::Receiver<Arc<[UnsupportedFeature]>> {
        self.features.watch()
    }

    /// Asks for them once an hour, as one of all who do.
    pub(crate) async fn follow_features(&self) -> Infallible {
        loop {
            rt::sleep(ASKED_EVERY).await;
            if self.features.is_due(Instant::now())
                && let Err(failure) = self.best_height().await
            {
                tracing::debug!("{failure}: the features of the network are asked for again in an hour");
            }
        }
    }

    /// `GET health`, tried once. A node without a synced peer is not healthy (status 503) but may serve well.
    ///
    /// # Errors
    /// [`CallError`] if there is no answer, or none that says how the node is. Bad health is no error.
    pub async fn health(&self) -> Result<Health, CallError> {
        health(&self.endpoint).await
    }
}

/// `GET health` of either service.
pub(super) async fn health(endpoint: &Endpoint) -> Result<Health, CallError> {
    let endpoint = endpoint.in_lane(Lane::Check);
    let response = endpoint.get_any("health").await?;
    match Health::from_json(&response.body) {
        Ok(health) => Ok(health),
        Err(what) => {
            endpoint.check_status("health", response)?;
            Err(endpoint.error("health", Fault::InvalidAnswer(what)))
        }
    }
}
