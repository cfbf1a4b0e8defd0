//! Calls of contracts, and what they move.

use super::cells::{text, token};
use crate::cli::wallet::table::{Column, Sheet};
use headless_wallet::ledger::nano::INITIALIZE;
use serde_json::{Value, json};

/// Adds the call of a contract, if there is one, as `decode` answers it.
pub fn called(sheet: Sheet, call: &Value) -> Sheet {
    const ACTIONS: [Column; 3] = [Column::text("action"), Column::amount("amount"), Column::token("token")];
    if call.is_null() {
        return sheet;
    }
    let contract = if call["nc_method"] == INITIALIZE { "blueprint" } else { "contract" };
    let actions = call["actions"].as_array().into_iter().flatten().map(|action| {
        let amount = match (&action["mint"], &action["melt"]) {
            (Value::Bool(true), Value::Bool(true)) => "to mint and melt".to_owned(),
            (Value::Bool(true), _) => "to mint".to_owned(),
            (_, Value::Bool(true)) => "to melt".to_owned(),
            _ => text(&action["amount"]),
        };
        vec![text(&action["type"]).replace('_', " "), amount, token_or_new(&action["token"])]
    });
    sheet
        .pairs([
            ("calls", text(&call["nc_method"])),
            (contract, text(&call["nc_id"])),
            ("caller", text(&call["nc_address"])),
        ])
        .table(&ACTIONS, actions.collect(), "The call moves nothing into or out of the contract.")
}

/// The call of a transaction that was sent or would be, as `decode` would answer it.
pub fn call_of(tx: &Value) -> Value {
    let mut headers = tx["headers"].as_array().into_iter().flatten();
    let Some(header) = headers.find(|header| header["method"].is_string()) else { return Value::Null };
    let actions = header["actions"].as_array().into_iter().flatten().map(|action| {
        let kind = action["type"].as_u64().and_then(|kind| usize::try_from(kind).ok());
        let kind = kind.and_then(|kind| ACTIONS.get(kind.checked_sub(1)?)).copied().unwrap_or("unknown");
        let token = indexed(tx, &action["tokenIndex"]);
        let bits = action["amount"].as_u64().filter(|_| kind.ends_with("authority"));
        match bits {
            Some(bits) => {
                json!({"type": kind, "token": token, "mint": bits & 1 != 0, "melt": bits & 2 != 0})
            }
            None => json!({"type": kind, "token": token, "amount": action["amount"]}),
        }
    });
    json!({
        "nc_method": header["method"],
        "nc_id": header["id"],
        "nc_address": header["address"]["base58"],
        "actions": actions.collect::<Vec<_>>(),
    })
}

/// What their numbers mean, from 1 on.
const ACTIONS: [&str; 4] = ["deposit", "withdrawal", "grant_authority", "acquire_authority"];

/// The token at a place of a transaction's list; null where the transaction itself creates it.
fn indexed(tx: &Value, index: &Value) -> Value {
    match index.as_u64().and_then(|index| usize::try_from(index).ok()) {
        Some(0) => json!("00"),
        Some(index) => tx["tokens"][index - 1].clone(),
        None => Value::Null,
    }
}

/// A token's name; that of one that the transaction creates is not known yet.
pub fn token_or_new(uid: &Value) -> String {
    if uid.is_null() { "new token".to_owned() } else { token(uid) }
}
