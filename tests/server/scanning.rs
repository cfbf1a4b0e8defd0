//! Which addresses a wallet watches: `scanPolicy` and `/wallet/config/*`.

use super::support::Server;
use headless_wallet::keys::Mnemonic;
use serde_json::{Value, json};
use std::time::Duration;

const MORE: &str = "config/index-limit/load-more-addresses";
const LAST: &str = "config/index-limit/last-index";

/// The genesis wallet, and as `some` another one with some of its addresses.
async fn server(first: u32, last: u32) -> Server {
    let server = Server::with_wallet().await;
    let words = Mnemonic::generate().unwrap().words().to_owned();
    let body = json!({
        "seed": words, "scanPolicy": "index-limit", "policyStartIndex": first, "policyEndIndex": last,
    });
    server.start_wallet("some", body).await;
    server
}

async fn read(server: &Server, path: &str) -> Value {
    server.ask("GET", path, &[("x-wallet-id", "some")], b"").await.json()
}

async fn post(server: &Server, operation: &str, body: Value) -> (u16, Value) {
    server.post(&format!("/wallet/{operation}"), Some("some"), &body).await.parts()
}

async fn address(server: &Server, index: u32) -> Value {
    read(server, &format!("/wallet/address?index={index}")).await["address"].take()
}

async fn pay(server: &Server, index: u32, value: u32) {
    let body = json!({"address": address(server, index).await, "value": value});
    server.done("simple-send-tx", body).await;
}

/// Waits until the wallet has as much.
async fn comes_to(server: &Server, available: u32) {
    // What can be spent only from the next second on has no event.
    while read(server, "/wallet/balance").await != json!({"available": available, "locked": 0}) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn an_end_below_the_start_is_what_release_0_39_takes_it_for() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let words = Mnemonic::generate().unwrap().words().to_owned();
    let body = json!({
        "seed": words, "scanPolicy": "index-limit", "policyStartIndex": 5, "policyEndIndex": 1,
    });
    server.start_wallet("some", body).await;
    let watched = address(&server, 1).await;
    assert_eq!(read(&server, "/wallet/addresses").await, json!({"addresses": [watched]}));
    pay(&server, 5, 50).await;
    pay(&server, 1, 7).await;
    comes_to(&server, 7).await;
    server.shutdown().await;
}

#[tokio::test]
async fn an_index_limit_watches_these_addresses_and_no_others() {
    let server = server(2, 4).await;
    let mut addresses = Vec::new();
    for index in 0..10 {
        addresses.push(address(&server, index).await);
    }
    assert_eq!(read(&server, "/wallet/addresses").await, json!({"addresses": addresses[2..=4]}));
    assert_eq!(
        read(&server, "/wallet/config/last-loaded-address-index").await,
        json!({"success": true, "index": 4})
    );
    assert_eq!(read(&server, "/wallet/address").await, json!({"address": addresses[2]}));
    for (index, value) in [(1, 10), (3, 300), (5, 5_000)] {
        pay(&server, index, value).await;
    }
    comes_to(&server, 300).await;
    assert_eq!(read(&server, "/wallet/address").await, json!({"address": addresses[4]}));
    assert_eq!(
        read(&server, &format!("/wallet/address-index?address={}", addresses[5].as_str().unwrap())).await,
        json!({"success": false})
    );

    // What was paid before is found, and what is paid now is told of.
    assert_eq!(post(&server, MORE, json!({"count": 2})).await, (200, json!({"success": true})));
    assert_eq!(read(&server, "/wallet/addresses").await, json!({"addresses": addresses[2..=6]}));
    assert_eq!(read(&server, "/wallet/balance").await, json!({"available": 5_300, "locked": 0}));
    pay(&server, 6, 60_000).await;
    comes_to(&server, 65_300).await;
    pay(&server, 8, 800_000).await;
    assert_eq!(post(&server, LAST, json!({"index": "8"})).await, (200, json!({"success": true})));
    assert_eq!(read(&server, "/wallet/balance").await, json!({"available": 865_300, "locked": 0}));
    assert_eq!(post(&server, LAST, json!({"index": 1})).await, (200, json!({"success": true})));
    assert_eq!(read(&server, "/wallet/addresses").await, json!({"addresses": addresses[2..=8]}));

    // Its change stays with it.
    let (status, sent) =
        post(&server, "simple-send-tx", json!({"address": addresses[0], "value": 300})).await;
    assert_eq!((status, &sent["success"]), (200, &json!(true)), "{sent}");
    assert_eq!(read(&server, "/wallet/balance").await, json!({"available": 865_000, "locked": 0}));
    server.shutdown().await;
}

#[tokio::test]
async fn more_addresses_are_refused() {
    let server = server(0, 0).await;
    let refused = |field: &str, value: &Value, range: &str| {
        let mut problem = json!({"value": value, "msg": "Invalid value", "param": field, "location": "body"});
        if value.is_null() {
            problem.as_object_mut().unwrap().remove("value");
        }
        let message = format!("{field} must be an integer from {range}.");
        (400, json!({"success": false, "error": [problem], "message": message}))
    };
    for value in [json!(-1), json!("x"), json!(1.5), json!([1]), json!({}), json!(u128::MAX), json!(null)] {
        let body = |field: &str| if value.is_null() { json!({}) } else { json!({field: value}) };
        assert_eq!(post(&server, MORE, body("count")).await, refused("count", &value, "1 to 100000"));
        assert_eq!(post(&server, LAST, body("index")).await, refused("index", &value, "0 to 2147483647"));
    }
    for value in [json!(0), json!(100_001)] {
        assert_eq!(
            post(&server, MORE, json!({"count": value})).await,
            refused("count", &value, "1 to 100000")
        );
    }
    let far = "At most 100000 addresses are loaded at once: give an index of at most 100000.";
    assert_eq!(
        post(&server, LAST, json!({"index": 100_001})).await,
        (200, json!({"success": false, "error": far}))
    );
    for (operation, body) in [(MORE, json!({"count": 1})), (LAST, json!({"index": 30}))] {
        let refused =
            json!({"success": false, "error": "Wallet is not configured for index-limit scanning policy"});
        assert_eq!(server.call(operation, body).await.parts(), (200, refused));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_wallet_is_not_started_between_indexes_that_are_none() {
    let server = Server::start().await;
    let body =
        json!({"wallet-id": "a", "seedKey": "genesis", "scanPolicy": "index-limit", "policyStartIndex": -1});
    assert_eq!(
        server.post("/start", None, &body).await.parts(),
        (
            400,
            json!({
                "success": false, "message": "Parameter 'policyStartIndex' must be an integer from 0 to 2147483647.",
            })
        )
    );
    server.shutdown().await;
}
