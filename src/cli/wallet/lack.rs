//! How much is needed and how much there is, where a wallet has too little.

use super::call::Call;
use super::failure::Failure;
use super::names::Names;
use super::service::Service;
use headless_wallet::ledger::Amount;
use headless_wallet::operations;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The failure, with the amounts where they can be told.
pub async fn explained(service: &Service, failure: Failure) -> Failure {
    match failure {
        Failure::Refused { answer, sentence } => {
            let more = amounts(service, &answer).await.unwrap_or_default();
            Failure::Refused { answer, sentence: sentence + &more }
        }
        other => other,
    }
}

async fn amounts(service: &Service, answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let (uid, required) = (answer["token"].as_str()?, answer.get("required")?.to_string());
    let asked = Map::from_iter([("token".to_owned(), Value::from(uid))]);
    let balance = service.ask(&Call::get(operations::BALANCE.path, &asked)).await.ok()?.json;
    let names = Names::of_uids(service, BTreeSet::from([uid.to_owned()])).await;
    let amount = |cents: &str| format!("{} {}", names.amount(cents, uid), names.token(uid));
    let (available, locked) = (balance["available"].to_string(), balance["locked"].to_string());
    let locked = if locked == "0" { String::new() } else { format!(", and {} locked", amount(&locked)) };
    let is_there = Amount::of_cents(&available)? >= Amount::of_cents(&required)?;
    let taken = if is_there { ", some of it set aside or in use by what is being sent" } else { "" };
    let (required, available) = (amount(&required), amount(&available));
    Some(format!(" {required} would be needed. The wallet has {available}{locked}{taken}."))
}
