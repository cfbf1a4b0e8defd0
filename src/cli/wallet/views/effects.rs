//! What a transaction does to the wallet: what it has more or less of by token, the rights to mint and melt
//! that it gives up or gets, and what is melted.

use super::calls::token_or_new;
use super::cells::token;
use crate::cli::wallet::names::unnamed;
use crate::cli::wallet::table::{Column, Sheet};
use headless_wallet::ledger::{Output, TokenData};
use serde_json::Value;
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
        vec![available.saturating_add(locked).to_string(), token, locked.to_string()]
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
    let mut sums: BTreeMap<String, i128> = BTreeMap::new();
    let mut count = |uid: &Value, amount: i128| {
        let sum = sums.entry(token_or_new(uid)).or_default();
        *sum = sum.saturating_add(amount);
    };
    for (side, sign) in [("inputs", 1), ("outputs", -1)] {
        for place in list(&tx[side]).filter(|place| !is_authority(place)) {
            count(&place["token"], signed(&place["value"]) * sign);
        }
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
    let gone = sums.iter().filter(|(_, sum)| **sum > 0);
    gone.map(|(token, sum)| format!("{} is melted: it is gone for good.", unnamed(&sum.to_string(), token)))
        .collect()
}

fn list(values: &Value) -> impl Iterator<Item = &Value> {
    values.as_array().into_iter().flatten()
}

fn is_authority(place: &Value) -> bool {
    place["token_data"].as_u64().is_some_and(|data| data & u64::from(TokenData::AUTHORITY) != 0)
}

/// A whole number of any size; none counts as zero.
fn signed(number: &Value) -> i128 {
    number.to_string().parse().unwrap_or_default()
}
