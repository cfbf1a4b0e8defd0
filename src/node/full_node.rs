//! The full node: its requests, its version, and parents for new transactions.

#[cfg(feature = "native")]
use super::connection_pool::ConnectionPool;
use super::endpoint::Endpoint;
use super::features::{ASKED_EVERY, Features, UnsupportedFeature};
use super::nano::KnownBlueprints;
#[cfg(feature = "native")]
use super::stats::{ConnectionCounts, Counts, REQUEST_OUTCOMES};
use super::wire::float;
use super::{BadUrl, CallError, Fault, KeyLocks, Lane, Service, object};
use crate::ledger::{DepositRate, Network, VertexId, WeightConstants};
use crate::net::{HttpClient, Url, brief};
use crate::rt::{self, Instant};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::convert::Infallible;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::{Mutex, watch};

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

    /// What became of requests to it.
    #[cfg(feature = "native")]
    pub fn request_counts(&self) -> Counts<{ REQUEST_OUTCOMES.len() }> {
        self.endpoint.requests.counts()
    }

    /// What became of connections to it.
    #[cfg(feature = "native")]
    pub fn connection_counts(&self) -> ConnectionCounts {
        self.connections.counts()
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

    /// Asks for them every ten minutes, as one of all who do.
    pub(crate) async fn follow_features(&self) -> Infallible {
        loop {
            rt::sleep(ASKED_EVERY).await;
            if self.features.is_due(Instant::now())
                && let Err(failure) = self.best_height().await
            {
                tracing::debug!("{failure}: the features of the network are asked for again in ten minutes");
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

// Which transactions a new one confirms: the node is asked once for all sends of a moment.

/// How long an answer serves later sends. Proof of work takes longer, so parents are older when they reach
/// the node.
const RECENT: Duration = Duration::from_secs(1);

type Answer = Result<[VertexId; 2], CallError>;

/// The last answer. Clones share it, and wait for each other's question.
#[derive(Clone, Default)]
pub(super) struct RecentParents(Arc<Recent>);

#[derive(Default)]
struct Recent {
    last: Mutex<Option<Told>>,
    /// Whether a transaction with the last answer's parents was refused.
    refused: AtomicBool,
}

struct Told {
    asked: Instant,
    told: Instant,
    answer: Answer,
}

impl Told {
    /// Whether it answers a caller who has waited for it since `wanted`.
    fn serves(&self, wanted: Instant) -> bool {
        match self.answer {
            Ok(_) => self.told >= wanted || self.asked.elapsed() < RECENT,
            // One that came quickly may be a single request's: whoever waited asks, too.
            Err(_) => self.told >= wanted && self.told - self.asked >= RECENT,
        }
    }
}

impl FullNode {
    /// Two transactions for a new one to confirm, as `GET tx_parents` told them at most a second ago.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked. Those who waited a second or more for the same question get
    /// it, too; all others ask anew.
    pub async fn recent_parents(&self) -> Result<[VertexId; 2], CallError> {
        let wanted = Instant::now();
        let Recent { last, refused } = &*self.parents.0;
        let mut last = last.lock().await;
        if refused.swap(false, Relaxed) {
            *last = None;
        }
        if let Some(told) = last.as_ref().filter(|told| told.serves(wanted)) {
            return told.answer.clone();
        }
        let asked = Instant::now();
        let answer = self.tx_parents().await;
        *last = Some(Told { asked, told: Instant::now(), answer: answer.clone() });
        answer
    }

    /// Asks for parents anew next time: the node has not taken a transaction that had the recent ones.
    pub(crate) fn forget_recent_parents(&self) {
        self.parents.0.refused.store(true, Relaxed);
    }

    /// `GET tx_parents`: two transactions for a new one to confirm.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, or its answer has not two parents.
    pub async fn tx_parents(&self) -> Result<[VertexId; 2], CallError> {
        #[derive(Deserialize)]
        struct Wire {
            tx_parents: [VertexId; 2],
        }
        let wire: Wire = self.endpoint.for_pushes().read("tx_parents", &[]).await?;
        Ok(wire.tx_parents)
    }
}

// What a full node says of itself and of the rules of its network.

/// The answer of `GET version`, as far as a wallet needs it.
#[derive(Clone, Debug)]
pub struct NodeVersion {
    /// Of the node's software.
    pub version: String,
    /// The network's name, such as `mainnet` or `nano-testnet-bravo`.
    pub network: String,
    pub weight: WeightConstants,
    pub deposit: DepositRate,
    /// Blocks on top of a block before its reward can be spent.
    pub reward_spend_min_blocks: u32,
    pub max_inputs: u32,
    pub max_outputs: u32,
    /// Tells chains of one name apart; absent on old nodes.
    pub genesis_block: Option<VertexId>,
    /// The whole answer as it came.
    pub raw: Box<RawValue>,
}

/// The node is of another network than the configured one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Wrong network. server={server} expected={expected}")]
pub struct WrongNetwork {
    pub server: String,
    pub expected: String,
}

impl NodeVersion {
    /// Demands that the node's network has the configured name in its own.
    ///
    /// # Errors
    /// [`WrongNetwork`], with both names, if it has not.
    pub fn check_network(&self, expected: &str) -> Result<(), WrongNetwork> {
        if self.network.contains(expected) {
            return Ok(());
        }
        Err(WrongNetwork { server: self.network.clone(), expected: expected.to_owned() })
    }

    /// Reads the body of `GET version`.
    ///
    /// # Errors
    /// What is wrong with the body: which field that wallets need is missing, not as a node writes it, or out
    /// of the bounds of every network.
    pub fn from_json(body: &[u8]) -> Result<Self, String> {
        let raw: Box<RawValue> = serde_json::from_slice(body).map_err(|e| e.to_string())?;
        let wire: WireVersion = object::read(raw.get().as_bytes()).map_err(|e| e.to_string())?;
        // Nodes that publish a fraction compute with it; those before them had a double, and published that.
        let deposit = match (wire.numerator, wire.denominator, wire.percentage) {
            (Some(numerator), Some(denominator), _) => rate(numerator, denominator)?,
            (_, _, Some(rate)) if rate > 0.0 && rate <= 1.0 => DepositRate::Double(rate),
            (_, _, Some(rate)) => {
                let rate = rt::float_text(rate);
                return Err(format!("token_deposit_percentage is {rate}, and must be above 0 and at most 1"));
            }
            _ => DepositRate::default(),
        };
        within("min_tx_weight", wire.min_tx_weight, 0.0..=MAX_WEIGHT)?;
        within("min_tx_weight_coefficient", wire.min_tx_weight_coefficient, 0.0..=MAX_COEFFICIENT)?;
        within("min_tx_weight_k", wire.min_tx_weight_k, 0.0..=MAX_K)?;
        within("reward_spend_min_blocks", wire.reward_spend_min_blocks.into(), 0.0..=BLOCKS_OF_A_YEAR)?;
        within("max_number_inputs", wire.max_number_inputs.into(), 1.0..=byte().into())?;
        within("max_number_outputs", wire.max_number_outputs.into(), 1.0..=byte().into())?;
        let weight = WeightConstants {
            min_weight: wire.min_tx_weight,
            coefficient: wire.min_tx_weight_coefficient,
            k: wire.min_tx_weight_k,
        };
        Ok(Self {
            version: brief(&wire.version),
            network: brief(&wire.network),
            weight,
            deposit,
            reward_spend_min_blocks: wire.reward_spend_min_blocks,
            max_inputs: wire.max_number_inputs,
            max_outputs: wire.max_number_outputs,
            genesis_block: wire.genesis_block_hash.and_then(|h| h.parse().ok()),
            raw,
        })
    }
}

fn rate(numerator: u64, denominator: u64) -> Result<DepositRate, String> {
    match NonZeroU64::new(denominator).filter(|_| (1..=denominator).contains(&numerator)) {
        Some(denominator) => Ok(DepositRate::Fraction { numerator, denominator }),
        None => Err(format!(
            "token_deposit_percentage_numerator / token_deposit_percentage_denominator is {numerator} / {denominator}, and must be \
             above 0 and at most 1"
        )),
    }
}

/// The mining service refuses jobs of more weight: with such a minimum nobody could send.
const MAX_WEIGHT: f64 = 35.0;
/// Multiplied with the logarithm (base 2) of a size in bytes, and no transaction with a signed input is
/// smaller than 2^7.
const MAX_COEFFICIENT: f64 = MAX_WEIGHT / 7.0;
/// More HTR than an output can have: beyond it the constant changes nothing.
const MAX_K: f64 = 1e17;
/// Of 30 s each. Mainnet locks rewards for 300.
const BLOCKS_OF_A_YEAR: f64 = 365.0 * 24.0 * 120.0;

/// A node that says something else is broken or lies; without this, sends would end in a time-out, much
/// later.
fn within(field: &str, value: f64, bounds: RangeInclusive<f64>) -> Result<(), String> {
    if bounds.contains(&value) {
        return Ok(());
    }
    let [value, least, most] = [value, *bounds.start(), *bounds.end()].map(rt::float_text);
    Err(format!("{field} is {value}, and must be from {least} to {most}"))
}

#[derive(Deserialize)]
struct WireVersion {
    version: String,
    network: String,
    #[serde(deserialize_with = "float")]
    min_tx_weight: f64,
    #[serde(deserialize_with = "float")]
    min_tx_weight_coefficient: f64,
    #[serde(deserialize_with = "float")]
    min_tx_weight_k: f64,
    #[serde(default, rename = "token_deposit_percentage_numerator")]
    numerator: Option<u64>,
    #[serde(default, rename = "token_deposit_percentage_denominator")]
    denominator: Option<u64>,
    #[serde(default, deserialize_with = "some_float", rename = "token_deposit_percentage")]
    percentage: Option<f64>,
    reward_spend_min_blocks: u32,
    #[serde(default = "byte")]
    max_number_inputs: u32,
    #[serde(default = "byte")]
    max_number_outputs: u32,
    #[serde(default)]
    genesis_block_hash: Option<String>,
}

fn some_float<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    float(deserializer).map(Some)
}

/// The most that the one byte of a count can say.
const fn byte() -> u32 {
    255
}
