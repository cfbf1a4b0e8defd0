//! The history, one transaction of it, and transactions given as digits.

use super::ASKED;
use super::cells::{Mine, amount, list, text, token, utc};
use super::effects::{called, effect, token_or_new};
use crate::cli::amount::decimal;
use crate::cli::wallet::table::{Cell, Column, ColumnOf, Sheet};
use headless_wallet::ledger::nano::INITIALIZE;
use headless_wallet::ledger::{Amount, DepositRate, Effect};
use headless_wallet::node::parse_vertex;
use serde_json::Value;
use std::cmp::Reverse;

/// The history, and which addresses are the wallet's.
pub fn history(answer: &Value, about: &Value) -> Sheet {
    const COLUMNS: [Column; 5] = [
        Column::text("time (UTC)"),
        Column::change("amount"),
        Column::token("token"),
        Column::transaction("transaction"),
        Column::text("note"),
    ];
    let mine = Mine::read(about);
    let of_token = about[ASKED]["token"].as_str();
    // An object where nothing was given.
    let mut entries: Vec<&Value> = match answer {
        Value::Object(entries) => entries.values().collect(),
        other => list(other).collect(),
    };
    entries.sort_by_key(|entry| Reverse((entry["timestamp"].as_u64(), entry["tx_id"].as_str())));
    let rows = entries.into_iter().flat_map(|entry| {
        let net = effect_of(entry, &mine).map(|effect| effect.net).unwrap_or_default();
        let mut changes: Vec<(String, String)> =
            net.into_iter().map(|(token, sum)| (sum.to_string(), token.to_string())).collect();
        changes.retain(|(_, uid)| of_token.is_none_or(|token| token == uid));
        if changes.is_empty() && of_token.is_none() {
            changes.push((String::new(), String::new()));
        }
        let row = |(change, uid): (String, String)| {
            vec![time(entry), change, token(&Value::String(uid)), text(&entry["tx_id"]), note(entry)]
        };
        changes.into_iter().map(row).collect::<Vec<_>>()
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "No transactions.")
}

/// What one transaction did to the wallet; `None` if it can't be read.
fn effect_of(entry: &Value, mine: &Mine) -> Option<Effect> {
    let mut entry = entry.clone();
    for side in ["inputs", "outputs"] {
        entry.get_mut(side).and_then(Value::as_array_mut).into_iter().flatten().for_each(in_units);
    }
    let vertex = parse_vertex(&entry.to_string()).ok()?;
    Some(Effect::of(&vertex, |output| mine.is_paid_by(&output.script), DepositRate::default(), |_| None))
}

/// Nodes write an amount with parts of a cent as a whole number of units, and servers as cents with decimals.
fn in_units(place: &mut Value) {
    let amount = place["value_str"].as_str().and_then(Amount::of_decimal);
    if let Some(amount) = amount.filter(|amount| amount.part() != 0)
        && let Some(units) = amount.units().and_then(|units| units.to_string().parse().ok())
    {
        place["value"] = Value::Number(units);
    }
}

fn time(entry: &Value) -> String {
    entry["timestamp"].as_u64().map(utc).unwrap_or_default()
}

/// The version of a transaction that is a blueprint.
const BLUEPRINT: u8 = 6;

fn note(entry: &Value) -> String {
    let voided = (entry["is_voided"] == true).then(|| "voided".to_owned());
    let created = entry["token_symbol"].as_str().map(|_| format!("creates {}", created(entry)));
    let called = entry["nc_method"].as_str().map(|method| match method {
        INITIALIZE => "creates a contract".to_owned(),
        _ => format!("calls {}", text(&entry["nc_method"])),
    });
    let blueprint = (entry["version"] == BLUEPRINT).then(|| "a blueprint".to_owned());
    voided.into_iter().chain(created).chain(called).chain(blueprint).collect::<Vec<_>>().join(", ")
}

/// `Tour Token (TOUR)`.
fn created(entry: &Value) -> String {
    match (text(&entry["token_name"]), text(&entry["token_symbol"])) {
        (name, symbol) if name.is_empty() && symbol.is_empty() => String::new(),
        (name, symbol) => format!("{name} ({symbol})"),
    }
}

/// One transaction, and which addresses are the wallet's.
pub fn transaction(entry: &Value, addresses: &Value) -> Sheet {
    const INPUTS: [Column; 5] = [
        Column::amount("in"),
        Column::token("token"),
        Column::text("address"),
        Column::text("whose"),
        Column::transaction("output"),
    ];
    const OUTPUTS: [Column; 5] = [
        Column::amount("out"),
        Column::token("token"),
        Column::text("to"),
        Column::text("whose"),
        Column::transaction("spent by"),
    ];
    let effect = effect_of(entry, &Mine::read(addresses));
    let whose = |list: &str, place: usize| {
        let Some(effect) = &effect else { return "" };
        let has = |places: &[u8]| places.iter().any(|known| usize::from(*known) == place);
        match list {
            "inputs" if has(&effect.own_inputs) => "mine",
            "outputs" if has(&effect.change_outputs) => "change",
            "outputs" if has(&effect.own_outputs) => "mine",
            _ => "",
        }
    };
    let rows = |side: &str, last: fn(&Value) -> String| {
        let rows = list(&entry[side]).enumerate().map(|(place, output)| {
            vec![
                value(output),
                token(&output["token"]),
                to(&output["decoded"]),
                whose(side, place).to_owned(),
                last(output),
            ]
        });
        rows.collect()
    };
    Sheet::new()
        .pairs([
            ("transaction", text(&entry["tx_id"])),
            ("time (UTC)", time(entry)),
            ("weight", text(&entry["weight"])),
            ("creates", created(entry)),
            ("state", if entry["is_voided"] == true { "voided".to_owned() } else { String::new() }),
        ])
        .table(&INPUTS, rows("inputs", spent), "No inputs.")
        .table(&OUTPUTS, rows("outputs", |output| text(&output["spent_by"])), "No outputs.")
}

/// `hash:index` of what an input spends.
fn spent(input: &Value) -> String {
    let hash = input.get("tx_id").or_else(|| input.get("txId")).unwrap_or(&Value::Null);
    format!("{}:{}", text(hash), text(&input["index"]))
}

/// Whom or what an output is for.
fn to(decoded: &Value) -> String {
    let lock = match &decoded["timelock"] {
        Value::Null => String::new(),
        seconds => format!(", locked until {}", time(&serde_json::json!({"timestamp": seconds}))),
    };
    match decoded["data"].as_str() {
        Some(data) => format!("text {:?}", headless_wallet::net::clean(data)),
        None => text(&decoded["address"]) + &lock,
    }
}

/// A transaction in words.
pub fn decoded(answer: &Value, _: &Value) -> Sheet {
    const INPUTS: [ColumnOf; 5] = [
        (Column::amount("in"), value),
        (Column::token("token"), |input| token(&input["token"])),
        (Column::text("address"), |input| to(&input["decoded"])),
        (Column::text("whose"), whose),
        (Column::transaction("output"), spent),
    ];
    const OUTPUTS: [ColumnOf; 4] = [
        (Column::amount("out"), value),
        (Column::token("token"), |output| token(&output["token"])),
        (Column::text("to"), |output| to(&output["decoded"])),
        (Column::text("whose"), whose),
    ];
    let tx = &answer["tx"];
    let sheet = Sheet::new()
        .facts([
            ("kind", Cell::Text(text(&tx["type"]))),
            ("signed", Cell::Text(signed(tx).to_owned())),
            ("fees", Cell::Sentence(fees(tx))),
            ("blueprint", Cell::Text(blueprint(&tx["blueprint"]))),
        ])
        .rows(&INPUTS, list(&tx["inputs"]), "No inputs.")
        .rows(&OUTPUTS, list(&tx["outputs"]), "No outputs.");
    effect(called(sheet, &tx["nano"]), answer)
}

fn value(output: &Value) -> String {
    amount(&output["value"], &output["token_data"])
}

fn whose(output: &Value) -> String {
    if output["mine"] == true { "mine".to_owned() } else { String::new() }
}

/// Whether all inputs have signatures. Where there are none, there is nothing to say: who calls a contract
/// signs elsewhere.
fn signed(tx: &Value) -> &'static str {
    match &tx["completeSignatures"] {
        Value::Bool(true) => "by all inputs",
        _ if tx["inputs"].as_array().is_none_or(Vec::is_empty) => "",
        _ => "not by all inputs",
    }
}

fn fees(tx: &Value) -> String {
    let fees = list(&tx["fees"]);
    let fees = fees.map(|fee| format!("{} {}", decimal(&text(&fee["amount"])), token_or_new(&fee["token"])));
    fees.collect::<Vec<_>>().join(", ")
}

fn blueprint(blueprint: &Value) -> String {
    match blueprint {
        Value::Null => String::new(),
        some => format!("{} bytes, signed by key {}", text(&some["code_size"]), text(&some["public_key"])),
    }
}
