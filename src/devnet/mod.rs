//! A local network to run against: one full node and one mining service on loopback ports, in this process.
//!
//! They speak the real services' HTTP and WebSocket APIs over a ledger that verifies everything it is sent
//! ([`chain`]). Nothing is kept: a new network starts from its genesis block.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use headless_wallet::devnet::{Devnet, DevnetConfig};
//! let devnet = Devnet::start(DevnetConfig::default()).await?;
//! println!("full node {}, mining service {}", devnet.node_url(), devnet.mining_url());
//! devnet.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! # The control interface
//!
//! What a real network's users can't do: on the node's port, under `/devnet/`. Bodies and answers are JSON;
//! amounts are cents; fields marked `?` may be left out. Bodies need `Content-Type: application/json`, so
//! that no page from elsewhere can send one unasked. What is wrong with a request is answered with status 400
//! and `{"error": "<field>: <what is wrong>"}`.
//!
//! | request | body | does | answer |
//! |---|---|---|---|
//! | `GET /devnet/` | | | `{requests}`: the names of all |
//! | `GET /devnet/status` | | | `{height, hash, mempool, block_interval_ms, node_url, mining_url}` |
//! | `POST /devnet/fund` | `{address, amount, count?, ahead?}` | pays `count` (1) times `amount` of HTR (or `amount_str`, such as `"1.005"`, with 18 decimals) to `address`, a transaction each, dated `ahead` (0, at most 300) seconds ahead of the clock | `{tx_ids}` |
//! | `POST /devnet/blocks` | `{count?, address?}` | mines `count` (1) blocks that pay `address`, each a second younger than the one before | `{block_ids, height}` |
//! | `POST /devnet/undo-blocks` | `{count?}` | undoes the newest `count` (1) blocks, as a reorganisation does | `{block_ids, height}` |
//! | `POST /devnet/pause` | | stops the block timer | `{block_interval_ms}` |
//! | `POST /devnet/resume` | `{block_interval_ms?}` | starts it again | `{block_interval_ms}` |
//! | `POST /devnet/conflict` | `{tx_hex}` | takes a solved transaction as from another node: conflicts get in, and the greater weight wins | `{tx_id, voided}` |
//! | `POST /devnet/limits` | `{max_subscribed_addresses?, max_subscribed_empty_addresses?}` | sets the node's subscription limits; one left out is taken away | the same |
//! | `POST /devnet/mining` | `{mode?, delay_ms?, status?, retry_after?}` | how the mining service works: `normal`, `no-miners`, `timeout`, `failed`, `down` (answers `status`, 503) | `{}` |
//! | `POST /devnet/node` | `{mode?, path?, status?, retry_after?}` | how the node answers (requests whose path ends in `path`): `normal`, `down` (answers `status`, 503, and drops connections), `slow` (answers nothing while this lasts), `garbage`, `broken` (does it, and breaks the answer off) | `{}` |
//! | `POST /devnet/features` | `{features?}` | which features the node lists, as names with states: `{"TOKEN_AMOUNT_V2": "LOCKED_IN"}`; none, if left out. While `TOKEN_AMOUNT_V2` is `ACTIVE`, the ledger takes amounts with 18 decimals; its other rules stay as they are | `{features}` |
//! | `POST /devnet/disconnect` | | drops every WebSocket connection | `{}` |

pub mod chain;
mod control;
mod faults;
mod mining_api;
mod node_api;
mod shared;
mod vertex_json;

pub use faults::{MiningFaults, MiningMode, NodeFaults, NodeMode, StreamFault};

use crate::ledger::{Address, DepositRate, Network, Script, WeightConstants, hash160};
use crate::net::serve::{self, Limits};
use axum::Router;
use axum::http::{HeaderValue, Request};
use axum::middleware::from_fn_with_state;
use chain::{Chain, Genesis, Rules};
use shared::Shared;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower::ServiceExt;

/// Most connections to either service at a time, besides WebSockets.
const MAX_CONNECTIONS: usize = 4096;

/// The network whose addresses the local network has.
const NETWORK: Network = Network::Privatenet;

/// Seconds since 1970.
fn unix_now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// Whole seconds since 1970, as timestamps count them.
fn timestamp_now() -> u32 {
    unix_now() as u32
}

/// How much work transactions need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DevnetWeight {
    /** Two hashes. */
    #[default]
    Trivial,
    /** What mainnet demands: seconds of one core. */
    Real,
}

/// The release of the full node that is spoken. They differ in what `version` says, and in the deposits that
/// they demand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeRelease {
    /** Deposits in double precision. */
    V70,
    /** Deposits in integers. */
    #[default]
    V71,
}

/// How many addresses one WebSocket connection may subscribe; no limit by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionLimits {
    /** Full node: `WS_MAX_SUBS_ADDRS_CONN`. */
    pub max_subscribed_addresses: Option<usize>,
    /** Addresses without a transaction. Full node: `WS_MAX_SUBS_ADDRS_EMPTY`. */
    pub max_subscribed_empty_addresses: Option<usize>,
}

/// What a local network is started with.
#[derive(Clone, Debug, PartialEq)]
pub struct DevnetConfig {
    /** The full node's port; 0 for any that is free. */
    pub node_port: u16,
    /** The mining service's port; 0 for any that is free. */
    pub mining_port: u16,
    /**
    Time between blocks; without it they come only when asked for. Blocks must be a second apart on the ledger, so that
    below a second their timestamps run ahead of the clock.
    */
    pub block_interval: Option<Duration>,
    pub weight: DevnetWeight,
    pub limits: SubscriptionLimits,
    /** Whether the full node streams histories, and says that it does. */
    pub history_streaming: bool,
    /** Whether tokens can be paid for by fees, as the networks will have it. */
    pub fee_tokens: bool,
    pub node_release: NodeRelease,
    /** What the genesis wallet owns, and what the faucet owns, in cents each. */
    pub supply: u64,
    /** The origin that browsers may call from, besides those of this machine: `http://localhost:3000`, as real nodes say, or `*`. */
    pub cors_origin: String,
}

impl Default for DevnetConfig {
    fn default() -> Self {
        Self {
            node_port: 0,
            mining_port: 0,
            block_interval: Some(Duration::from_millis(2_500)),
            weight: DevnetWeight::Trivial,
            limits: SubscriptionLimits::default(),
            history_streaming: true,
            fee_tokens: true,
            node_release: NodeRelease::default(),
            supply: chain::GENESIS_SUPPLY,
            cors_origin: "http://localhost:3000".to_owned(),
        }
    }
}

/// A running local network. Dropping it ends it without waiting for open connections.
pub struct Devnet {
    shared: Arc<Shared>,
    node: SocketAddr,
    mining: SocketAddr,
    tasks: JoinSet<()>,
}

impl Devnet {
    /// Starts one, and returns once it listens.
    ///
    /// # Errors
    /// An I/O error if one of the two ports is taken or may not be used, or if `cors_origin` can't stand in a
    /// header. Nothing runs then.
    pub async fn start(config: DevnetConfig) -> std::io::Result<Self> {
        let cors_origin = HeaderValue::from_str(&config.cors_origin).map_err(std::io::Error::other)?;
        let weight = match config.weight {
            DevnetWeight::Trivial => Rules::TRIVIAL_WEIGHT,
            DevnetWeight::Real => WeightConstants::MAINNET,
        };
        let deposit = match config.node_release {
            NodeRelease::V70 => DepositRate::Double(0.01),
            NodeRelease::V71 => DepositRate::default(),
        };
        let rules = Rules { weight, deposit, fee_tokens: config.fee_tokens, ..Rules::default() };
        let chain = Chain::new(rules, Genesis::with_supply(config.supply));
        let node_listener = TcpListener::bind((Ipv4Addr::LOCALHOST, config.node_port)).await?;
        let mining_listener = TcpListener::bind((Ipv4Addr::LOCALHOST, config.mining_port)).await?;
        let (node, mining) = (node_listener.local_addr()?, mining_listener.local_addr()?);
        let shared = Arc::new(Shared::new(chain, nobodys_script(), cors_origin, &config));
        let urls = control::Urls { node: node_url(node), mining: mining_url(mining) };
        let mut tasks = JoinSet::new();
        let node_routes = node_api::routes(shared.clone()).merge(control::routes(shared.clone(), urls));
        tasks.spawn(serve(node_listener, node_routes, shared.clone()));
        tasks.spawn(serve(mining_listener, mining_api::routes(shared.clone()), shared.clone()));
        tasks.spawn(control::run_block_timer(shared.clone()));
        tasks.spawn(node_api::run_metrics(shared.clone()));
        Ok(Self { shared, node, mining, tasks })
    }

    /// Where the full node's API begins: `http://127.0.0.1:<port>/v1a/`.
    pub fn node_url(&self) -> String {
        node_url(self.node)
    }

    /// Where the mining service's API begins: `http://127.0.0.1:<port>/`.
    pub fn mining_url(&self) -> String {
        mining_url(self.mining)
    }

    /// Where the control interface begins: `http://127.0.0.1:<port>/devnet/`.
    pub fn control_url(&self) -> String {
        format!("http://{}/devnet/", self.node)
    }

    /// Looks at the ledger.
    pub fn read<T>(&self, look: impl FnOnce(&Chain) -> T) -> T {
        self.shared.read(look)
    }

    /// Changes the ledger, given the time (Unix seconds), and tells the open connections what happened.
    pub fn change<T>(&self, act: impl FnOnce(&mut Chain, u32) -> T) -> T {
        self.shared.change(act)
    }

    /// Sets what is wrong with the node.
    pub fn set_node_faults(&self, faults: NodeFaults) {
        control::set_node_faults(&self.shared, faults);
    }

    /// Sets what is wrong with the mining service.
    pub fn set_mining_faults(&self, faults: MiningFaults) {
        self.shared.faults.set_mining(faults);
    }

    /// Sets the node's subscription limits.
    pub fn set_limits(&self, limits: SubscriptionLimits) {
        self.shared.set_limits(limits);
    }

    /// Sets which features of the network the node lists, each a name and a state.
    pub fn set_features(&self, features: &[(&str, &str)]) {
        let owned = |(name, state): &(&str, &str)| ((*name).to_owned(), (*state).to_owned());
        self.shared.set_features(features.iter().map(owned).collect());
    }

    /// How many WebSocket connections to the node are open.
    pub fn open_sockets(&self) -> usize {
        self.shared.hub.len()
    }

    /// How many requests wait for the end of [`NodeMode::Slow`].
    pub fn held_requests(&self) -> usize {
        self.shared.faults.held_requests()
    }

    /// Sets what is wrong with history streams.
    pub fn set_stream_fault(&self, fault: Option<StreamFault>) {
        self.shared.faults.set_streams(fault);
    }

    /// How many connections [`StreamFault::BrokenBefore`] has broken.
    pub fn broken_streams(&self) -> usize {
        self.shared.faults.broken_streams()
    }

    /// Closes all connections and waits until nothing runs any more.
    pub async fn shutdown(mut self) {
        self.shared.stop();
        self.shared.hub.drop_all();
        // Requests that are being answered get a moment; a client that does not read must not hold the end
        // up.
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(Duration::from_secs(2), ended).await.is_err() {
            self.tasks.shutdown().await;
        }
    }
}

impl Drop for Devnet {
    fn drop(&mut self) {
        self.shared.stop();
        self.shared.hub.drop_all();
    }
}

async fn serve(listener: TcpListener, routes: Router, shared: Arc<Shared>) {
    let routes = routes.layer(from_fn_with_state(shared.clone(), shared::refuse_strangers));
    let answer = move |request: Request<_>| routes.clone().oneshot(request);
    serve::serve(listener, Limits::of(MAX_CONNECTIONS), answer, shared.stopped()).await;
}

fn node_url(address: SocketAddr) -> String {
    format!("http://{address}/v1a/")
}

fn mining_url(address: SocketAddr) -> String {
    format!("http://{address}/")
}

/// The script that pays an address.
fn script_paying(address: Address) -> Vec<u8> {
    Script::Pay { to: address, timelock: None }.to_bytes().expect("a script that pays has a fixed size")
}

/// Pays an address that nobody has the key of: where rewards go that nobody asked for.
fn nobodys_script() -> Vec<u8> {
    script_paying(Address::p2pkh(NETWORK, hash160(b"the miner of the local network")))
}
