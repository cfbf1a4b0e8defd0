//! Transactions that were sent, or would be.

use super::calls::{call_of, called};
use super::cells::{amount, beside, cents, text, token, utc};
use super::mine::Mine;
use crate::cli::wallet::table::{Column, Sheet};
use headless_wallet::ledger::{Network, Script};
use serde_json::Value;

/// What was sent or would be. `about` has the network, and may have the wallet's addresses.
pub fn sent(answer: &Value, about: &Value) -> Sheet {
    told(answer, about, costs(answer))
}

/// What was melted or would be.
pub fn melted(answer: &Value, about: &Value) -> Sheet {
    told(answer, about, returns(answer))
}

fn told(answer: &Value, about: &Value, costs: Vec<(&'static str, String)>) -> Sheet {
    // push-tx has it in a member of its own.
    let tx = answer.get("tx").unwrap_or(answer);
    let sheet = match answer["dry_run"] == true {
        true => {
            let costs = network(about).into_iter().chain(costs);
            Sheet::new().line("Nothing was sent. This would be:").pairs(costs)
        }
        false => Sheet::new(),
    };
    let sheet = sheet
        .pairs([("transaction", text(&tx["hash"])), ("configuration", text(&answer["configurationString"]))]);
    outputs(called(sheet, &call_of(tx)), tx, about)
}

/// Adds whom a transaction pays what.
fn outputs(sheet: Sheet, tx: &Value, about: &Value) -> Sheet {
    const OUTPUTS: [Column; 3] = [Column::number("amount"), Column::text("token"), Column::text("to")];
    let network = about["network"].as_str().and_then(|name| name.parse().ok());
    let mine = Mine::read(about);
    let rows = tx["outputs"].as_array().into_iter().flatten().map(|output| {
        let token_data = output["token_data"].as_u64().unwrap_or_default();
        let to = to(output, network, &mine);
        vec![amount(&output["value"], &output["token_data"]), named(tx, token_data), to]
    });
    sheet.table(&OUTPUTS, rows.collect(), "No outputs.")
}

/// What a try says, before the question, of a request that says itself whom it pays.
pub fn cost(answer: &Value, about: &Value) -> Sheet {
    let costs = if text(&answer["cost"]["total"]) == "0" { Vec::new() } else { costs(answer) };
    Sheet::new().pairs(network(about).into_iter().chain(costs))
}

/// What a try says that melting would give back, be it nothing, and cost.
pub fn returned(answer: &Value, about: &Value) -> Sheet {
    Sheet::new().pairs(network(about).into_iter().chain(returns(answer)))
}

/// All that a try says of a transaction that the request doesn't say itself.
pub fn moved(answer: &Value, about: &Value) -> Sheet {
    let sheet = outputs(called(Sheet::new(), &call_of(answer)), answer, about);
    sheet.pairs(network(about).into_iter().chain(costs(answer)))
}

fn network(about: &Value) -> [(&'static str, String); 1] {
    [("network", text(&about["network"]))]
}

fn costs(answer: &Value) -> Vec<(&'static str, String)> {
    let parts = [("deposit", "deposit"), ("fee", "fee"), ("texts", "data"), ("cost", "total")];
    let told = parts.into_iter().filter(|(_, name)| *name == "total" || text(&answer["cost"][name]) != "0");
    told.map(|(shown, name)| (shown, cents(&answer["cost"][name]))).collect()
}

fn returns(answer: &Value) -> Vec<(&'static str, String)> {
    let deposit = text(&answer["cost"]["deposit"]);
    let back = ("comes back", beside(deposit.trim_start_matches('-')));
    let costs = costs(answer).into_iter().filter(|(shown, _)| *shown != "deposit");
    // Where nothing else is paid, the sum says nothing new.
    let others = if deposit == text(&answer["cost"]["total"]) { Vec::new() } else { costs.collect() };
    [back].into_iter().chain(others).collect()
}

/// The token that an output's byte stands for.
fn named(tx: &Value, token_data: u64) -> String {
    match token_data & 0x7f {
        0 => "HTR".to_owned(),
        _ if tx["name"].is_string() => text(&tx["symbol"]),
        place => usize::try_from(place - 1).map(|place| token(&tx["tokens"][place])).unwrap_or_default(),
    }
}

fn to(output: &Value, network: Option<Network>, mine: &Mine) -> String {
    let bytes = output["script"]["data"].as_array().into_iter().flatten();
    let bytes: Vec<u8> = bytes.filter_map(|byte| u8::try_from(byte.as_u64()?).ok()).collect();
    match Script::parse(&bytes, network.unwrap_or(Network::Mainnet)) {
        Some(Script::Pay { to, timelock }) if network.is_some() => {
            let whose = if mine.is_paid_by(&bytes) { " (this wallet)" } else { "" };
            let lock = timelock.map(|until| format!(", locked until {}", utc(until.into())));
            format!("{to}{whose}{}", lock.unwrap_or_default())
        }
        Some(Script::Data(data)) => format!("text {:?}", headless_wallet::net::clean(&data)),
        Some(Script::Pay { .. }) => String::new(),
        _ => format!("script {}", hex::encode(&bytes)),
    }
}
