//! What a transaction would do to the wallet, as `decode` says it, before it is sent or signed.

use super::call::Call;
use super::failure::Failure;
use super::operation::{Signs, Write};
use super::service::Service;
use super::{all_of, named, terminal, views};
use headless_wallet::operations;
use serde_json::{Map, Value, json};

/// Adds it to what is known about what a try has answered. Where it can't be told, whoever asks learns why.
pub async fn add(service: &Service, write: &Write, tried: &Value, about: &mut Value) {
    if !write.tells {
        return;
    }
    let effect = match tried.get("txHex") {
        _ if service.wallet_id().is_empty() => "no wallet is named (--wallet-id)".into(),
        Some(hex) => {
            let fields = Map::from_iter([("txHex".to_owned(), hex.clone())]);
            decoded(service, &fields).await.unwrap_or_else(|failure| failure.sentence().into())
        }
        None => "the server doesn't say which transaction it is".into(),
    };
    if !about.is_object() {
        *about = json!({});
    }
    about[views::EFFECT] = effect;
}

/// What these paths answer, for a request that needs no wallet: there may be none.
pub async fn about_any(service: &Service, write: &Write, paths: &[&str], json: bool) -> Value {
    let is_read = write.asks() || write.options.dry_run && !json;
    if !is_read || service.wallet_id().is_empty() {
        return Value::Null;
    }
    all_of(service, paths).await.unwrap_or_default()
}

/// Shows what is to be signed, and asks.
pub async fn ask_to_sign(service: &Service, signing: &Signs) -> Result<(), Failure> {
    let decoded = match &signing.what {
        Ok(given) => decoded(service, given).await?,
        Err(call) => {
            let made = service.ask(call).await?.json;
            decoded(service, &Map::from_iter([("txHex".to_owned(), made["txHex"].clone())])).await?
        }
    };
    let told = named(service, views::decoded(&decoded, &Value::Null)).await.to_string();
    let wallet = service.wallet_and_server().map(|wallet| format!("wallet  {wallet}"));
    let told: Vec<_> = wallet.into_iter().chain([told]).collect();
    terminal::ask(signing.question, &told.join("\n\n"), "signed").await
}

async fn decoded(service: &Service, fields: &Map<String, Value>) -> Result<Value, Failure> {
    let call = Call::post(operations::DECODE.path, fields);
    Ok(service.ask(&call).await?.json)
}
