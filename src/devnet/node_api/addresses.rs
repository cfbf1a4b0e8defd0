//! What the node knows of single addresses.

use super::newest::{MAX_TRANSACTIONS, newest_first};
use super::query::{Query, count};
use super::{failure, json, tokens};
use crate::devnet::Shared;
use crate::devnet::basics::NETWORK;
use crate::devnet::chain::Chain;
use crate::devnet::vertex_json::{VertexJson, base64};
use crate::ledger::{Address, AddressError, AddressKind, Script, SpentOutput, TokenUid, Vertex};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Serialize)]
#[serde(untagged)]
enum Validity {
    Valid {
        valid: bool,
        script: String,
        address: String,
        #[serde(rename = "type")]
        kind: &'static str,
    },
    Invalid {
        valid: bool,
        error: &'static str,
        msg: &'static str,
    },
}

pub(super) async fn validate(Path(text): Path<String>) -> Response {
    let invalid = |msg| Validity::Invalid { valid: false, error: "invalid_address", msg };
    json(&match Address::parse(&text, NETWORK) {
        Ok(address) => Validity::Valid {
            valid: true,
            script: base64(
                &Script::Pay { to: address, timelock: None }
                    .to_bytes()
                    .expect("a script that pays has a fixed size"),
            ),
            address: text,
            kind: match address.kind() {
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

#[derive(Serialize)]
struct Balance {
    success: bool,
    total_transactions: usize,
    tokens_data: BTreeMap<String, TokenBalance>,
}

#[derive(Serialize)]
struct TokenBalance {
    received: u128,
    spent: u128,
    name: String,
    symbol: String,
}

pub(super) async fn balance(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let address = match query.required(["address"]).and_then(|[text]| parse(text)) {
        Ok(address) => address,
        Err(message) => return failure(message),
    };
    json(&shared.read(|chain| {
        let history = history(chain, address);
        let mut tokens_data = BTreeMap::new();
        for vertex in history.iter().filter(|vertex| !vertex.voided) {
            for output in vertex.outputs.iter().map(|output| &output.output) {
                if let Some(balance) = entry(chain, &mut tokens_data, output, address) {
                    balance.received += output.value.cents();
                }
            }
            for output in vertex.inputs.iter().map(|input| &input.output) {
                if let Some(balance) = entry(chain, &mut tokens_data, output, address) {
                    balance.spent += output.value.cents();
                }
            }
        }
        Balance { success: true, total_transactions: history.len(), tokens_data }
    }))
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
        TokenBalance { received: 0, spent: 0, name, symbol }
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

#[derive(Serialize)]
struct Found {
    success: bool,
    transactions: Vec<VertexJson>,
    has_more: bool,
    total: usize,
}

pub(super) async fn search(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer_search(&shared, &query).map_or_else(failure, |found| json(&found))
}

fn answer_search(shared: &Shared, query: &Query) -> Result<Found, String> {
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
    Ok(Found { success: true, transactions, has_more, total })
}

fn touches(vertex: &Vertex, token: TokenUid) -> bool {
    vertex.outputs.iter().any(|output| output.output.token == token)
        || vertex.inputs.iter().any(|input| input.output.token == token)
}
