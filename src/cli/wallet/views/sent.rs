//! Transactions that were sent, or would be.

use super::PAYER;
use super::cells::{Mine, amount, htr, in_htr, list, text, token, utc};
use super::effects::{call_of, called, effect};
use crate::cli::wallet::table::{Column, Sheet};
use headless_wallet::ledger::{Network, Script};
use headless_wallet::net::clean;
use serde_json::Value;

/// Where what is told about an answer has what `decode` says of its transaction, or why it says nothing.
pub const EFFECT: &str = "effect";

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
    let is_tried = answer["dry_run"] == true;
    let sheet = Sheet::new();
    let sheet = if is_tried { sheet.line("Nothing was sent. This would be:") } else { sheet };
    let sheet = match is_tried {
        // What leaves the wallet stands before the cost, which is but a part of it.
        true if about.get(EFFECT).is_some() => return all_of(sheet, answer, about),
        true => sheet.pairs(place(about).into_iter().chain(costs)),
        false => sheet,
    };
    let sheet = sheet
        .pairs([("transaction", text(&tx["hash"])), ("configuration", text(&answer["configurationString"]))]);
    outputs(called(sheet, &call_of(tx)), tx, about)
}

/// Adds whom a transaction pays what.
fn outputs(sheet: Sheet, tx: &Value, about: &Value) -> Sheet {
    const OUTPUTS: [Column; 3] = [Column::amount("amount"), Column::token("token"), Column::text("to")];
    let network = about["network"].as_str().and_then(|name| name.parse().ok());
    let mine = Mine::read(about);
    let known = &about[EFFECT]["tx"]["outputs"];
    let rows = list(&tx["outputs"]).enumerate().map(|(place, output)| {
        let token_data = output["token_data"].as_u64().unwrap_or_default();
        let to = to(output, network, |script| mine.is_paid_by(script) || known[place]["mine"] == true);
        vec![amount(&output["value"], &output["token_data"]), named(tx, token_data), to]
    });
    let sheet = if is_nft(tx) { sheet.with_nft(&text(&tx["symbol"])) } else { sheet };
    sheet.table(&OUTPUTS, rows.collect(), "No outputs.")
}

/// Whether it creates a token whose data stand in the first output.
fn is_nft(tx: &Value) -> bool {
    let script = script_of(&tx["outputs"][0]);
    let is_data = matches!(Script::parse(&script, Network::Mainnet), Some(Script::Data(_)));
    is_data && tx["name"].is_string() && tx["symbol"] != "HTR"
}

/// What a try says, before the question, of a request that says itself whom it pays.
pub fn cost(answer: &Value, about: &Value) -> Sheet {
    Sheet::new().pairs(place(about).into_iter().chain(some(costs(answer))))
}

/// What a try says that melting would give back, be it nothing, and cost.
pub fn returned(answer: &Value, about: &Value) -> Sheet {
    Sheet::new().pairs(place(about).into_iter().chain(returns(answer)))
}

/// All that a try says of a transaction that the request doesn't say itself.
pub fn moved(answer: &Value, about: &Value) -> Sheet {
    all_of(Sheet::new(), answer, about)
}

fn all_of(sheet: Sheet, answer: &Value, about: &Value) -> Sheet {
    let sheet = sheet.pairs(place(about));
    let sheet = match &about[EFFECT] {
        Value::Null => sheet,
        Value::String(why) => {
            sheet.line(format!("What it changes for this wallet can't be told: {}", clean(why)))
        }
        decoded => effect(sheet, decoded),
    };
    // Beside what leaves the wallet, a cost of nothing would be misread.
    let costs = if about[EFFECT].is_object() { some(costs(answer)) } else { costs(answer) };
    outputs(called(sheet, &call_of(answer)), answer, about).pairs(costs)
}

/// Where it would be sent, and of which wallet where somebody is asked for that.
fn place(about: &Value) -> [(&'static str, String); 2] {
    [("network", text(&about["network"])), ("wallet", text(&about[PAYER]))]
}

fn costs(answer: &Value) -> Vec<(&'static str, String)> {
    let parts = [("deposit", "deposit"), ("fee", "fee"), ("texts", "data"), ("cost", "total")];
    let told = parts.into_iter().filter(|(_, name)| *name == "total" || text(&answer["cost"][name]) != "0");
    let told = told.map(|(shown, name)| match text(&answer["cost"][name]).strip_prefix('-') {
        Some(back) if name == "deposit" => (BACK, in_htr(back)),
        _ => (shown, htr(&answer["cost"][name])),
    });
    told.collect()
}

const BACK: &str = "comes back";

/// Nothing where nothing is paid.
fn some(costs: Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
    if costs.len() == 1 && costs[0].1 == in_htr("0") { Vec::new() } else { costs }
}

fn returns(answer: &Value) -> Vec<(&'static str, String)> {
    let deposit = text(&answer["cost"]["deposit"]);
    let back = (BACK, in_htr(deposit.trim_start_matches('-')));
    let costs = costs(answer).into_iter().filter(|(shown, _)| *shown != BACK);
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

fn to(output: &Value, network: Option<Network>, is_mine: impl Fn(&[u8]) -> bool) -> String {
    let bytes = script_of(output);
    match Script::parse(&bytes, network.unwrap_or(Network::Mainnet)) {
        Some(Script::Pay { to, timelock }) if network.is_some() => {
            let whose = if is_mine(&bytes) { " (this wallet)" } else { "" };
            let lock = timelock.map(|until| format!(", locked until {}", utc(until.into())));
            format!("{to}{whose}{}", lock.unwrap_or_default())
        }
        Some(Script::Data(data)) => format!("text {:?}", clean(&data)),
        // Without its network an address can't be written.
        _ => format!("script {}", hex::encode(&bytes)),
    }
}

fn script_of(output: &Value) -> Vec<u8> {
    let bytes = list(&output["script"]["data"]);
    bytes.filter_map(|byte| u8::try_from(byte.as_u64()?).ok()).collect()
}
