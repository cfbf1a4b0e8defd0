//! `transaction`, `decode_tx`, `transaction_acc_weight`, `dashboard_tx`, `block_at_height`, `push_tx`: single
//! transactions and blocks, the newest, and how transactions come in from wallets.

use super::requests::{Query, count, processing_failed};
use super::tx_json::{pushed, transaction_json};
use super::{failure, json, missing, refused};
use crate::devnet::Shared;
use crate::devnet::chain::{Body, Chain, PushError, Stored, weight_of, work_of};
use crate::devnet::vertex_json::{Object, VertexJson, object};
use crate::ledger::{DecodeError, Transaction, VertexId};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
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
            match shared.read(|chain| chain.get(&id).and_then(|vertex| transaction_json(chain, vertex))) {
                Some(transaction) => json(&transaction),
                None => processing_failed(),
            }
        }
    }
}

/// The newest blocks or transactions.
fn newest(shared: &Shared, query: &Query) -> Response {
    answer_newest(shared, query).map_or_else(failure, |list| json(&list))
}

fn answer_newest(shared: &Shared, query: &Query) -> Result<Object, String> {
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
    Ok(object! { "transactions": transactions, "has_more": has_more })
}

fn latest(chain: &Chain, blocks: bool, count: usize) -> Vec<VertexJson> {
    let mut vertices: Vec<&Stored> = chain.arrivals().filter(|vertex| vertex.is_block() == blocks).collect();
    vertices.sort_by_key(|vertex| std::cmp::Reverse((vertex.timestamp(), vertex.id)));
    let vertices = vertices.into_iter().take(count).filter_map(|vertex| chain.vertex(&vertex.id));
    vertices.map(|vertex| (&vertex).into()).collect()
}

pub(super) async fn dashboard(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let numbers = query.required(["block", "tx"]);
    let numbers = numbers.and_then(|[blocks, txs]| Ok((count("block", blocks)?, count("tx", txs)?)));
    let (blocks, transactions) = match numbers {
        Ok(numbers) => numbers,
        Err(message) => return failure(message),
    };
    json(&shared.read(|chain| {
        object! {
            "success": true,
            "transactions": latest(chain, false, transactions.min(MAX_LISTED)),
            "blocks": latest(chain, true, blocks.min(MAX_LISTED)),
        }
    }))
}

pub(super) async fn decode(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let Some(hex_tx) = query.get("hex_tx") else { return missing("hex_tx") };
    let Ok(bytes) = hex::decode(hex_tx) else { return failure("Invalid hexadecimal data") };
    if bytes.len() < 2 {
        return processing_failed();
    }
    let Ok(vertex) = stored(bytes) else { return failure("Could not decode transaction") };
    let shown = shared.read(|chain| transaction_json(chain, chain.get(&vertex.id).unwrap_or(&vertex)));
    shown.map_or_else(processing_failed, |shown| json(&shown))
}

/// A transaction that the ledger may not have, with nothing known of it.
fn stored(bytes: Vec<u8>) -> Result<Stored, DecodeError> {
    let tx = Transaction::from_bytes_with_v2(&bytes)?;
    let id =
        tx.id().map_err(|error| DecodeError::Malformed { what: "transaction", reason: error.to_string() })?;
    Ok(Stored { id, body: Body::Transaction(tx), bytes, meta: Default::default() })
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
        let weight = object! {
            "success": true,
            "accumulated_weight": weight_of(work),
            "accumulated_weight_raw": work.to_string(),
            "accumulated_bigger": needed.is_some_and(|needed| work > needed),
        };
        let level = match needed {
            None => Level::Whole(0),
            Some(needed) if work >= needed => Level::Whole(1),
            Some(needed) => Level::Part(work as f64 / needed as f64),
        };
        Some(weight.maybe("stop_value", needed.map(weight_of)).with("confirmation_level", level))
    });
    answer.map_or_else(|| failure("not allowed on blocks"), |answer| json(&answer))
}

// `block_at_height`, and what the node says of nano contracts: that there are none.

pub(super) async fn block_at_height(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let Some(text) = query.get("height") else {
        return bad_height("Field required [type=missing, input_value={}, input_type=dict]", "missing");
    };
    if text.parse::<i128>().is_err() {
        let complaint = format!(
            "Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='{text}', input_type=str]",
        );
        return bad_height(&complaint, "int_parsing");
    }
    if text.starts_with('-') {
        return super::requests::processing_failed();
    }
    let block = text.parse().ok().and_then(|height| {
        shared.read(|chain| {
            let id = chain.block_at(height)?;
            let confirmed = || {
                let ids = chain.arrivals().filter(|vertex| vertex.meta.first_block == Some(id));
                ids.map(|vertex| vertex.id).collect::<Vec<VertexId>>()
            };
            let asked_for = query.get("include_transactions");
            let ids = || confirmed().iter().map(ToString::to_string).collect::<Vec<_>>();
            let vertices = || {
                let vertices = confirmed().into_iter().filter_map(|id| chain.vertex(&id));
                vertices.map(|vertex| VertexJson::from(&vertex)).collect::<Vec<_>>()
            };
            Some(object! {
                "success": true,
                "block": VertexJson::from(&chain.vertex(&id)?),
                "tx_ids": (asked_for == Some("txid")).then(ids),
                "transactions": (asked_for == Some("full")).then(vertices),
            })
        })
    });
    match block {
        Some(block) => json(&block),
        None => failure(format!("No block with height {text}.")),
    }
}

fn bad_height(complaint: &str, kind: &str) -> Response {
    let error = format!(
        "1 validation error for BlockAtHeightParams\nheight\n  {complaint}\n    For further information visit https://errors.pydantic.dev/2.14/v/{kind}",
    );
    refused(StatusCode::BAD_REQUEST, error)
}

// `push_tx`: how transactions come in from wallets.

/// A refusal that says whether the transaction could be forced in (it never can).
fn not_forced(message: impl Into<String>) -> Response {
    json(&object! { "success": false, "message": message.into(), "can_force": false })
}

pub(super) async fn push_by_query(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    push(&shared, query.get("hex_tx"))
}

pub(super) async fn push_by_body(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    if body.is_empty() {
        return push(&shared, None);
    }
    match crate::json::read(&body) {
        Ok(body) => match body.get("hex_tx") {
            None => push(&shared, None),
            Some(Value::String(hex_tx)) => push(&shared, Some(hex_tx)),
            Some(_) => processing_failed(),
        },
        Err(error) => failure(json_error(&body, &error)),
    }
}

pub(super) async fn push_options() -> Response {
    let content_type = HeaderValue::from_static("application/json; charset=utf-8");
    [(header::CONTENT_TYPE, content_type)].into_response()
}

fn push(shared: &Shared, hex_tx: Option<&str>) -> Response {
    let Some(hex_tx) = hex_tx else {
        return not_forced("Missing hexadecimal data");
    };
    let Ok(bytes) = hex::decode(hex_tx) else {
        return not_forced("Invalid hexadecimal data");
    };
    let answer = shared.change(|chain, now| {
        let id = chain.push(&bytes, now)?;
        Ok(chain.get(&id).and_then(|vertex| Some(pushed(id, vertex.transaction()?))))
    });
    match answer {
        Ok(Some(tx)) => json(&object! { "success": true, "message": "", "tx": tx }),
        Ok(None) | Err(PushError::Unanswered) => processing_failed(),
        Err(error) if error.shows_can_force() => not_forced(error.to_string()),
        Err(error) => failure(error.to_string()),
    }
}

/// What the node's JSON reader says of a text that is no JSON, for the two mistakes that are made most.
fn json_error(body: &[u8], error: &serde_json::Error) -> String {
    let text = String::from_utf8_lossy(body);
    let inside = text.trim_start().strip_prefix('{').map(str::trim_start);
    let (complaint, place) = match inside {
        Some(inside) if !inside.starts_with(['"', '}']) => {
            ("Expecting property name enclosed in double quotes", text.len() - inside.len())
        }
        _ if error.is_eof() => ("Expecting value", text.len()),
        _ => {
            // The other reader notices a wrong word in its middle; this one points at its beginning.
            let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let noticed = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
            let word =
                text.as_bytes().iter().take(noticed).rev().take_while(|byte| byte.is_ascii_alphabetic());
            ("Expecting value", noticed.min(text.len()) - word.count())
        }
    };
    let before = String::from_utf8_lossy(&text.as_bytes()[..place]);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("{complaint}: line {line} column {column} (char {})", before.chars().count())
}
