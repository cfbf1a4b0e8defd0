//! The control interface.

use crate::support::{Net, htr, now};
use headless_wallet::devnet::{DevnetConfig, NodeFaults, NodeMode};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn funds_and_blocks() {
    let net = Net::start().await;
    let address = net.address(5).to_string();
    let funded = net.control("fund", json!({"address": address, "amount": 7, "count": 3})).await;
    assert_eq!(funded["tx_ids"].as_array().unwrap().len(), 3);
    let balance = net.get(&format!("thin_wallet/address_balance?address={address}")).await;
    assert_eq!(balance["tokens_data"]["00"]["received"], 21);
    let url = format!("{}status", net.devnet.control_url());
    let before = net.send("GET", &url, None).await.json();
    let mined = net.control("blocks", json!({"count": 2, "address": address})).await;
    assert_eq!(mined["height"], before["height"].as_u64().unwrap() + 2);
    assert_eq!(before["block_interval_ms"], json!(null));
    assert_eq!(before["node_url"], net.devnet.node_url());
    let undone = net.control("undo-blocks", json!({"count": 2})).await;
    assert_eq!(undone["height"], before["height"]);
    net.devnet.shutdown().await;
}

/// From then on the node's newest parents are ahead of the clock, as after such a transaction on a real
/// network.
#[tokio::test]
async fn a_payment_ahead_of_the_clock() {
    let net = Net::start().await;
    let now = now();
    let body = json!({"address": net.address(5).to_string(), "amount": 7, "ahead": 250});
    let ahead = net.control("fund", body).await["tx_ids"][0].clone();
    net.control("blocks", json!({})).await;
    assert_eq!(net.get("tx_parents").await["tx_parents"][0], ahead);
    let shown = net.get(&format!("transaction?id={}", ahead.as_str().unwrap())).await;
    assert!(shown["tx"]["timestamp"].as_u64().unwrap() >= u64::from(now) + 250);
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn errors_name_the_field() {
    let net = Net::start().await;
    let cases = [
        ("fund", "{bad", "body: key must be a string at line 1 column 2"),
        ("fund", "[]", "body: expected a JSON object"),
        ("fund", "{}", "address: missing"),
        ("fund", r#"{"address":"WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6"}"#, "amount: missing"),
        ("fund", r#"{"address":5}"#, "address: expected a text"),
        (
            "fund",
            r#"{"address":"WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6","amount":0}"#,
            "amount: expected a whole number from 1 to 18446744073709551615",
        ),
        (
            "fund",
            r#"{"address":"WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6","amount":1,"ahead":301}"#,
            "ahead: expected a whole number from 0 to 300",
        ),
        ("blocks", r#"{"count":1001}"#, "count: expected a whole number from 1 to 1000"),
        ("blocks", r#"{"number":1}"#, "number: there is no such field"),
        ("undo-blocks", r#"{"count":1000}"#, "count: there are 1 blocks that can be undone"),
        ("conflict", r#"{"tx_hex":"zz"}"#, "tx_hex: expected hexadecimal digits"),
        (
            "conflict",
            r#"{"tx_hex":"0001"}"#,
            "tx_hex: This transaction is invalid. Try to decode it first to validate it.",
        ),
        (
            "mining",
            r#"{"mode":"lazy"}"#,
            "mode: unknown variant `lazy`, expected one of `normal`, `no-miners`, `timeout`, `failed`, `down`",
        ),
        ("node", r#"{"status":200}"#, "status: expected a whole number from 400 to 599"),
        ("features", r#"{"features":["X"]}"#, "features: expected an object of texts"),
        ("features", r#"{"features":{"X":7}}"#, "features: expected an object of texts"),
    ];
    for (path, body, error) in cases {
        assert_eq!(net.control_error(path, body).await, error, "{path} {body}");
    }
    let error =
        net.control_error("fund", r#"{"address":"HBCQgVR8Xsyv1BLDjf9NJPK1Hwg4rKUh62","amount":1}"#).await;
    assert!(error.starts_with("address: Invalid address: HBCQgVR8Xsyv1BLDjf9NJPK1Hwg4rKUh62. "), "{error}");
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn the_node_lists_the_features_that_it_is_told_to() {
    let net = Net::start().await;
    let features = json!({"TOKEN_AMOUNT_V2": "LOCKED_IN", "ANY": "whatever"});
    let set = json!({"features": features});
    assert_eq!(net.control("features", set.clone()).await, set);
    let listed = |name: &str, state: &str| {
        json!({
            "name": name, "state": state, "acceptance": null, "threshold": 0.9, "start_height": 0,
            "minimum_activation_height": 0, "timeout_height": 0, "lock_in_on_timeout": false, "version": "0.0.0",
        })
    };
    let answer = net.get("feature").await;
    assert_eq!(
        answer["features"],
        json!([listed("ANY", "whatever"), listed("TOKEN_AMOUNT_V2", "LOCKED_IN")])
    );
    assert_eq!(net.control("features", json!({})).await, json!({"features": {}}));
    assert_eq!(net.get("feature").await["features"], json!([]));
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn the_block_timer_pauses_and_resumes() {
    let interval = Some(Duration::from_millis(1));
    let net = Net::start_with(DevnetConfig { block_interval: interval, ..DevnetConfig::default() }).await;
    let mut socket = net.socket().await;
    assert_eq!(socket.next().await["is_block"], true);
    assert_eq!(net.control("pause", json!({})).await, json!({"block_interval_ms": null}));
    let height = net.get("feature").await["block_height"].clone();
    assert_eq!(net.control("blocks", json!({})).await["height"], height.as_u64().unwrap() + 1);
    assert_eq!(net.control("resume", json!({})).await, json!({"block_interval_ms": 1}));
    while socket.next().await["height"].as_u64().unwrap() < height.as_u64().unwrap() + 3 {}
    assert_eq!(
        net.control("resume", json!({"block_interval_ms": 60_000})).await,
        json!({"block_interval_ms": 60_000})
    );
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_node_that_fails() {
    let net = Net::start().await;
    let mut socket = net.socket().await;
    net.control("node", json!({"mode": "down"})).await;
    socket.ends().await;
    let answer = net.send("GET", &net.node("version"), None).await;
    assert_eq!((answer.status, answer.text.as_str()), (503, "503 Service Unavailable\n"));
    net.control("node", json!({"mode": "down", "status": 429, "retry_after": 3, "path": "push_tx"})).await;
    assert_eq!(net.get("version").await["network"], "privatenet");
    let answer = net.send("GET", &net.node("push_tx"), None).await;
    assert_eq!((answer.status, answer.header("retry-after")), (429, "3"));
    net.control("node", json!({"mode": "garbage"})).await;
    assert_eq!(net.send("GET", &net.node("version"), None).await.text, "<html>garbage");

    net.control("node", json!({})).await;
    let coin = net.funded(0, 3).await;
    let tx = net.spend(&[(coin, 0)], vec![htr(3, net.address(1))]);
    net.devnet.set_node_faults(NodeFaults { mode: NodeMode::Broken, ..NodeFaults::default() });
    let body = json!({ "hex_tx": hex::encode(tx.to_bytes().unwrap()) }).to_string();
    let response = reqwest::Client::new().post(net.node("push_tx")).body(body).send().await;
    assert!(match response {
        Ok(response) => response.text().await.is_err(),
        Err(_) => true,
    });
    net.control("node", json!({"mode": "slow"})).await;
    let version = net.node("version");
    let waiting = net.send("GET", &version, None);
    let resumed = async { net.control("node", json!({})).await };
    let (answer, _) = tokio::join!(waiting, resumed);
    assert_eq!(answer.status, 200);
    // What the broken answer was about did happen.
    assert_eq!(net.get(&format!("transaction?id={}", tx.id().unwrap())).await["success"], true);

    let mut socket = net.socket().await;
    net.control("disconnect", json!({})).await;
    socket.ends().await;
    net.control("node", json!({"mode": "slow"})).await;
    net.devnet.shutdown().await;
}
