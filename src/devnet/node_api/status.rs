//! What the node says of itself and of the network.

use super::requests::Query;
use super::{json, refused, transaction};
use crate::calendar::UtcTime;
use crate::devnet::chain::Chain;
use crate::devnet::vertex_json::{Object, object};
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

fn release(chain: &Chain) -> &'static str {
    match chain.rules().deposit {
        DepositRate::Double(_) => VERSION_70,
        DepositRate::Fraction { .. } => VERSION_71,
    }
}

pub(super) async fn version(State(shared): State<Arc<Shared>>) -> Response {
    json(&shared.read(|chain| {
        let rules = chain.rules();
        // Release 0.71 says a fraction besides, and how many decimals there are.
        let (percentage, fraction) = match rules.deposit {
            DepositRate::Double(rate) => (rate, None),
            DepositRate::Fraction { numerator, denominator } => {
                (numerator as f64 / denominator.get() as f64, Some((numerator, denominator.get())))
            }
        };
        let [block, tx1, tx2] = chain.genesis().map(|id| id.to_string());
        let version = object! {
            "version": release(chain),
            "network": NETWORK_NAME,
            "nano_contracts_enabled": true,
            "min_weight": Setting::of(rules.weight.min_weight),
            "min_tx_weight": Setting::of(rules.weight.min_weight),
            "min_tx_weight_coefficient": rules.weight.coefficient,
            "min_tx_weight_k": rules.weight.k,
            "token_deposit_percentage": percentage,
        };
        version
            .maybe("token_deposit_percentage_numerator", fraction.map(|(numerator, _)| numerator))
            .maybe("token_deposit_percentage_denominator", fraction.map(|(_, denominator)| denominator))
            .with("reward_spend_min_blocks", rules.reward_spend_min_blocks)
            .with("max_number_inputs", MAX_INPUTS)
            .with("max_number_outputs", MAX_OUTPUTS)
            .with("decimal_places", 2)
            .maybe("display_decimal_places", fraction.map(|_| 2))
            .maybe("token_amount_v1_decimal_places", fraction.map(|_| 2))
            .maybe("token_amount_v2_decimal_places", fraction.map(|_| 18))
            .with("genesis_block_hash", block)
            .with("genesis_tx1_hash", tx1)
            .with("genesis_tx2_hash", tx2)
            .with("native_token", object! { "name": "Hathor", "symbol": "HTR", "version": 0 })
    }))
}

fn best_block(chain: &Chain) -> Object {
    let (id, height) = chain.best_block();
    object! { "hash": id.to_string(), "height": height }
}

pub(super) async fn status(State(shared): State<Arc<Shared>>) -> Response {
    const NONE: [(); 0] = [];
    let uptime = unix_now() - shared.started_at;
    json(&shared.read(|chain| {
        let best = best_block(chain);
        let heights = (0..=chain.best_block().1).rev().take(LISTED_BLOCKS as usize);
        let blocks = heights.filter_map(|height| Some((height, chain.block_at(height)?.to_string())));
        let timestamps = || chain.arrivals().map(|vertex| vertex.timestamp());
        object! {
            "server": object! {
                "id": chain.genesis()[0].to_string(),
                "app_version": format!("Hathor v{}", release(chain)),
                "state": "READY",
                "network": NETWORK_NAME,
                "uptime": uptime,
                "entrypoints": NONE,
            },
            "peers_whitelist": NONE,
            "known_peers": NONE,
            "connections": object! {
                "connected_peers": NONE, "handshaking_peers": NONE, "connecting_peers": NONE,
            },
            "dag": object! {
                "first_timestamp": timestamps().next().unwrap_or_default(),
                "latest_timestamp": timestamps().max().unwrap_or_default(),
                "best_block_tips": [&best],
                "best_block": best,
                "best_blockchain": blocks.collect::<Vec<_>>(),
            },
        }
    }))
}

/// A feature as the node lists it. What there is of its activation but the state is made up.
fn announced((name, state): (String, String)) -> Object {
    object! {
        "name": name,
        "state": state,
        "acceptance": (),
        "threshold": 0.9,
        "start_height": 0,
        "minimum_activation_height": 0,
        "timeout_height": 0,
        "lock_in_on_timeout": false,
        "version": "0.0.0",
    }
}

pub(super) async fn feature(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    if let Some(block) = query.get("block") {
        return match transaction::find(&shared, block) {
            Ok(_) => json(&object! { "signal_bits": [(); 0] }),
            Err(_) => refused(StatusCode::BAD_REQUEST, feature_error(block)),
        };
    }
    let features: Vec<_> = shared.features().into_iter().map(announced).collect();
    json(&shared.read(|chain| {
        let (id, height) = chain.best_block();
        object! { "block_hash": id.to_string(), "block_height": height, "features": features }
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

/// One of the checks of `health`, of the node and of the mining service.
pub(in crate::devnet) fn check(component: &str, kind: &str, status: &str, output: &str) -> Object {
    object! {
        "componentName": component,
        "componentType": kind,
        "status": status,
        "output": output,
        "time": format!("{}Z", UtcTime::from_unix(timestamp_now().into()).iso()),
    }
}

/// Always well: a local network has no peers to fall behind.
pub(super) async fn health() -> Response {
    json(&object! {
        "status": "pass",
        "description": "Health status of hathor-core",
        "checks": object! { "sync": [check("sync", "internal", "pass", "Healthy")] },
    })
}

pub(super) async fn readiness() -> Response {
    json(&object! { "success": true })
}

pub(super) async fn mining_info(State(shared): State<Arc<Shared>>) -> Response {
    json(&shared.read(|chain| {
        let blocks = chain.best_block().1;
        object! {
            "hashrate": 0.0,
            "difficulty": 1,
            "blocks": blocks,
            "mined_tokens": u64::from(blocks).saturating_mul(chain.rules().block_reward),
            "success": true,
        }
    }))
}

pub(super) async fn mempool(State(shared): State<Arc<Shared>>) -> Response {
    let first =
        |chain: &Chain| chain.mempool().take(MAX_MEMPOOL).map(|id| id.to_string()).collect::<Vec<_>>();
    let ids = shared.read(first);
    json(&object! { "success": true, "transactions": ids })
}

pub(super) async fn tx_parents(State(shared): State<Arc<Shared>>) -> Response {
    let parents = shared.read(|chain| chain.tx_parents(timestamp_now()).map(|id| id.to_string()));
    json(&object! { "success": true, "tx_parents": parents })
}
