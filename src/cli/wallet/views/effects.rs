//! What a transaction does to the wallet: what it has more or less of by token, the rights to mint and melt
//! that it gives up or gets, what is melted, and what calls of contracts move.

use super::cells::{list, text, token};
use crate::cli::wallet::names::unnamed;
use crate::cli::wallet::table::{Column, ColumnOf, Sheet};
use headless_wallet::ledger::nano::INITIALIZE;
use headless_wallet::ledger::{Amount, Output, SignedAmount, TokenData};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The rights, by the bit that stands for each.
const RIGHTS: [(u8, &str); 2] = [(Output::MINT, "mint"), (Output::MELT, "melt")];

/// Adds what `decode` answers on what a transaction does to the wallet.
pub fn effect(sheet: Sheet, decoded: &Value) -> Sheet {
    const CHANGES: [Column; 3] =
        [Column::change("change"), Column::token("token"), Column::amount("of it locked")];
    let changes = decoded["balance"].as_object().into_iter().flatten().map(|(uid, change)| {
        let (available, locked) =
            (signed(&change["tokens"]["available"]), signed(&change["tokens"]["locked"]));
        let token = token(&Value::String(uid.clone()));
        vec![(available + locked).to_string(), token, locked.to_string()]
    });
    let tx = &decoded["tx"];
    let nothing = match &tx["nano"] {
        Value::Null => "It changes nothing for this wallet.",
        // What the contract does with the call is not in the transaction.
        _ => "None of its inputs and outputs are this wallet's.",
    };
    let sheet = sheet.table(&CHANGES, changes.collect(), nothing);
    let lines: Vec<_> = rights(tx).into_iter().chain(melted(tx)).collect();
    if lines.is_empty() { sheet } else { sheet.sentence(lines.join("\n")) }
}

/// How many of a right there are among inputs and outputs.
#[derive(Default)]
struct Count {
    /// In the wallet's outputs, less those in its inputs.
    own: i64,
    /// As much of others.
    others: i64,
    /// Whether a contract is given it.
    granted: bool,
}

/// A line for each right that the wallet gives up or gets.
fn rights(tx: &Value) -> Vec<String> {
    let mut counts: BTreeMap<(String, &str), Count> = BTreeMap::new();
    for (side, sign) in [("inputs", -1), ("outputs", 1)] {
        for place in list(&tx[side]).filter(|place| is_authority(place)) {
            let bits = place["value"].as_u64().unwrap_or_default();
            for (_, right) in RIGHTS.iter().filter(|(bit, _)| bits & u64::from(*bit) != 0) {
                let count = counts.entry((token_or_new(&place["token"]), *right)).or_default();
                *(if place["mine"] == true { &mut count.own } else { &mut count.others }) += sign;
            }
        }
    }
    for action in list(&tx["nano"]["actions"]).filter(|action| action["type"] == "grant_authority") {
        for (_, right) in RIGHTS.iter().filter(|(_, right)| action[*right] == true) {
            counts.entry((token_or_new(&action["token"]), *right)).or_default().granted = true;
        }
    }
    counts.iter().flat_map(|((token, right), count)| told(count, right, token)).collect()
}

fn told(count: &Count, right: &str, token: &str) -> Vec<String> {
    let which = |number: i64| match number {
        1 => format!("The right to {right} {token}"),
        number => format!("{number} rights to {right} {token}"),
    };
    let lost = (-count.own).max(0);
    let passed = lost.min(count.others.max(0));
    let gone = lost - passed;
    let verb =
        |number: i64, one: &'static str, several: &'static str| if number == 1 { one } else { several };
    let mut lines = Vec::new();
    if passed > 0 {
        lines.push(format!("{} {} to others.", which(passed), verb(passed, "goes", "go")));
    }
    if gone > 0 {
        let end =
            if count.granted { "given to the contract and not kept" } else { "spent and not made again" };
        lines.push(format!("{} {} {end}.", which(gone), verb(gone, "is", "are")));
    }
    if count.own > 0 {
        lines.push(format!("{} {} to this wallet.", which(count.own), verb(count.own, "goes", "go")));
    }
    lines
}

/// A line for each token of which less comes out than goes in. Of HTR the cost says it.
fn melted(tx: &Value) -> Vec<String> {
    let mut sums: BTreeMap<String, SignedAmount> = BTreeMap::new();
    let mut count = |uid: &Value, amount| *sums.entry(token_or_new(uid)).or_default() += amount;
    for place in list(&tx["inputs"]).filter(|place| !is_authority(place)) {
        count(&place["token"], signed(&place["value"]));
    }
    for place in list(&tx["outputs"]).filter(|place| !is_authority(place)) {
        count(&place["token"], -signed(&place["value"]));
    }
    for action in list(&tx["nano"]["actions"]) {
        match action["type"].as_str() {
            Some("withdrawal") => count(&action["token"], signed(&action["amount"])),
            Some("deposit") => count(&action["token"], -signed(&action["amount"])),
            _ => {}
        }
    }
    for fee in list(&tx["fees"]) {
        count(&fee["token"], -signed(&fee["amount"]));
    }
    sums.remove("HTR");
    let gone = sums.iter().filter(|(_, sum)| sum.signum() > 0);
    gone.map(|(token, sum)| format!("{} is melted: it is gone for good.", unnamed(&sum.to_string(), token)))
        .collect()
}

fn is_authority(place: &Value) -> bool {
    place["token_data"].as_u64().is_some_and(|data| data & u64::from(TokenData::AUTHORITY) != 0)
}

/// An amount in cents, of any size and perhaps with parts of one; none counts as zero.
fn signed(number: &Value) -> SignedAmount {
    let text = number.to_string();
    let amount = |text| Amount::of_cents(text).unwrap_or_default().to_signed();
    text.strip_prefix('-').map_or_else(|| amount(&text), |text| -amount(text))
}

// Calls of contracts, and what they move.

/// Adds the call of a contract, if there is one, as `decode` answers it.
pub fn called(sheet: Sheet, call: &Value) -> Sheet {
    const ACTIONS: [ColumnOf; 3] = [
        (Column::text("action"), |action| text(&action["type"]).replace('_', " ")),
        (Column::amount("amount"), |action| match (&action["mint"], &action["melt"]) {
            (Value::Bool(true), Value::Bool(true)) => "to mint and melt".to_owned(),
            (Value::Bool(true), _) => "to mint".to_owned(),
            (_, Value::Bool(true)) => "to melt".to_owned(),
            _ => text(&action["amount"]),
        }),
        (Column::token("token"), |action| token_or_new(&action["token"])),
    ];
    if call.is_null() {
        return sheet;
    }
    let contract = if call["nc_method"] == INITIALIZE { "blueprint" } else { "contract" };
    sheet
        .pairs([
            ("calls", text(&call["nc_method"])),
            (contract, text(&call["nc_id"])),
            ("caller", text(&call["nc_address"])),
        ])
        .rows(&ACTIONS, list(&call["actions"]), "The call moves nothing into or out of the contract.")
}

/// The call of a transaction that was sent or would be, as `decode` would answer it.
pub fn call_of(tx: &Value) -> Value {
    let mut headers = list(&tx["headers"]);
    let Some(header) = headers.find(|header| header["method"].is_string()) else { return Value::Null };
    let actions = list(&header["actions"]).map(|action| {
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
