//! `nano_contract/…`: contracts and the blueprints that they are made of.

use super::requests::Query;
use super::{json, refused};
use crate::devnet::chain::Chain;
use crate::devnet::chain::nano::{Contract, Program, Value as Field, blueprints};
use crate::devnet::vertex_json::{NanoJson, VertexJson};
use crate::devnet::{NETWORK, Shared};
use crate::ledger::{Address, VertexId};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// How many calls a history shows if nobody says it, and at most.
const HISTORY: usize = 100;
const MAX_HISTORY: usize = 499;

type Refusal = (StatusCode, String);

fn answer(found: Result<Value, Refusal>) -> Response {
    match found {
        Ok(found) => json(&found),
        Err((status, error)) => refused(status, error),
    }
}

fn id_of(text: &str) -> Result<VertexId, Refusal> {
    text.parse().map_err(|_| (StatusCode::BAD_REQUEST, format!("Invalid id: {text}")))
}

fn required<'q>(query: &'q Query, name: &str) -> Result<&'q str, Refusal> {
    query.get(name).ok_or_else(|| (StatusCode::BAD_REQUEST, format!("{name}: Field required")))
}

pub(super) async fn state(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer(shared.read(|chain| state_of(chain, &query)))
}

fn state_of(chain: &Chain, query: &Query) -> Result<Value, Refusal> {
    let given = required(query, "id")?;
    let id = id_of(given)?;
    let block = block_of(chain, query)?;
    let contract = chain.contracts_at(&block).and_then(|contracts| contracts.contract(&id));
    let contract = contract
        .ok_or_else(|| (StatusCode::NOT_FOUND, format!("Nano contract does not exist at block {block}.")))?;
    let program = chain.program(&contract.blueprint);
    let by_name = |name: &str, value: &dyn Fn(&str) -> Value| {
        query.all(name).into_iter().map(|of| (of.clone(), value(&of))).collect::<Map<_, _>>()
    };
    let mut balances = by_name("balances[]", &|uid| match uid.parse() {
        Ok(token) => holding(contract.holding(token)),
        Err(_) => json!({"errmsg": "invalid token id"}),
    });
    if balances.remove("__all__").is_some() {
        balances = contract.balances.iter().map(|(token, of)| (token.to_string(), holding(*of))).collect();
    }
    Ok(json!({
        "success": true,
        "nc_id": given,
        "blueprint_id": contract.blueprint.to_string(),
        "blueprint_name": program.map(Program::name),
        "fields": by_name("fields[]", &|name| match contract.fields.get(name) {
            Some(value) if !name.contains(':') => json!({"value": field(value)}),
            _ => json!({"errmsg": "not a blueprint field"}),
        }),
        "balances": balances,
        "calls": by_name("calls[]", &|call| match program.and_then(|program| view(program, contract, call)) {
            Some(value) => json!({"value": value}),
            None => json!({"errmsg": "NCMethodNotFound()"}),
        }),
    }))
}

/// The block after which the state is asked for.
fn block_of(chain: &Chain, query: &Query) -> Result<VertexId, Refusal> {
    let bad = |text: String| (StatusCode::BAD_REQUEST, text);
    match (query.get("block_hash"), query.get("block_height")) {
        (Some(_), Some(_)) => {
            Err(bad("only one of `block_hash`, `block_height`, or `timestamp` must be used".to_owned()))
        }
        (Some(hash), None) => {
            let id: VertexId =
                hash.parse().map_err(|_| bad(format!("Invalid block_hash parameter: {hash}")))?;
            match chain.get(&id).filter(|stored| stored.is_block()) {
                Some(block) if !block.is_voided() => Ok(id),
                Some(_) => Err((StatusCode::NOT_FOUND, "Couldn't find non-voided block".to_owned())),
                None => Err(bad(format!("Invalid block_hash {hash}."))),
            }
        }
        (None, Some(height)) => {
            let found = height.parse().ok().and_then(|height| chain.block_at(height));
            found.ok_or_else(|| bad(format!("No block hash was found with height {height}.")))
        }
        (None, None) => Ok(chain.best_block().0),
    }
}

fn holding(of: crate::devnet::chain::nano::Holding) -> Value {
    json!({"value": of.amount.to_string(), "can_mint": of.can_mint, "can_melt": of.can_melt})
}

fn field(value: &Field) -> Value {
    match value {
        Field::Nothing => Value::Null,
        Field::Number(number) => number.to_string().parse().map(Value::Number).unwrap_or_default(),
        Field::Text(text) => text.as_str().into(),
        Field::Bytes(bytes) => hex::encode(bytes).into(),
        Field::Token(token) => token.to_string().into(),
    }
}

/// The result of a method that changes nothing: `name()` or `name("address")`, with arguments in JSON.
fn view(program: Program, contract: &Contract, call: &str) -> Option<Value> {
    let (name, args) = call.strip_suffix(')')?.split_once('(')?;
    if program != Program::Bet {
        return None;
    }
    if (name, args) == ("has_result", "") {
        return Some(blueprints::has_result(contract).into());
    }
    let text: String = serde_json::from_str(args).ok()?;
    let address = Address::parse(&text, NETWORK).ok()?;
    let amount = match name {
        "get_max_withdrawal" => blueprints::max_withdrawal(contract, &address)?,
        "get_winner_amount" => blueprints::winner_amount(contract, &address)?,
        _ => return None,
    };
    Some(field(&Field::Number(amount)))
}

pub(super) async fn history(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer(shared.read(|chain| history_of(chain, &query)))
}

#[derive(Serialize)]
struct Entry {
    hash: String,
    #[serde(flatten)]
    vertex: VertexJson,
}

fn history_of(chain: &Chain, query: &Query) -> Result<Value, Refusal> {
    let id = id_of(required(query, "id")?)?;
    let (after, before) = (query.get("after"), query.get("before"));
    if after.is_some() && before.is_some() {
        let text = "Parameters after and before can't be used together.".to_owned();
        return Err((StatusCode::BAD_REQUEST, text));
    }
    if chain.contracts().contract(&id).is_none() {
        return Err((StatusCode::NOT_FOUND, "Nano contract does not exist.".to_owned()));
    }
    let count = query.get("count").and_then(|count| count.parse().ok()).unwrap_or(HISTORY).min(MAX_HISTORY);
    // Those that failed or wait for a block, too.
    let calls = chain.arrivals().filter(|stored| {
        let call = stored.transaction().and_then(|tx| tx.nano());
        call.is_some_and(|call| if call.is_creation() { stored.id == id } else { call.id == id })
    });
    let mut calls: Vec<VertexId> = calls.map(|stored| stored.id).collect();
    if before.is_none() {
        calls.reverse();
    }
    if let Some(reference) = before.or(after) {
        let place = calls
            .iter()
            .position(|call| call.to_string() == reference)
            .ok_or_else(|| (StatusCode::NOT_FOUND, format!("Transaction {reference} not found.")))?;
        calls.drain(..=place);
    }
    let has_more = calls.len() > count;
    calls.truncate(count);
    let entries = calls.iter().filter_map(|id| {
        let vertex = chain.vertex(id)?;
        Some(Entry { hash: id.to_string(), vertex: (&vertex).into() })
    });
    let entries: Vec<_> = entries.collect();
    Ok(json!({
        "success": true, "count": count, "after": after, "before": before, "history": entries,
        "has_more": has_more,
    }))
}

pub(super) async fn blueprint(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    answer(shared.read(|chain| blueprint_of(chain, &query)))
}

fn blueprint_of(chain: &Chain, query: &Query) -> Result<Value, Refusal> {
    let given = required(query, "blueprint_id")?;
    let id = id_of(given)?;
    let Some(program) = chain.program(&id) else {
        return Err(match chain.get(&id).and_then(|stored| stored.transaction()) {
            Some(tx) if tx.blueprint.is_some() => {
                (StatusCode::NOT_FOUND, format!("Blueprint found but not confirmed: {given}"))
            }
            Some(_) => (StatusCode::BAD_REQUEST, format!("Given id is not a blueprint: {given}")),
            None => (StatusCode::NOT_FOUND, format!("Blueprint not found: {given}")),
        });
    };
    let methods = program.methods().iter().map(|(name, args, docstring)| {
        let args: Vec<_> = args.iter().map(|(name, of)| json!({"name": name, "type": of})).collect();
        ((*name).to_owned(), json!({"args": args, "return_type": "null", "docstring": docstring}))
    });
    Ok(json!({
        "id": given,
        "name": program.name(),
        "attributes": {},
        "public_methods": methods.collect::<Map<_, _>>(),
        "view_methods": {},
        "docstring": null,
    }))
}

/// What `transaction` shows besides.
pub(super) fn of_vertex(chain: &Chain, id: &VertexId) -> NanoJson {
    chain.vertex(id).map(|vertex| NanoJson::of(&vertex)).unwrap_or_default()
}
