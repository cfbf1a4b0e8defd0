//! What can be asked for beyond the documented fields: authorities, data, older forms, ways to start.

use super::support::{GENESIS_WORDS, Server, short};
use serde_json::{Value, json};

/// Of another wallet.
const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// Whom a transaction's outputs pay, or the text that they keep, with value and token data; in order.
async fn outputs(server: &Server, sent: &Value) -> Vec<(String, u64, u64)> {
    let entry = server.read(&format!("/wallet/transaction?id={}", sent["hash"].as_str().unwrap())).await;
    let outputs = entry["outputs"].as_array().unwrap().iter();
    let text = |output: &Value| {
        let decoded = &output["decoded"];
        let to = if decoded["type"] == "DATA" { &decoded["data"] } else { &decoded["address"] };
        to.as_str().unwrap().to_owned()
    };
    outputs.map(|o| (text(o), o["value"].as_u64().unwrap(), o["token_data"].as_u64().unwrap())).collect()
}

fn out(to: &str, value: u64, token_data: u64) -> (String, u64, u64) {
    (to.to_owned(), value, token_data)
}

#[tokio::test]
async fn creations_send_authorities_where_they_are_told_to() {
    let server = Server::with_wallet().await;
    let (to, change, mint) = (server.address(4).await, server.address(5).await, server.address(6).await);
    let options = |more: Value| {
        let mut body = json!({
            "name": "Coffee", "symbol": "CFE", "amount": 100, "address": to, "change_address": change,
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let authorities = json!({
        "create_mint": true, "mint_authority_address": mint,
        "create_melt": true, "melt_authority_address": FOREIGN, "allow_external_melt_authority_address": true,
    });
    let mut with_data = authorities.clone();
    with_data["data"] = json!(["first", "second"]);
    let sent = server.done("create-token", options(with_data)).await;
    // Each takes one of the equal outputs that hold the coins.
    let coin = 1_000_000;
    assert_eq!(
        outputs(&server, &sent).await,
        [
            out(&change, coin - 1 - 2, 0),
            out(&to, 100, 1),
            out(&mint, 1, 129),
            out(FOREIGN, 2, 129),
            out("first", 1, 0),
            out("second", 1, 0),
        ]
    );
    let neither = json!({"create_mint": false, "create_melt": false, "version": 1});
    let sent = server.done("create-token", options(neither)).await;
    assert_eq!(outputs(&server, &sent).await, [out(&change, coin - 1, 0), out(&to, 100, 1)]);

    let mut nft = authorities;
    nft["data"] = json!("ipfs://art");
    let sent = server.done("create-nft", options(nft.clone())).await;
    assert_eq!(
        outputs(&server, &sent).await,
        [
            out("ipfs://art", 1, 0),
            out(&change, coin - 1 - 1, 0),
            out(&to, 100, 1),
            out(&mint, 1, 129),
            out(FOREIGN, 2, 129),
        ]
    );
    nft["mint_authority_address"] = json!(FOREIGN);
    for (operation, mut body) in [("create-nft", nft.clone()), ("create-token", nft)] {
        if operation == "create-token" {
            body["data"] = Value::Null;
        }
        let refused = server.call(operation, options(body.clone())).await;
        let error = "The mint authority address must belong to your wallet.";
        assert_eq!(refused.parts(), (200, json!({"success": false, "error": error})), "{operation}");
        body["allow_external_mint_authority_address"] = json!(true);
        let sent = server.done(operation, options(body)).await;
        assert!(outputs(&server, &sent).await.contains(&out(FOREIGN, 1, 129)), "{operation}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn melting_keeps_data_and_hands_the_authority_on() {
    let server = Server::with_wallet().await;
    let (change, deposit, melt) = (server.address(4).await, server.address(5).await, server.address(6).await);
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 1000})).await;
    let token = token["hash"].as_str().unwrap();
    let body = json!({
        "token": token, "amount": 350, "change_address": change, "deposit_address": deposit,
        "melt_authority_address": melt, "data": ["first", "second"],
    });
    // Data goes to the front, each before the one before it, and is paid from the deposit that comes back.
    let sent = server.done("melt-tokens", body).await;
    assert_eq!(
        outputs(&server, &sent).await,
        [
            out("second", 1, 0),
            out("first", 1, 0),
            out(&change, 650, 1),
            out(&melt, 2, 129),
            out(&deposit, 1, 0),
        ]
    );
    let mut body = json!({
        "token": token, "amount": 100, "change_address": change, "melt_authority_address": FOREIGN,
        "unshift_data": false, "data": ["last"],
    });
    let refused = server.call("melt-tokens", body.clone()).await;
    let error = "The melt authority address must belong to your wallet.";
    assert_eq!(refused.parts(), (200, json!({"success": false, "error": error})));
    body["allow_external_melt_authority_address"] = json!(true);
    let sent = server.done("melt-tokens", body).await;
    assert_eq!(
        outputs(&server, &sent).await,
        [out(&change, 550, 1), out(FOREIGN, 2, 129), out("last", 1, 0)]
    );
    let refused = server.call("melt-tokens", json!({"token": token, "amount": 1})).await;
    let error = "Don't have melt authority output available.";
    assert_eq!(refused.parts(), (200, json!({"success": false, "error": error})));
    server.shutdown().await;
}

#[tokio::test]
async fn sends_take_older_forms_and_time_locks() {
    let server = Server::with_wallet().await;
    let (to, change) = (server.address(4).await, server.address(5).await);
    let token = server.done("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 100})).await;
    let uid = token["hash"].as_str().unwrap();
    // One token for all outputs that name none, a script type that says what the address says, an index as
    // text.
    let body = json!({
        "token": {"uid": uid, "name": "Tea", "symbol": "TEA"},
        "outputs": [{"address": to, "value": "100", "type": "p2pkh", "timelock": 4_000_000_000_u32}],
        "inputs": [{"hash": uid, "index": "1"}],
        "change_address": change,
        "debug": true,
    });
    let sent = server.done("send-tx", body).await;
    assert_eq!((&sent["tokens"], &sent["inputs"][0]["hash"]), (&json!([uid]), &json!(uid)));
    assert_eq!(outputs(&server, &sent).await, [out(&to, 100, 1)]);
    let entry = server.read(&format!("/wallet/transaction?id={}", sent["hash"].as_str().unwrap())).await;
    assert_eq!(entry["outputs"][0]["decoded"]["timelock"], 4_000_000_000_u32);
    assert_eq!(
        server.read(&format!("/wallet/balance?token={uid}")).await,
        json!({"available": 0, "locked": 100})
    );
    let refused =
        server.call("send-tx", json!({"outputs": [{"address": to, "value": 1, "token": uid}]})).await;
    assert_eq!(refused.parts(), short(&uid, 1, 0));
    server.shutdown().await;
}

#[tokio::test]
async fn wallets_start_with_any_gap_and_way_to_load() {
    let server = Server::start().await;
    // The coins are at index 1, so the last address watched is the gap limit past it.
    let addresses = async |id: &str| {
        let answer = server.ask("GET", "/wallet/addresses", &[("x-wallet-id", id)], b"").await.json();
        answer["addresses"].as_array().unwrap().len()
    };
    server.start_wallet("gap", json!({"seedKey": "genesis", "scanPolicy": "gap-limit", "gapLimit": 5})).await;
    assert_eq!(addresses("gap").await, 7);
    for mode in ["auto", "polling_http_api", "manual_stream_ws", "xpub_stream_ws"] {
        // Addresses given along are not needed, and so not looked at.
        let body = json!({
            "seed": GENESIS_WORDS, "history_sync_mode": mode, "preCalculatedAddresses": [FOREIGN],
        });
        server.start_wallet(mode, body).await;
        assert_eq!(addresses(mode).await, 22, "{mode}");
        let balance = server.ask("GET", "/wallet/balance", &[("x-wallet-id", mode)], b"").await;
        assert_eq!(balance.parts(), (200, json!({"available": 100_000_000_000_u64, "locked": 0})), "{mode}");
    }
    server.shutdown().await;
}
