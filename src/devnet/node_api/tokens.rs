//! `thin_wallet/token` and `thin_wallet/token_history`.

use super::requests::{Amounts, MAX_TRANSACTIONS, Query, count, newest_first, processing_failed};
use super::{failure, json};
use crate::devnet::Shared;
use crate::devnet::chain::Chain;
use crate::devnet::vertex_json::{Object, object};
use crate::ledger::{Outpoint, TokenUid, TokenVersion, Vertex};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

/// The most tokens that are listed.
const MAX_TOKENS: usize = 200;

fn output_of(output: &Outpoint) -> Object {
    object! { "tx_id": output.tx.to_string(), "index": output.index }
}

fn version_number(version: Option<TokenVersion>) -> u8 {
    version.map_or(0, |version| version as u8)
}

/// Name and symbol of a token that the ledger knows.
pub(super) fn name_of(chain: &Chain, uid: TokenUid) -> Option<(String, String)> {
    let TokenUid::Custom(id) = uid else {
        return Some(("Hathor".to_owned(), "HTR".to_owned()));
    };
    let created = chain.get(&id)?.transaction()?.creates.clone()?;
    Some((created.name, created.symbol))
}

/// Reads the `id` of a request.
fn parse_uid(text: &str) -> Result<TokenUid, &'static str> {
    match text.parse() {
        Ok(uid) => Ok(uid),
        Err(_) if hex::decode(text).is_ok() => Err("Invalid token id format"),
        Err(_) => Err("Invalid token id"),
    }
}

pub(super) async fn token(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer_token(&shared, &query, Amounts::Cents)
}

pub(super) async fn token_in_decimals(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer_token(&shared, &query, Amounts::Decimals)
}

fn answer_token(shared: &Shared, query: &Query, amounts: Amounts) -> Response {
    let Some(id) = query.get("id") else { return list(shared) };
    let uid = match parse_uid(id) {
        Ok(uid) => uid,
        Err(message) => return failure(message),
    };
    let Some(token) = shared.read(|chain| chain.token(uid)) else {
        return failure("Unknown token");
    };
    let Some(total) = amounts.write(token.total) else { return processing_failed() };
    json(&object! {
        "name": token.name,
        "symbol": token.symbol,
        "version": version_number(token.version),
        "success": true,
        "mint": token.mint.iter().map(output_of).collect::<Vec<_>>(),
        "melt": token.melt.iter().map(output_of).collect::<Vec<_>>(),
        "can_mint": !token.mint.is_empty(),
        "can_melt": !token.melt.is_empty(),
        "total": total,
        "transactions_count": token.transactions_count,
    })
}

fn list(shared: &Shared) -> Response {
    json(&shared.read(|chain| {
        let mut ids: Vec<_> = chain.tokens().collect();
        ids.sort_unstable();
        let listed = ids.iter().take(MAX_TOKENS).filter_map(|id| {
            let created = chain.get(id)?.transaction()?.creates.as_ref()?;
            Some(object! {
                "uid": id.to_string(),
                "name": created.name,
                "symbol": created.symbol,
                "version": version_number(Some(created.version)),
            })
        });
        let listed: Vec<_> = listed.collect();
        object! { "success": true, "tokens": listed, "truncated": ids.len() > MAX_TOKENS }
    }))
}

pub(super) async fn history(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer(&shared, &query).map_or_else(failure, |history| json(&history))
}

fn answer(shared: &Shared, query: &Query) -> Result<Object, String> {
    let [wanted, id] = query.required(["count", "id"])?;
    // A node keeps no such history of the native token.
    let uid = id.parse().map(TokenUid::Custom).map_err(|_| "Invalid token id")?;
    let wanted = count("count", wanted)?;
    let vertices: Vec<Vertex> = shared.read(|chain| {
        let vertices = chain.arrivals().rev().filter_map(|vertex| chain.vertex(&vertex.id));
        vertices.filter(|vertex| moves(vertex, uid)).collect()
    });
    let (transactions, has_more) = newest_first(&vertices, wanted.min(MAX_TRANSACTIONS), query);
    Ok(object! { "success": true, "transactions": transactions, "has_more": has_more })
}

/// Whether a transaction that counts has outputs or inputs of the token.
fn moves(vertex: &Vertex, uid: TokenUid) -> bool {
    let outputs = vertex.outputs.iter().map(|output| output.output.token);
    let inputs = vertex.inputs.iter().map(|input| input.output.token);
    !vertex.voided && !vertex.is_block() && outputs.chain(inputs).any(|token| token == uid)
}
