//! What the node knows of addresses: their histories in pages, balances and searches.

use super::requests::{Amounts, MAX_TRANSACTIONS, Query, count, newest_first, processing_failed};
use super::{failure, has_address_length, json, missing, tokens};
use crate::devnet::chain::{Chain, Stored};
use crate::devnet::vertex_json::{Object, VertexJson, base64, object};
use crate::devnet::{NETWORK, Shared, script_paying};
use crate::ledger::{
    Address, AddressError, AddressKind, Amount, Script, SpentOutput, TokenUid, Vertex, VertexId,
};
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

pub(super) async fn validate(Path(text): Path<String>) -> Response {
    let invalid = |msg| object! { "valid": false, "error": "invalid_address", "msg": msg };
    json(&match Address::parse(&text, NETWORK) {
        Ok(address) => object! {
            "valid": true,
            "script": base64(&script_paying(address)),
            "address": text,
            "type": match address.kind() {
                AddressKind::P2pkh => "p2pkh",
                AddressKind::P2sh => "multisig",
            },
        },
        Err(AddressError::Base58) => invalid("Invalid base58 address"),
        Err(AddressError::Length { .. }) => invalid("Address size must have 25 bytes"),
        Err(AddressError::Checksum { .. }) => invalid("Invalid checksum of address"),
        Err(AddressError::OtherNetwork { .. } | AddressError::UnknownNetwork { .. }) => {
            invalid("The address is not valid")
        }
    })
}

struct TokenBalance {
    received: Amount,
    spent: Amount,
    name: String,
    symbol: String,
}

pub(super) async fn balance(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer_balance(&shared, &query, Amounts::Cents)
}

pub(super) async fn balance_in_decimals(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer_balance(&shared, &query, Amounts::Decimals)
}

fn answer_balance(shared: &Shared, query: &Query, amounts: Amounts) -> Response {
    let address = match query.required(["address"]).and_then(|[text]| parse(text)) {
        Ok(address) => address,
        Err(message) => return failure(message),
    };
    let answer = shared.read(|chain| {
        let history = history(chain, address);
        let mut tokens_data: BTreeMap<String, TokenBalance> = BTreeMap::new();
        for vertex in history.iter().filter(|vertex| !vertex.voided) {
            for output in vertex.outputs.iter().map(|output| &output.output) {
                if let Some(balance) = entry(chain, &mut tokens_data, output, address) {
                    balance.received = balance.received.saturating_add(output.value);
                }
            }
            for output in vertex.inputs.iter().map(|input| &input.output) {
                if let Some(balance) = entry(chain, &mut tokens_data, output, address) {
                    balance.spent = balance.spent.saturating_add(output.value);
                }
            }
        }
        let written = |balance: &TokenBalance| {
            let (received, spent) = (amounts.write(balance.received)?, amounts.write(balance.spent)?);
            let sums = object! { "received": received, "spent": spent };
            Some(sums.with("name", &balance.name).with("symbol", &balance.symbol))
        };
        let sums = tokens_data.iter().map(|(token, balance)| Some((token, written(balance)?)));
        let sums = sums.collect::<Option<BTreeMap<_, _>>>()?;
        Some(object! { "success": true, "total_transactions": history.len(), "tokens_data": sums })
    });
    // The node trips over sums that are not in cents.
    answer.map_or_else(processing_failed, |answer| json(&answer))
}

/// The balance that `output` counts in, if it is an amount of the address.
fn entry<'a>(
    chain: &Chain,
    balances: &'a mut BTreeMap<String, TokenBalance>,
    output: &SpentOutput,
    address: Option<Address>,
) -> Option<&'a mut TokenBalance> {
    let Some(Script::Pay { to, .. }) = Script::parse(&output.script, NETWORK) else { return None };
    if Some(to) != address || output.token_data.is_authority() {
        return None;
    }
    let balance = || {
        let (name, symbol) = tokens::name_of(chain, output.token).unwrap_or_default();
        TokenBalance { received: Amount::ZERO, spent: Amount::ZERO, name, symbol }
    };
    Some(balances.entry(output.token.to_string()).or_insert_with(balance))
}

/// Reads the `address` of a request: none for an address of another network, which is no error.
fn parse(text: &str) -> Result<Option<Address>, String> {
    match Address::parse(text, NETWORK) {
        Ok(address) => Ok(Some(address)),
        Err(AddressError::OtherNetwork { .. } | AddressError::UnknownNetwork { .. }) => Ok(None),
        Err(_) => Err("Invalid 'address' parameter".to_owned()),
    }
}

fn history(chain: &Chain, address: Option<Address>) -> Vec<Vertex> {
    let ids = address.map(|address| chain.history_of(&address));
    ids.into_iter().flatten().filter_map(|id| chain.vertex(&id)).collect()
}

pub(super) async fn search(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer_search(&shared, &query).map_or_else(failure, |found| json(&found))
}

fn answer_search(shared: &Shared, query: &Query) -> Result<Object, String> {
    // The node asks for one after the other.
    let [text] = query.required(["address"])?;
    let [wanted] = query.required(["count"])?;
    let address = parse(text)?;
    let wanted = count("count", wanted)?;
    let token = query.get("token").map(str::parse::<TokenUid>).transpose().map_err(
        |_| "Failed to parse 'token': non-hexadecimal number found in fromhex() arg at position 0",
    )?;
    let mut history = shared.read(|chain| history(chain, address));
    history.reverse();
    if let Some(token) = token {
        history.retain(|vertex| touches(vertex, token));
    }
    let total = history.len();
    let (transactions, has_more) = newest_first(&history, wanted.min(MAX_TRANSACTIONS), query);
    Ok(object! { "success": true, "transactions": transactions, "has_more": has_more, "total": total })
}

fn touches(vertex: &Vertex, token: TokenUid) -> bool {
    vertex.outputs.iter().any(|output| output.output.token == token)
        || vertex.inputs.iter().any(|input| input.output.token == token)
}

// `thin_wallet/address_history`: what happened on addresses, in pages.

/// The most transactions of a page (full node: `MAX_TX_ADDRESSES_HISTORY`).
const MAX_PAGE: usize = 150;
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
struct HistoryRequest {
    addresses: Vec<String>,
    /// Where the first address's history starts.
    hash: Option<String>,
    /// The kinds of vertices wanted; all when empty.
    versions: Vec<u8>,
}

pub(super) async fn history_by_query(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let addresses = query.all("addresses[]");
    if addresses.is_empty() {
        return missing("addresses[]");
    }
    let versions = query.all("tx_version[]").iter().filter_map(|version| version.parse().ok()).collect();
    answer_history(
        &shared,
        &HistoryRequest { addresses, hash: query.get("hash").map(str::to_owned), versions },
    )
}

pub(super) async fn history_by_body(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
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
    answer_history(&shared, &HistoryRequest { addresses, hash, versions })
}

fn answer_history(shared: &Shared, request: &HistoryRequest) -> Response {
    match shared.read(|chain| history_page(chain, request)) {
        Ok(page) => json(&page),
        Err(message) => failure(message),
    }
}

fn history_page(chain: &Chain, request: &HistoryRequest) -> Result<Page, String> {
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
        for vertex in history_from(chain, address) {
            if start.is_some_and(|start| (vertex.timestamp(), vertex.id) < start) {
                continue;
            }
            let size = vertex.inputs().len() + vertex.outputs().len();
            if page.history.len() == MAX_PAGE
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

fn history_from<'a>(chain: &'a Chain, address: &str) -> impl Iterator<Item = &'a Stored> {
    let address = Address::parse(address, NETWORK).ok();
    let ids = address.map(|address| chain.history_of(&address));
    ids.into_iter().flatten().filter_map(|id| chain.get(&id))
}
