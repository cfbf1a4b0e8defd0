//! What the node says of itself and of the network.

use super::requests::Query;
use super::{json, refused, transaction};
use crate::calendar::UtcTime;
use crate::devnet::chain::Chain;
use crate::devnet::{Shared, timestamp_now, unix_now};
use crate::ledger::{DepositRate, MAX_INPUTS, MAX_OUTPUTS};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;

/// The releases that compute deposits in double precision, and in integers.
const VERSION_70: &str = concat!("0.70.0-devnet-", env!("CARGO_PKG_VERSION"));
const VERSION_71: &str = concat!("0.71.0-devnet-", env!("CARGO_PKG_VERSION"));
const NETWORK_NAME: &str = "privatenet";
/// The most transactions that `mempool` lists.
const MAX_MEMPOOL: usize = 100;
/// The blocks that `status` lists.
const LISTED_BLOCKS: u32 = 10;

/// A number that settings files write without a point when it has no fraction.
#[derive(Serialize)]
#[serde(untagged)]
enum Setting {
    Whole(u32),
    Fraction(f64),
}

impl Setting {
    fn of(number: f64) -> Self {
        let whole = number as u32;
        if f64::from(whole) == number { Self::Whole(whole) } else { Self::Fraction(number) }
    }
}

#[derive(Serialize)]
struct NativeToken {
    name: &'static str,
    symbol: &'static str,
    version: u8,
}

#[derive(Serialize)]
struct Version {
    version: &'static str,
    network: &'static str,
    nano_contracts_enabled: bool,
    min_weight: Setting,
    min_tx_weight: Setting,
    min_tx_weight_coefficient: f64,
    min_tx_weight_k: f64,
    token_deposit_percentage: f64,
    #[serde(flatten)]
    fraction: Option<Fraction>,
    reward_spend_min_blocks: u32,
    max_number_inputs: usize,
    max_number_outputs: usize,
    decimal_places: u8,
    #[serde(flatten)]
    decimals: Option<Decimals>,
    genesis_block_hash: String,
    genesis_tx1_hash: String,
    genesis_tx2_hash: String,
    native_token: NativeToken,
}

/// What release 0.71 says besides of deposits.
#[derive(Serialize)]
struct Fraction {
    token_deposit_percentage_numerator: u64,
    token_deposit_percentage_denominator: u64,
}

/// What release 0.71 says besides of decimals.
#[derive(Serialize)]
struct Decimals {
    display_decimal_places: u8,
    token_amount_v1_decimal_places: u8,
    token_amount_v2_decimal_places: u8,
}

impl Decimals {
    const USUAL: Self = Self {
        display_decimal_places: 2,
        token_amount_v1_decimal_places: 2,
        token_amount_v2_decimal_places: 18,
    };
}

fn release(chain: &Chain) -> &'static str {
    match chain.rules().deposit {
        DepositRate::Double(_) => VERSION_70,
        DepositRate::Fraction { .. } => VERSION_71,
    }
}

pub(super) async fn version(State(shared): State<Arc<Shared>>) -> Response {
    json(&shared.read(|chain| {
        let rules = chain.rules();
        let (token_deposit_percentage, fraction) = match rules.deposit {
            DepositRate::Double(rate) => (rate, None),
            DepositRate::Fraction { numerator, denominator } => {
                let fraction = Fraction {
                    token_deposit_percentage_numerator: numerator,
                    token_deposit_percentage_denominator: denominator.get(),
                };
                (numerator as f64 / denominator.get() as f64, Some(fraction))
            }
        };
        let [block, tx1, tx2] = chain.genesis().map(|id| id.to_string());
        Version {
            version: release(chain),
            network: NETWORK_NAME,
            nano_contracts_enabled: true,
            min_weight: Setting::of(rules.weight.min_weight),
            min_tx_weight: Setting::of(rules.weight.min_weight),
            min_tx_weight_coefficient: rules.weight.coefficient,
            min_tx_weight_k: rules.weight.k,
            token_deposit_percentage,
            decimals: fraction.is_some().then_some(Decimals::USUAL),
            fraction,
            reward_spend_min_blocks: rules.reward_spend_min_blocks,
            max_number_inputs: MAX_INPUTS,
            max_number_outputs: MAX_OUTPUTS,
            decimal_places: 2,
            genesis_block_hash: block,
            genesis_tx1_hash: tx1,
            genesis_tx2_hash: tx2,
            native_token: NativeToken { name: "Hathor", symbol: "HTR", version: 0 },
        }
    }))
}

#[derive(Serialize)]
struct Status {
    server: Server,
    peers_whitelist: [(); 0],
    known_peers: [(); 0],
    connections: Connections,
    dag: Dag,
}

#[derive(Serialize)]
struct Server {
    id: String,
    app_version: String,
    state: &'static str,
    network: &'static str,
    uptime: f64,
    entrypoints: [(); 0],
}

#[derive(Serialize, Default)]
struct Connections {
    connected_peers: [(); 0],
    handshaking_peers: [(); 0],
    connecting_peers: [(); 0],
}

#[derive(Serialize)]
struct Dag {
    first_timestamp: u32,
    latest_timestamp: u32,
    best_block_tips: [BestBlock; 1],
    best_block: BestBlock,
    best_blockchain: Vec<(u32, String)>,
}

#[derive(Clone, Serialize)]
struct BestBlock {
    hash: String,
    height: u32,
}

impl BestBlock {
    fn of(chain: &Chain) -> Self {
        let (id, height) = chain.best_block();
        Self { hash: id.to_string(), height }
    }
}

pub(super) async fn status(State(shared): State<Arc<Shared>>) -> Response {
    let uptime = unix_now() - shared.started_at;
    json(&shared.read(|chain| {
        let best_block = BestBlock::of(chain);
        let heights = (0..=best_block.height).rev().take(LISTED_BLOCKS as usize);
        let timestamps = || chain.arrivals().map(|vertex| vertex.timestamp());
        Status {
            server: Server {
                id: chain.genesis()[0].to_string(),
                app_version: format!("Hathor v{}", release(chain)),
                state: "READY",
                network: NETWORK_NAME,
                uptime,
                entrypoints: [],
            },
            peers_whitelist: [],
            known_peers: [],
            connections: Connections::default(),
            dag: Dag {
                first_timestamp: timestamps().next().unwrap_or_default(),
                latest_timestamp: timestamps().max().unwrap_or_default(),
                best_block_tips: [best_block.clone()],
                best_blockchain: heights
                    .filter_map(|height| Some((height, chain.block_at(height)?.to_string())))
                    .collect(),
                best_block,
            },
        }
    }))
}

#[derive(Serialize)]
#[serde(untagged)]
enum Features {
    Node { block_hash: String, block_height: u32, features: Vec<Announced> },
    Block { signal_bits: [(); 0] },
}

/// A feature as the node lists it. What there is of its activation but the state is made up.
#[derive(Serialize)]
struct Announced {
    name: String,
    state: String,
    acceptance: Option<f64>,
    threshold: f64,
    start_height: u32,
    minimum_activation_height: u32,
    timeout_height: u32,
    lock_in_on_timeout: bool,
    version: &'static str,
}

impl Announced {
    fn of((name, state): (String, String)) -> Self {
        Self {
            name,
            state,
            acceptance: None,
            threshold: 0.9,
            start_height: 0,
            minimum_activation_height: 0,
            timeout_height: 0,
            lock_in_on_timeout: false,
            version: "0.0.0",
        }
    }
}

pub(super) async fn feature(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    if let Some(block) = query.get("block") {
        return match transaction::find(&shared, block) {
            Ok(_) => json(&Features::Block { signal_bits: [] }),
            Err(_) => refused(StatusCode::BAD_REQUEST, feature_error(block)),
        };
    }
    json(&shared.read(|chain| {
        let best = BestBlock::of(chain);
        let features = shared.features().into_iter().map(Announced::of).collect();
        Features::Node { block_hash: best.hash, block_height: best.height, features }
    }))
}

/// What is wrong with a block that features are asked for.
fn feature_error(block: &str) -> String {
    match block.chars().position(|digit| !digit.is_ascii_hexdigit()) {
        None => block.to_owned(),
        Some(place) => format!(
            "1 validation error for GetBlockFeaturesParams\nblock\n  Value error, non-hexadecimal number found in fromhex() arg at position {place} [type=value_error, input_value='{block}', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.11/v/value_error",
        ),
    }
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    description: &'static str,
    checks: Checks,
}

#[derive(Serialize)]
struct Checks {
    sync: [Check; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    component_name: &'static str,
    component_type: &'static str,
    status: &'static str,
    output: &'static str,
    time: String,
}

/// Always well: a local network has no peers to fall behind.
pub(super) async fn health() -> Response {
    json(&Health {
        status: "pass",
        description: "Health status of hathor-core",
        checks: Checks {
            sync: [Check {
                component_name: "sync",
                component_type: "internal",
                status: "pass",
                output: "Healthy",
                time: format!("{}Z", UtcTime::from_unix(timestamp_now().into()).iso()),
            }],
        },
    })
}

#[derive(Serialize)]
struct Ready {
    success: bool,
}

pub(super) async fn readiness() -> Response {
    json(&Ready { success: true })
}

#[derive(Serialize)]
struct MiningInfo {
    hashrate: f64,
    difficulty: u32,
    blocks: u32,
    mined_tokens: u64,
    success: bool,
}

pub(super) async fn mining_info(State(shared): State<Arc<Shared>>) -> Response {
    json(&shared.read(|chain| {
        let blocks = chain.best_block().1;
        MiningInfo {
            hashrate: 0.0,
            difficulty: 1,
            blocks,
            mined_tokens: u64::from(blocks).saturating_mul(chain.rules().block_reward),
            success: true,
        }
    }))
}

#[derive(Serialize)]
struct Mempool {
    success: bool,
    transactions: Vec<String>,
}

pub(super) async fn mempool(State(shared): State<Arc<Shared>>) -> Response {
    json(&shared.read(|chain| Mempool {
        success: true,
        transactions: chain.mempool().take(MAX_MEMPOOL).map(|id| id.to_string()).collect(),
    }))
}

#[derive(Serialize)]
struct TxParents {
    success: bool,
    tx_parents: [String; 2],
}

pub(super) async fn tx_parents(State(shared): State<Arc<Shared>>) -> Response {
    json(&shared.read(|chain| TxParents {
        success: true,
        tx_parents: chain.tx_parents(timestamp_now()).map(|id| id.to_string()),
    }))
}
