//! Errors with real HTTP statuses and codes (`http_status = "real"`), and without: as documented.

use super::support::{Answer, Server};
use headless_wallet::api::errors::{CODES, STATUSES, status_of};
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults, NodeMode};
use headless_wallet::server::{Config, Layer};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// What a few requests are answered that are refused: each with its name.
async fn refused(settings: &str) -> Vec<(&'static str, Answer)> {
    let server = Server::with_wallet_and(settings).await;
    let (wallet, key) = (("x-wallet-id", "genesis"), ("idempotency-key", "k"));
    let json = ("content-type", "application/json");
    let ask = async |method, path: &str, headers: &[(&str, &str)], body: Value| {
        let headers = [headers, &[json]].concat();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        server.ask(method, path, &headers, body.as_bytes()).await
    };
    let pay = |value: u64| json!({"address": FOREIGN, "value": value});
    let too_much = pay(10_000_000_000_000_000);
    let start = json!({"wallet-id": "genesis", "seedKey": "genesis"});
    let unknown = format!("/wallet/transaction?id={}", "ab".repeat(32));
    ask("POST", "/wallet/simple-send-tx", &[wallet, key], pay(1)).await;
    let mut all = vec![
        ("no path", ask("GET", "/nothing", &[], Value::Null).await),
        ("no wallet id", ask("GET", "/wallet/balance", &[], Value::Null).await),
        ("unknown wallet", ask("GET", "/wallet/balance", &[("x-wallet-id", "x")], Value::Null).await),
        ("field", ask("POST", "/wallet/simple-send-tx", &[wallet], pay(0)).await),
        ("details", ask("POST", "/wallet/create-token", &[wallet], json!({})).await),
        ("too little", ask("POST", "/wallet/simple-send-tx", &[wallet], too_much).await),
        ("other request", ask("POST", "/wallet/simple-send-tx", &[wallet, key], pay(2)).await),
        ("unknown transaction", ask("GET", &unknown, &[wallet], Value::Null).await),
        (
            "address",
            ask("GET", &format!("/wallet/address-index?address={FOREIGN}"), &[wallet], Value::Null).await,
        ),
        ("started", ask("POST", "/start", &[], start).await),
        ("no seed", ask("POST", "/start", &[], json!({"wallet-id": "b", "seedKey": "none"})).await),
        ("token", ask("GET", "/configuration-string?token=x", &[], Value::Null).await),
    ];
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    all.push(("no proof of work", ask("POST", "/wallet/simple-send-tx", &[wallet], pay(1)).await));
    let later = ("prefer", "respond-async, wait=30");
    let document = server.ask("GET", "/docs", &[], b"").await.json();
    let default = &document["paths"]["/wallet/balance"]["get"]["responses"]["default"];
    let schema = &default["content"]["application/json"]["schema"]["$ref"];
    let expected = if settings.is_empty() { Value::Null } else { json!("#/components/schemas/Error") };
    assert_eq!(*schema, expected);
    all.push(("task", ask("POST", "/wallet/simple-send-tx", &[wallet, later], pay(1)).await));
    let contract = format!("/wallet/nano-contracts/state?id={}", "ab".repeat(32));
    all.push(("unknown contract", ask("GET", &contract, &[wallet], Value::Null).await));
    let fetch = "/wallet/atomic-swap/tx-proposal/fetch/x";
    all.push(("no swap service", ask("GET", fetch, &[wallet], Value::Null).await));
    let sent = server.read("/wallet/tx-history?limit=1").await[0]["tx_id"].clone();
    let confirmations = format!("/wallet/tx-confirmation-blocks?id={}", sent.as_str().unwrap());
    for path in ["transaction", "nano_contract/state"] {
        let faults = NodeFaults { mode: NodeMode::Garbage, path: path.into(), ..NodeFaults::default() };
        server.devnet.set_node_faults(faults);
        let asked = if path == "transaction" { &confirmations } else { &contract };
        all.push((path, ask("GET", asked, &[wallet], Value::Null).await));
    }
    server.shutdown().await;
    all
}

#[tokio::test]
async fn errors_have_the_status_of_their_code_on_request() {
    let (documented, real) = (refused("").await, refused("http_status = 'real'").await);
    let expected = [
        (404, "NOT_FOUND", 404),
        (200, "INVALID_INPUT", 400),
        (200, "WALLET_NOT_FOUND", 404),
        (400, "INVALID_INPUT", 400),
        (400, "INVALID_INPUT", 400),
        (200, "INSUFFICIENT_FUNDS", 409),
        (422, "IDEMPOTENCY_KEY_TAKEN", 422),
        (200, "NOT_FOUND", 404),
        (200, "NOT_FOUND", 404),
        (200, "WALLET_ALREADY_STARTED", 409),
        (200, "INVALID_INPUT", 400),
        (200, "NOT_FOUND", 404),
        (200, "MINING_REFUSED", 502),
        (200, "MINING_REFUSED", 502),
        (200, "NOT_FOUND", 404),
        (200, "NOT_ALLOWED", 405),
        (200, "NODE_BAD_ANSWER", 502),
        (200, "NODE_BAD_ANSWER", 502),
    ];
    for (((name, before), (_, now)), (documented, code, status)) in documented.iter().zip(&real).zip(expected)
    {
        assert_eq!((before.status, now.status), (documented, status), "{name}: {}", now.text);
        let (mut before, mut now) = (before.json(), now.json());
        assert_eq!(now["code"].take(), code, "{name}");
        now.as_object_mut().unwrap().remove("code");
        assert_eq!(before.get("code"), None, "{name}");
        // Nothing else is another one, but for what has a time or an address in it.
        assert_eq!(before["success"].take(), now["success"].take(), "{name}");
        assert_eq!(before["error"].is_string(), now["error"].is_string(), "{name}");
    }
}

#[test]
fn each_code_has_one_status_and_each_status_is_of_codes_that_are_declared() {
    let with_status: Vec<&str> = STATUSES.iter().flat_map(|(_, codes)| *codes).copied().collect();
    let set: BTreeSet<&str> = with_status.iter().copied().collect();
    assert_eq!(set.len(), with_status.len());
    let declared: BTreeSet<&str> = CODES.iter().flat_map(|part| part.codes).map(|code| code.name).collect();
    // No server answers with these.
    let of_the_package: BTreeSet<&str> = [
        "WRONG_NETWORK",
        "SYNC_FAILED",
        "NOT_INITIALIZED",
        "VOIDED",
        "TOO_SLOW",
        "WRONG_PASSWORD",
        "VAULT_UNREADABLE",
    ]
    .into();
    assert_eq!(declared.difference(&of_the_package).copied().collect::<BTreeSet<_>>(), set);
    assert_eq!((status_of("OUTCOME_UNKNOWN"), status_of("INSUFFICIENT_FUNDS")), (409, 409));
}

#[test]
fn release_0_39_has_no_real_statuses() {
    let of = |text: &str| Config::from_layers([Layer::toml("wallet.toml", text).unwrap()]);
    assert!(of("http_status = 'real'").unwrap().real_statuses);
    assert!(!of("http_status = 'documented'").unwrap().real_statuses);
    let both = of("http_status = 'real'\ncompat = '0.39'").unwrap_err().to_string();
    assert_eq!(
        both,
        "`http_status` is `real`, and `compat` (`compat` in wallet.toml) follows hathor-wallet-headless 0.39, which answers refusals with 200: leave one out"
    );
    let wrong = of("http_status = 'strict'").unwrap_err().to_string();
    assert_eq!(
        wrong,
        "setting `http_status` (`http_status` in wallet.toml) is \"strict\", and must be real, or documented"
    );
}
