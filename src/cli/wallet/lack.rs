//! How much is needed and how much there is, where a wallet has too little: answers say no more than that.

use super::call::Call;
use super::failure::Failure;
use super::names::Names;
use super::service::Service;
use headless_wallet::operations;

use headless_wallet::api::texts::insufficient;
use headless_wallet::ledger::TokenUid;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The failure, with the amounts where they can be told.
pub async fn explained(service: &Service, fields: &Map<String, Value>, failure: Failure) -> Failure {
    match failure {
        Failure::Refused { answer, sentence } => {
            let more = amounts(service, fields, &sentence).await.unwrap_or_default();
            Failure::Refused { answer, sentence: sentence + &more }
        }
        other => other,
    }
}

async fn amounts(service: &Service, fields: &Map<String, Value>, sentence: &str) -> Option<String> {
    let uid = sentence.strip_prefix("Token: ")?.split('.').next()?;
    let token: TokenUid = uid.parse().ok()?;
    if !sentence.starts_with(&insufficient(token)) {
        return None;
    }
    let asked = Map::from_iter([("token".to_owned(), Value::from(uid))]);
    let balance = service.ask(&Call::get(operations::BALANCE.path, &asked)).await.ok()?.json;
    let names = Names::of_uids(service, BTreeSet::from([uid.to_owned()])).await;
    let amount = |cents: &str| format!("{} {}", names.amount(cents, uid), names.token(uid));
    let (available, locked) = (balance["available"].to_string(), balance["locked"].to_string());
    let needed = needed(fields, uid);
    let need = needed.map(|cents| format!(" {} would be needed.", amount(&cents.to_string())));
    let locked = if locked == "0" { String::new() } else { format!(", and {} locked", amount(&locked)) };
    let is_there = needed.is_some_and(|needed| available.parse::<u128>().is_ok_and(|have| have >= needed));
    let taken = if is_there { ", some of it set aside or in use by what is being sent" } else { "" };
    Some(format!("{} The wallet has {}{locked}{taken}.", need.unwrap_or_default(), amount(&available)))
}

/// What a request pays of a token, where it says so.
fn needed(fields: &Map<String, Value>, uid: &str) -> Option<u128> {
    let pays = |object: &Map<String, Value>| {
        let token = object.get("token").and_then(Value::as_str).unwrap_or("00");
        let value = object.get("value")?.to_string().parse::<u128>().ok()?;
        Some(if token == uid { value } else { 0 })
    };
    match fields.get("outputs").and_then(Value::as_array) {
        None => pays(fields),
        Some(outputs) => outputs
            .iter()
            .filter_map(Value::as_object)
            .filter_map(pays)
            .try_fold(0_u128, |sum, value| sum.checked_add(value)),
    }
    .filter(|sum| *sum > 0)
}
