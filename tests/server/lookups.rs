//! Reads that name one address, transaction or token.

use super::support::Server;
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::ledger::{Address, Network, Script};
use serde_json::{Value, json};

const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

fn mine(server: &Server, blocks: usize) {
    let script = Script::Pay { to: Address::p2pkh(Network::Privatenet, [1; 20]), timelock: None };
    let script = script.to_bytes().unwrap();
    for _ in 0..blocks {
        server.devnet.change(|chain, now| chain.mine_block(script.clone(), now));
    }
}

/// The 400 of a query parameter that is missing.
fn missing(param: &str) -> (u16, Value) {
    let entry = json!({"msg": "Invalid value", "param": param, "location": "query"});
    let message = format!("{param} is required and must be a string.");
    (400, json!({"success": false, "error": [entry], "message": message}))
}

#[tokio::test]
async fn address_index() {
    let server = Server::with_wallet().await;
    let third = server.address(3).await;
    let ask = async |query: &str| server.get(&format!("/wallet/address-index{query}")).await.parts();
    assert_eq!(ask(&format!("?address={third}")).await, (200, json!({"success": true, "index": 3})));
    for other in [FOREIGN, "nonsense", ""] {
        assert_eq!(ask(&format!("?address={other}")).await, (200, json!({"success": false})), "{other}");
    }
    assert_eq!(ask("").await, missing("address"));
    assert_eq!(ask("?address=a&address=b").await.0, 400);
    server.shutdown().await;
}

#[tokio::test]
async fn the_last_loaded_index_is_that_of_the_last_address() {
    let server = Server::with_wallet().await;
    let addresses = server.read("/wallet/addresses").await["addresses"].as_array().unwrap().len();
    assert_eq!(
        server.read("/wallet/config/last-loaded-address-index").await,
        json!({"success": true, "index": addresses - 1})
    );
    server.shutdown().await;
}

#[tokio::test]
async fn address_info() {
    let server = Server::with_wallet().await;
    let (to, back) = (server.address(4).await, server.address(5).await);
    let sent =
        server.done("simple-send-tx", json!({"address": to, "value": 70, "change_address": back})).await;
    let outputs = sent["outputs"].as_array().unwrap();
    let change = json!({"hash": sent["hash"], "index": outputs.iter().position(|o| o["value"] != 70)});
    let locked = json!({"address": to, "value": 30, "timelock": 4_000_000_000_u32});
    let body = json!({"outputs": [locked], "inputs": [change], "change_address": back});
    server.done("send-tx", body).await;
    let info = async |query: &str| server.get(&format!("/wallet/address-info?{query}")).await.parts();
    let expected = |sent: u64, available: u64, token: &str| {
        json!({
            "success": true, "total_amount_received": 100, "total_amount_sent": sent,
            "total_amount_available": available, "total_amount_locked": 30, "token": token, "index": 4,
        })
    };
    assert_eq!(info(&format!("address={to}")).await, (200, expected(0, 70, "00")));
    assert_eq!(info(&format!("address={to}&token=00")).await, (200, expected(0, 70, "00")));

    let query = json!([{"type": "query", "filter_address": to}]);
    server.done("send-tx", json!({"inputs": query, "outputs": [{"address": back, "value": 70}]})).await;
    assert_eq!(info(&format!("address={to}&token=")).await, (200, expected(70, 0, "00")));

    for token in ["ab".repeat(32)] {
        let none = json!({
            "success": true, "total_amount_received": 0, "total_amount_sent": 0,
            "total_amount_available": 0, "total_amount_locked": 0, "token": token, "index": 4,
        });
        assert_eq!(info(&format!("address={to}&token={token}")).await, (200, none));
    }
    for other in [FOREIGN, "nonsense"] {
        let error = json!({"success": false, "error": "Address does not belong to this wallet."});
        assert_eq!(info(&format!("address={other}")).await, (200, error));
    }
    assert_eq!(info("token=00").await, missing("address"));
    server.shutdown().await;
}

#[tokio::test]
async fn one_transaction_is_the_entry_of_the_history() {
    let server = Server::with_wallet().await;
    let sent = server.done("send-tx", json!({"outputs": [{"type": "data", "data": "x"}]})).await;
    let id = sent["hash"].as_str().unwrap();
    let listed = server.read("/wallet/tx-history").await;
    let one = server.read(&format!("/wallet/transaction?id={id}")).await;
    assert_eq!(one, listed[id]);
    assert_eq!(one["tx_id"], id);
    for unknown in ["ab".repeat(32), "nonsense".to_owned()] {
        let error = format!("Wallet does not contain transaction with id {unknown}");
        let answer = server.get(&format!("/wallet/transaction?id={unknown}")).await;
        assert_eq!(answer.parts(), (200, json!({"success": false, "error": error})));
        let answer = server.get(&format!("/wallet/tx-confirmation-blocks?id={unknown}")).await;
        assert_eq!(answer.parts(), (200, json!({"success": false, "error": error})));
    }
    assert_eq!(server.get("/wallet/transaction").await.parts(), missing("id"));
    assert_eq!(server.get("/wallet/tx-confirmation-blocks").await.parts(), missing("id"));
    server.shutdown().await;
}

#[tokio::test]
async fn confirmations_are_the_blocks_since_the_first() {
    let server = Server::with_wallet().await;
    let sent = server.done("send-tx", json!({"outputs": [{"type": "data", "data": "x"}]})).await;
    let path = format!("/wallet/tx-confirmation-blocks?id={}", sent["hash"].as_str().unwrap());
    let confirmed = |n: u32| json!({"success": true, "confirmationNumber": n});
    assert_eq!(server.read(&path).await, confirmed(0));
    mine(&server, 1);
    assert_eq!(server.read(&path).await, confirmed(0));
    mine(&server, 3);
    assert_eq!(server.read(&path).await, confirmed(3));

    let refused = |error: &str| json!({"success": false, "error": error});
    let path_fails =
        |path: &str| NodeFaults { mode: NodeMode::Garbage, path: path.into(), ..NodeFaults::default() };
    server.devnet.set_node_faults(path_fails("transaction"));
    assert_eq!(server.read(&path).await, refused("Failed to get transaction data from the full node."));
    server.devnet.set_node_faults(path_fails("feature"));
    assert_eq!(server.read(&path).await, refused("Failed to get network heigth from the full node."));
    server.shutdown().await;
}

#[tokio::test]
async fn configuration_strings_need_no_wallet() {
    let server = Server::with_wallet().await;
    let made = server.done("create-token", json!({"name": "Test 1", "symbol": "TST1", "amount": 100})).await;
    let uid = made["hash"].as_str().unwrap();
    let ask = async |query: &str| {
        server.ask("GET", &format!("/configuration-string{query}"), &[], b"").await.parts()
    };
    assert_eq!(
        ask(&format!("?token={uid}")).await,
        (200, json!({"success": true, "configurationString": made["configurationString"]}))
    );
    for unknown in ["ab".repeat(32), "nonsense".to_owned(), String::new()] {
        assert_eq!(
            ask(&format!("?token={unknown}")).await,
            (200, json!({"success": false, "message": "Invalid token uid."})),
            "{unknown}"
        );
    }
    assert_eq!(ask("").await, missing("token"));
    assert_eq!(ask("?token=a&token=b").await.0, 400);
    server.shutdown().await;
}
