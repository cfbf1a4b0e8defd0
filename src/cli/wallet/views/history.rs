//! The history, one transaction of it, and transactions given as digits.

use super::cells::{amount, text, token};
use crate::cli::wallet::table::{Column, Sheet};
use headless_wallet::calendar::UtcTime;
use headless_wallet::ledger::nano::INITIALIZE;
use headless_wallet::ledger::{Address, AddressKind, DepositRate, Effect, Network, Script};
use headless_wallet::node::parse_vertex;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The history, and which addresses are the wallet's.
pub fn history(answer: &Value, addresses: &Value) -> Sheet {
    const COLUMNS: [Column; 5] = [
        Column::text("time (UTC)"),
        Column::number("amount"),
        Column::text("token"),
        Column::text("transaction"),
        Column::text("note"),
    ];
    let mine = Mine::read(addresses);
    // An object where no limit was given.
    let mut entries: Vec<&Value> = match answer {
        Value::Object(entries) => entries.values().collect(),
        other => other.as_array().into_iter().flatten().collect(),
    };
    entries.sort_by_key(|entry| Reverse(entry["timestamp"].as_u64()));
    let rows = entries.into_iter().flat_map(|entry| {
        let net = effect(entry, &mine).map(|effect| effect.net).unwrap_or_default();
        let mut changes: Vec<(String, String)> =
            net.into_iter().map(|(token, sum)| (sum.to_string(), token.to_string())).collect();
        if changes.is_empty() {
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
fn effect(entry: &Value, mine: &Mine) -> Option<Effect> {
    let vertex = parse_vertex(&entry.to_string()).ok()?;
    Some(Effect::of(&vertex, |output| mine.is_paid_by(&output.script), DepositRate::default(), |_| None))
}

/// The wallet's addresses, whatever the network: scripts don't say it.
struct Mine(HashSet<(AddressKind, [u8; 20])>);

impl Mine {
    fn read(addresses: &Value) -> Self {
        let texts = addresses["addresses"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let addresses = texts.filter_map(|text| Address::parse_any(text).ok());
        Self(addresses.map(|address| (address.kind(), address.hash())).collect())
    }
    fn is_paid_by(&self, script: &[u8]) -> bool {
        match Script::parse(script, Network::Mainnet) {
            Some(Script::Pay { to, .. }) => self.0.contains(&(to.kind(), to.hash())),
            _ => false,
        }
    }
}

fn time(entry: &Value) -> String {
    entry["timestamp"]
        .as_u64()
        .map(|seconds| UtcTime::from_unix(seconds).iso().replace('T', " "))
        .unwrap_or_default()
}

fn note(entry: &Value) -> String {
    let voided = (entry["is_voided"] == true).then(|| "voided".to_owned());
    let created = entry["token_symbol"].as_str().map(|_| format!("creates {}", created(entry)));
    voided.into_iter().chain(created).collect::<Vec<_>>().join(", ")
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
        Column::number("in"),
        Column::text("token"),
        Column::text("address"),
        Column::text("whose"),
        Column::text("output"),
    ];
    const OUTPUTS: [Column; 5] = [
        Column::number("out"),
        Column::text("token"),
        Column::text("to"),
        Column::text("whose"),
        Column::text("spent by"),
    ];
    let effect = effect(entry, &Mine::read(addresses));
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
    let rows = |list: &str, last: fn(&Value) -> String| {
        let rows = entry[list].as_array().into_iter().flatten().enumerate().map(|(place, output)| {
            vec![
                amount(&output["value"], &output["token_data"]),
                token(&output["token"]),
                to(&output["decoded"]),
                whose(list, place).to_owned(),
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
    const INPUTS: [Column; 5] = [
        Column::number("in"),
        Column::text("token"),
        Column::text("address"),
        Column::text("whose"),
        Column::text("output"),
    ];
    const OUTPUTS: [Column; 4] =
        [Column::number("out"), Column::text("token"), Column::text("to"), Column::text("whose")];
    const CHANGES: [Column; 3] =
        [Column::number("change"), Column::text("token"), Column::text("of it locked")];
    let tx = &answer["tx"];
    let whose = |output: &Value| if output["mine"] == true { "mine".to_owned() } else { String::new() };
    let cells = |output: &Value| {
        vec![
            amount(&output["value"], &output["token_data"]),
            token(&output["token"]),
            to(&output["decoded"]),
            whose(output),
        ]
    };
    let list = |name: &str| tx[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let inputs = list("inputs").iter().map(|input| {
        let mut row = cells(input);
        row.push(spent(input));
        row
    });
    let changes = answer["balance"].as_object().into_iter().flatten().map(|(uid, change)| {
        let sums = |name: &str| change["tokens"][name].to_string().parse::<i128>().unwrap_or_default();
        let (available, locked) = (sums("available"), sums("locked"));
        let token = token(&Value::String(uid.clone()));
        vec![available.saturating_add(locked).to_string(), token, locked.to_string()]
    });
    let sheet = Sheet::new()
        .pairs([
            ("kind", text(&tx["type"])),
            (
                "signed",
                if tx["completeSignatures"] == true { "by all inputs" } else { "not by all inputs" }
                    .to_owned(),
            ),
            ("fees", fees(tx)),
            ("blueprint", blueprint(&tx["blueprint"])),
        ])
        .table(&INPUTS, inputs.collect(), "No inputs.")
        .table(&OUTPUTS, list("outputs").iter().map(cells).collect(), "No outputs.");
    let nothing = match &tx["nano"] {
        Value::Null => "It changes nothing for this wallet.",
        // What the contract does with the call is not in the transaction.
        _ => "None of its inputs and outputs are this wallet's.",
    };
    called(sheet, &tx["nano"]).table(&CHANGES, changes.collect(), nothing)
}

/// Adds the call of a contract, if there is one.
fn called(sheet: Sheet, call: &Value) -> Sheet {
    const ACTIONS: [Column; 3] = [Column::text("action"), Column::number("amount"), Column::text("token")];
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

fn fees(tx: &Value) -> String {
    let fees = tx["fees"].as_array().into_iter().flatten();
    let fees = fees.map(|fee| format!("{} {}", text(&fee["amount"]), token_or_new(&fee["token"])));
    fees.collect::<Vec<_>>().join(", ")
}

fn blueprint(blueprint: &Value) -> String {
    match blueprint {
        Value::Null => String::new(),
        some => format!("{} bytes, signed by key {}", text(&some["code_size"]), text(&some["public_key"])),
    }
}

/// A token's name; that of one that the transaction creates is not known yet.
fn token_or_new(uid: &Value) -> String {
    if uid.is_null() { "new token".to_owned() } else { token(uid) }
}
