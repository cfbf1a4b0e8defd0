//! The full node over HTTP: reads. Pushing has its own file.

use super::KeyLocks;
#[cfg(feature = "native")]
use super::connection_pool::ConnectionPool;
use super::endpoint::Endpoint;
use super::nano::KnownBlueprints;
use super::object::{self, object};
use super::parents::RecentParents;
use super::wire::Text;
use super::{BadUrl, CallError, Fault, NodeVersion, Service};
use crate::ledger::{Block, Network, Outpoint, Output, SpentOutput, TokenUid, Transaction, VertexId};
use crate::net::{HttpClient, Url, brief};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::time::Duration;

/// The path that a transaction is asked for at.
const TRANSACTION: &str = "transaction";

/// A full node at one address. Clones share the limit on requests at once, and (with feature `native`)
/// WebSocket connections.
#[derive(Clone)]
pub struct FullNode {
    pub(super) endpoint: Endpoint,
    pub(super) connect_limit: Duration,
    /// Payments that are being solved and pushed, by their sighashes.
    pub(crate) payments: KeyLocks,
    pub(super) parents: RecentParents,
    pub(super) blueprints: KnownBlueprints,
    #[cfg(feature = "native")]
    pub(super) connections: std::sync::Arc<ConnectionPool>,
}

/// What the ledger says of one transaction or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxStatus {
    /// Lost a conflict, or spends what did.
    pub voided: bool,
    /// The block that first confirmed it.
    pub first_block: Option<VertexId>,
    /// That block's height.
    pub first_block_height: Option<u32>,
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
            #[cfg(feature = "native")]
            connections: std::sync::Arc::new(ConnectionPool::new()),
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

    /// How long a read may take in all.
    pub(crate) fn read_limit(&self) -> Duration {
        self.endpoint.read_limit
    }

    /// That what was asked for over the WebSocket did not come in that time.
    pub(crate) fn no_answer_on_socket(&self) -> CallError {
        let fault = Fault::TimedOut(self.endpoint.read_limit);
        CallError::new(Service::FullNode, self.socket_url().printable(), fault)
    }

    /// That what it says of an output in its history is not what the bytes of its transaction say.
    pub(crate) fn other_output(&self, output: Outpoint) -> CallError {
        let Outpoint { tx, index } = output;
        let what = format!("output {index} of transaction {tx} is not what its history says it is");
        self.endpoint.error("transaction", Fault::InvalidAnswer(what))
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

    /// How a transaction stands; `None` if the node does not know it.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, or refuses for another reason than that it does not know it.
    pub async fn transaction(&self, id: &VertexId) -> Result<Option<TxStatus>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(deserialize_with = "object")]
            meta: Meta,
        }
        #[derive(Deserialize)]
        struct Meta {
            voided_by: Vec<String>,
            #[serde(default)]
            first_block: Option<Text<VertexId>>,
            #[serde(default)]
            first_block_height: Option<u32>,
        }
        let found = self.find::<Wire>(id).await?;
        Ok(found.map(|Wire { meta }| TxStatus {
            voided: !meta.voided_by.is_empty(),
            first_block: meta.first_block.map(|h| h.0),
            first_block_height: meta.first_block_height,
        }))
    }

    /// The outputs of a transaction or block, read from its bytes, of which its id is the hash; `None` if the
    /// node does not know it.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, with [`Fault::InvalidAnswer`] if the bytes can't be read or
    /// hash to another id.
    pub async fn outputs(&self, id: &VertexId) -> Result<Option<Vec<SpentOutput>>, CallError> {
        let Some(bytes) = self.vertex_bytes(id).await? else { return Ok(None) };
        outputs_in(&bytes, *id)
            .map(Some)
            .map_err(|what| self.endpoint.error(TRANSACTION, Fault::InvalidAnswer(what)))
    }

    /// A transaction as it is on the ledger, signatures and all; `None` if the node does not know it.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, with [`Fault::InvalidAnswer`] if the bytes can't be read,
    /// are a block's, or hash to another id.
    pub async fn full_transaction(&self, id: &VertexId) -> Result<Option<Transaction>, CallError> {
        let Some(bytes) = self.vertex_bytes(id).await? else { return Ok(None) };
        let transaction = Transaction::from_bytes(&bytes).ok();
        let transaction = transaction.filter(|transaction| transaction.id().is_ok_and(|hash| hash == *id));
        transaction.map(Some).ok_or_else(|| self.unreadable_vertex())
    }

    async fn vertex_bytes(&self, id: &VertexId) -> Result<Option<Vec<u8>>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(deserialize_with = "object")]
            tx: Raw,
        }
        #[derive(Deserialize)]
        struct Raw {
            raw: String,
        }
        match self.find::<Wire>(id).await? {
            None => Ok(None),
            Some(Wire { tx }) => hex::decode(tx.raw).map(Some).map_err(|_| {
                let what = "the transaction's bytes are not hexadecimal".to_owned();
                self.endpoint.error(TRANSACTION, Fault::InvalidAnswer(what))
            }),
        }
    }

    /// What is wrong with a node that names a transaction which took an input, and shows none.
    pub(crate) fn unproven_spender(&self, id: &VertexId) -> CallError {
        let what = format!(
            "it says that {id} has spent an input, and shows no transaction of that id with a signature for it"
        );
        self.endpoint.error(TRANSACTION, Fault::InvalidAnswer(what))
    }

    fn unreadable_vertex(&self) -> CallError {
        self.endpoint
            .error(TRANSACTION, Fault::InvalidAnswer("the transaction's bytes can't be read".to_owned()))
    }

    /// A valid transaction, other than `but`, that spends one of these outputs, if the node knows one.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked about one of their transactions before a spender is found.
    /// One that it does not know has no spender.
    pub async fn spender(
        &self,
        outputs: &[Outpoint],
        but: Option<&VertexId>,
    ) -> Result<Option<VertexId>, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            /// Valid spenders only.
            #[serde(default, deserialize_with = "object::entries")]
            spent_outputs: Vec<(u8, Text<VertexId>)>,
        }
        for (i, Outpoint { tx, .. }) in outputs.iter().enumerate() {
            if outputs[..i].iter().any(|asked| asked.tx == *tx) {
                continue;
            }
            let Some(Wire { spent_outputs }) = self.find::<Wire>(tx).await? else { continue };
            let of_this = outputs.iter().filter(|output| output.tx == *tx);
            let spender_of = |output: &Outpoint| {
                let mut spends = spent_outputs.iter();
                spends.find_map(|(index, spender)| (*index == output.index).then_some(spender.0))
            };
            let mut spenders = of_this.filter_map(spender_of);
            if let Some(spender) = spenders.find(|spender| Some(spender) != but) {
                return Ok(Some(spender));
            }
        }
        Ok(None)
    }

    /// `GET transaction`: `None` if the node does not know it.
    pub(super) async fn find<T: DeserializeOwned>(&self, id: &VertexId) -> Result<Option<T>, CallError> {
        match self.endpoint.read::<T>(TRANSACTION, &[("id", &id.to_string())]).await {
            Err(CallError { fault: Fault::Refused(message), .. }) if message == "Transaction not found" => {
                Ok(None)
            }
            answer => answer.map(Some),
        }
    }

    /// Parents as [`FullNode::tx_parents`] gives them, and the later one's timestamp, which a transaction
    /// that confirms them must be past.
    pub(super) async fn parents_and_time(&self) -> Result<([VertexId; 2], u32), CallError> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(deserialize_with = "object")]
            tx: Tx,
        }
        #[derive(Deserialize)]
        struct Tx {
            timestamp: u32,
        }
        let parents = self.tx_parents().await?;
        let ids = parents.map(|id| id.to_string());
        let time = |id| async move { self.endpoint.read::<Wire>("transaction", &[("id", id)]).await };
        let (one, other) = futures_util::try_join!(time(&ids[0]), time(&ids[1]))?;
        Ok((parents, one.tx.timestamp.max(other.tx.timestamp)))
    }

    /// Parents for `transaction` that are older than it in any case, for when the node's newest ones are not:
    /// those of what it spends, which count as long as that does.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked about the first transaction spent, or, where that names no
    /// parents, about its genesis.
    pub async fn older_parents(&self, transaction: &Transaction) -> Result<[VertexId; 2], CallError> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(deserialize_with = "object")]
            tx: Tx,
        }
        #[derive(Deserialize)]
        struct Tx {
            parents: Vec<Text<VertexId>>,
        }
        if let Some(input) = transaction.inputs.first() {
            let spent = input.spends.tx.to_string();
            let wire: Wire = self.endpoint.read("transaction", &[("id", &spent)]).await?;
            // A block's first parent is a block.
            if let [.., one, other] = wire.tx.parents.as_slice() {
                return Ok([one.0, other.0]);
            }
        }
        self.genesis_transactions().await
    }

    /// The two transactions that the network began with.
    async fn genesis_transactions(&self) -> Result<[VertexId; 2], CallError> {
        #[derive(Deserialize)]
        struct Wire {
            genesis_tx1_hash: Text<VertexId>,
            genesis_tx2_hash: Text<VertexId>,
        }
        let wire: Wire = self.endpoint.read("version", &[]).await?;
        Ok([wire.genesis_tx1_hash.0, wire.genesis_tx2_hash.0])
    }

    /// The height of the best block.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, or its answer has no height.
    pub async fn best_height(&self) -> Result<u32, CallError> {
        #[derive(Deserialize)]
        struct Wire {
            block_height: u32,
        }
        let wire: Wire = self.endpoint.read("feature", &[]).await?;
        Ok(wire.block_height)
    }

    /// `GET health`, tried once. A node without a synced peer is not healthy (status 503) but may serve well.
    ///
    /// # Errors
    /// [`CallError`] if there is no answer, or none that says how the node is. Bad health is no error.
    pub async fn health(&self) -> Result<Health, CallError> {
        health(&self.endpoint).await
    }
}

/// The outputs that the bytes of vertex `id` say it has; the error says why they don't.
fn outputs_in(bytes: &[u8], id: VertexId) -> Result<Vec<SpentOutput>, String> {
    let unreadable = |e: &dyn std::fmt::Display| format!("the transaction's bytes can't be read: {e}");
    let others = "the transaction's bytes are those of another".to_owned();
    let spent = |output: Output, token| SpentOutput {
        value: output.value,
        token,
        token_data: output.token_data,
        script: output.script.into_boxed_slice(),
        unknown: None,
    };
    if let Ok(block) = Block::from_bytes(bytes) {
        return match block.id() {
            Ok(hash) if hash == id => {
                Ok(block.outputs.into_iter().map(|output| spent(output, TokenUid::Native)).collect())
            }
            _ => Err(others),
        };
    }
    let transaction = Transaction::from_bytes(bytes).map_err(|e| unreadable(&e))?;
    if transaction.id() != Ok(id) {
        return Err(others);
    }
    let tokens: Vec<_> = transaction
        .outputs
        .iter()
        .map(|output| match transaction.token_at(output.token_data) {
            None if transaction.creates.is_some() => Some(TokenUid::Custom(id)),
            token => token,
        })
        .collect();
    let outputs = transaction.outputs.into_iter().zip(tokens);
    let outputs: Option<_> = outputs.map(|(output, token)| Some(spent(output, token?))).collect();
    outputs.ok_or_else(|| unreadable(&"an output is of a token that it doesn't list"))
}

/// `GET health` of either service.
pub(super) async fn health(endpoint: &Endpoint) -> Result<Health, CallError> {
    let response = endpoint.get_any("health").await?;
    match Health::from_json(&response.body) {
        Ok(health) => Ok(health),
        Err(what) => {
            endpoint.check_status("health", response)?;
            Err(endpoint.error("health", Fault::InvalidAnswer(what)))
        }
    }
}
