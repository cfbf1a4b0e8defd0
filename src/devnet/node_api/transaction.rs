//! `transaction`, `decode_tx`, `transaction_acc_weight`, `dashboard_tx`: single transactions and blocks, and
//! the newest.

use super::pages::processing_failed;
use super::query::{Query, count};
use super::tx_json::TransactionJson;
use super::{failure, json, missing};
use crate::devnet::Shared;
use crate::devnet::chain::{Body, Chain, Stored, weight_of, work_of};
use crate::devnet::vertex_json::VertexJson;
use crate::ledger::{DecodeError, Transaction, VertexId};
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;

/// Blocks whose work together confirms a transaction.
const CONFIRMING_BLOCKS: u128 = 6;
/// The most vertices that a list shows.
const MAX_LISTED: usize = 100;

/// The id that a request names, if the ledger knows it; else the message to answer with.
pub(super) fn find(shared: &Shared, hash: &str) -> Result<VertexId, &'static str> {
    let id = hash.parse().map_err(|_| "Invalid hash")?;
    let known = shared.read(|chain| chain.get(&id).is_some());
    if known { Ok(id) } else { Err("Transaction not found") }
}

pub(super) async fn transaction(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let Some(hash) = query.get("id") else { return newest(&shared, &query) };
    match find(&shared, hash) {
        Err(message) => failure(message),
        Ok(id) => {
            match shared.read(|chain| chain.get(&id).and_then(|vertex| TransactionJson::of(chain, vertex))) {
                Some(transaction) => json(&transaction),
                None => processing_failed(),
            }
        }
    }
}

#[derive(Serialize)]
struct List {
    transactions: Vec<VertexJson>,
    has_more: bool,
}

/// The newest blocks or transactions.
fn newest(shared: &Shared, query: &Query) -> Response {
    answer_newest(shared, query).map_or_else(failure, |list| json(&list))
}

fn answer_newest(shared: &Shared, query: &Query) -> Result<List, String> {
    let [wanted, kind] = query.required(["count", "type"])?;
    let wanted = count("count", wanted)?.min(MAX_LISTED);
    let blocks = match kind {
        "block" => true,
        "tx" => false,
        _ => return Err("Invalid 'type' parameter, expected 'block' or 'tx'".to_owned()),
    };
    let mut transactions = shared.read(|chain| latest(chain, blocks, wanted + 1));
    let has_more = transactions.len() > wanted;
    transactions.truncate(wanted);
    Ok(List { transactions, has_more })
}

fn latest(chain: &Chain, blocks: bool, count: usize) -> Vec<VertexJson> {
    let mut vertices: Vec<&Stored> = chain.arrivals().filter(|vertex| vertex.is_block() == blocks).collect();
    vertices.sort_by_key(|vertex| std::cmp::Reverse((vertex.timestamp(), vertex.id)));
    let vertices = vertices.into_iter().take(count).filter_map(|vertex| chain.vertex(&vertex.id));
    vertices.map(|vertex| (&vertex).into()).collect()
}

#[derive(Serialize)]
struct Dashboard {
    success: bool,
    transactions: Vec<VertexJson>,
    blocks: Vec<VertexJson>,
}

pub(super) async fn dashboard(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let numbers = query.required(["block", "tx"]);
    let numbers = numbers.and_then(|[blocks, txs]| Ok((count("block", blocks)?, count("tx", txs)?)));
    let (blocks, transactions) = match numbers {
        Ok(numbers) => numbers,
        Err(message) => return failure(message),
    };
    json(&shared.read(|chain| Dashboard {
        success: true,
        transactions: latest(chain, false, transactions.min(MAX_LISTED)),
        blocks: latest(chain, true, blocks.min(MAX_LISTED)),
    }))
}

pub(super) async fn decode(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let Some(hex_tx) = query.get("hex_tx") else { return missing("hex_tx") };
    let Ok(bytes) = hex::decode(hex_tx) else { return failure("Invalid hexadecimal data") };
    if bytes.len() < 2 {
        return processing_failed();
    }
    let Ok(vertex) = stored(bytes) else { return failure("Could not decode transaction") };
    let shown = shared.read(|chain| TransactionJson::of(chain, chain.get(&vertex.id).unwrap_or(&vertex)));
    shown.map_or_else(processing_failed, |shown| json(&shown))
}

/// A transaction that the ledger may not have, with nothing known of it.
fn stored(bytes: Vec<u8>) -> Result<Stored, DecodeError> {
    let tx = Transaction::from_bytes(&bytes)?;
    let id =
        tx.id().map_err(|error| DecodeError::Malformed { what: "transaction", reason: error.to_string() })?;
    Ok(Stored { id, body: Body::Transaction(tx), bytes, meta: Default::default() })
}

#[derive(Serialize)]
struct AccumulatedWeight {
    success: bool,
    accumulated_weight: f64,
    accumulated_weight_raw: String,
    accumulated_bigger: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_value: Option<f64>,
    confirmation_level: Level,
}

/// A share from 0 to 1; the ends are written without a point.
#[derive(Serialize)]
#[serde(untagged)]
enum Level {
    Whole(u8),
    Part(f64),
}

pub(super) async fn accumulated_weight(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let Some(hash) = query.get("id") else { return missing("id") };
    let id = match find(&shared, hash) {
        Ok(id) => id,
        Err(message) => return failure(message),
    };
    let answer = shared.read(|chain| {
        let vertex = chain.get(&id)?;
        if vertex.is_block() {
            return None;
        }
        let work = chain.accumulated_work(&id)?;
        let block = vertex.meta.first_block.and_then(|block| chain.get(&block));
        let needed = block.map(|block| work_of(block.weight()) * CONFIRMING_BLOCKS);
        Some(AccumulatedWeight {
            success: true,
            accumulated_weight: weight_of(work),
            accumulated_weight_raw: work.to_string(),
            accumulated_bigger: needed.is_some_and(|needed| work > needed),
            stop_value: needed.map(weight_of),
            confirmation_level: match needed {
                None => Level::Whole(0),
                Some(needed) if work >= needed => Level::Whole(1),
                Some(needed) => Level::Part(work as f64 / needed as f64),
            },
        })
    });
    answer.map_or_else(|| failure("not allowed on blocks"), |answer| json(&answer))
}
