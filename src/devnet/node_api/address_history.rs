//! `thin_wallet/address_history`: what happened on addresses, in pages.

use super::pages::processing_failed;
use super::query::Query;
use super::{failure, has_address_length, json, missing};
use crate::devnet::Shared;
use crate::devnet::basics::NETWORK;
use crate::devnet::chain::{Chain, Stored};
use crate::devnet::vertex_json::VertexJson;
use crate::ledger::{Address, VertexId};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// The most transactions of a page (full node: `MAX_TX_ADDRESSES_HISTORY`).
const MAX_TRANSACTIONS: usize = 150;
/// The most inputs and outputs of a page, together (full node: `MAX_INPUTS_OUTPUTS_ADDRESS_HISTORY`).
const MAX_INPUTS_AND_OUTPUTS: usize = 900;

#[derive(Serialize)]
struct Page {
    success: bool,
    history: Vec<VertexJson>,
    has_more: bool,
    first_hash: Option<String>,
    first_address: Option<String>,
}

/// What is asked for.
struct Request {
    addresses: Vec<String>,
    /// Where the first address's history starts.
    hash: Option<String>,
    /// The kinds of vertices wanted; all when empty.
    versions: Vec<u8>,
}

pub(super) async fn get(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let addresses = query.all("addresses[]");
    if addresses.is_empty() {
        return missing("addresses[]");
    }
    let versions = query.all("tx_version[]").iter().filter_map(|version| version.parse().ok()).collect();
    answer(&shared, &Request { addresses, hash: query.get("hash").map(str::to_owned), versions })
}

pub(super) async fn post(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let Ok(body) = crate::json::read(&body) else {
        return missing("invalid json");
    };
    let Some(addresses) = body.get("addresses") else {
        return missing("addresses");
    };
    // The node trips over anything but a list of texts.
    let Ok(addresses) = serde_json::from_value(addresses.clone()) else {
        return processing_failed();
    };
    let list = |name: &str| body.get(name).and_then(Value::as_array);
    let version = |version: &Value| version.as_u64().and_then(|version| u8::try_from(version).ok());
    let versions = list("tx_version").into_iter().flatten().filter_map(version).collect();
    let hash = body.get("hash").and_then(Value::as_str).map(str::to_owned);
    answer(&shared, &Request { addresses, hash, versions })
}

fn answer(shared: &Shared, request: &Request) -> Response {
    match shared.read(|chain| page(chain, request)) {
        Ok(page) => json(&page),
        Err(message) => failure(message),
    }
}

fn page(chain: &Chain, request: &Request) -> Result<Page, String> {
    let mut start = match request.hash.as_deref().filter(|hash| !hash.is_empty()) {
        None => None,
        Some(hash) => {
            let bytes = hex::decode(hash).map_err(|_| format!("Invalid hash {hash}"))?;
            let id = bytes.try_into().ok().map(VertexId);
            let vertex = id.and_then(|id| chain.get(&id));
            let vertex = vertex.ok_or_else(|| format!("Hash {hash} is not a transaction hash."))?;
            Some((vertex.timestamp(), vertex.id))
        }
    };
    let mut page =
        Page { success: true, history: Vec::new(), has_more: false, first_hash: None, first_address: None };
    let mut seen = HashSet::new();
    let mut elements = 0;
    for address in &request.addresses {
        if !has_address_length(address) {
            return Err(format!("The address {address} is invalid"));
        }
        let start = start.take();
        for vertex in history(chain, address) {
            if start.is_some_and(|start| (vertex.timestamp(), vertex.id) < start) {
                continue;
            }
            let size = vertex.inputs().len() + vertex.outputs().len();
            if page.history.len() == MAX_TRANSACTIONS
                || (!seen.contains(&vertex.id) && elements + size > MAX_INPUTS_AND_OUTPUTS)
            {
                page.has_more = true;
                page.first_hash = Some(vertex.id.to_string());
                page.first_address = Some(address.clone());
                return Ok(page);
            }
            let Some(shown) = chain.vertex(&vertex.id) else { continue };
            let wanted = request.versions.is_empty() || request.versions.contains(&shown.version);
            if wanted && seen.insert(vertex.id) {
                elements += size;
                page.history.push((&shown).into());
            }
        }
    }
    Ok(page)
}

fn history<'a>(chain: &'a Chain, address: &str) -> impl Iterator<Item = &'a Stored> {
    let address = Address::parse(address, NETWORK).ok();
    let ids = address.map(|address| chain.history_of(&address));
    ids.into_iter().flatten().filter_map(|id| chain.get(&id))
}
