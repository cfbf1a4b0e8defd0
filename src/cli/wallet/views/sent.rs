//! Transactions that were sent, or would be.

use super::cells::{amount, beside, cents, text, token};
use crate::cli::wallet::table::{Column, Sheet};
use headless_wallet::ledger::{Network, Script};
use serde_json::Value;

/// What was sent or would be, and the status that names the network.
pub fn sent(answer: &Value, status: &Value) -> Sheet {
    told(answer, status, costs(answer))
}

/// What was melted or would be.
pub fn melted(answer: &Value, status: &Value) -> Sheet {
    told(answer, status, returns(answer))
}

fn told(answer: &Value, status: &Value, costs: Vec<(&'static str, String)>) -> Sheet {
    const OUTPUTS: [Column; 3] = [Column::number("amount"), Column::text("token"), Column::text("to")];
    // push-tx has it in a member of its own.
    let tx = answer.get("tx").unwrap_or(answer);
    let network = status["network"].as_str().and_then(|name| name.parse().ok());
    let rows = tx["outputs"].as_array().into_iter().flatten().map(|output| {
        let token_data = output["token_data"].as_u64().unwrap_or_default();
        vec![amount(&output["value"], &output["token_data"]), named(tx, token_data), to(output, network)]
    });
    let sheet = match answer["dry_run"] == true {
        true => Sheet::new().line("Nothing was sent. This would be:").pairs(costs),
        false => Sheet::new(),
    };
    sheet
        .pairs([("transaction", text(&tx["hash"])), ("configuration", text(&answer["configurationString"]))])
        .table(&OUTPUTS, rows.collect(), "No outputs.")
}

/// What a try says that it would cost, if anything.
pub fn cost(answer: &Value) -> Sheet {
    let sheet = Sheet::new();
    if text(&answer["cost"]["total"]) == "0" { sheet } else { sheet.pairs(costs(answer)) }
}

/// What a try says that melting would give back, be it nothing, and cost.
pub fn returned(answer: &Value) -> Sheet {
    Sheet::new().pairs(returns(answer))
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

fn to(output: &Value, network: Option<Network>) -> String {
    let bytes = output["script"]["data"].as_array().into_iter().flatten();
    let bytes: Vec<u8> = bytes.filter_map(|byte| u8::try_from(byte.as_u64()?).ok()).collect();
    match Script::parse(&bytes, network.unwrap_or(Network::Mainnet)) {
        Some(Script::Pay { to, .. }) if network.is_some() => to.to_string(),
        Some(Script::Data(data)) => format!("text {:?}", headless_wallet::net::clean(&data)),
        _ => String::new(),
    }
}
