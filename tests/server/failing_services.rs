//! Operations while services fail, and those that come to the limits of the network.

use super::nano::mine;
use super::raw::STRANGER;
use super::support::Server;
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::service::Phase;
use serde_json::{Value, json};

/// Somebody has pushed a transaction dated as far ahead as a node takes it, and a block has confirmed it: the
/// newest parents that node and mining service offer are ahead of the clock now.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_waits_for_what_others_date_ahead_of_the_clock() {
    for mining in ["service", "local", "service-then-local"] {
        let server = Server::with_wallet_and(&format!("mining = '{mining}'")).await;
        let somebody = Address::p2pkh(Network::Privatenet, [9; 20]);
        let ahead = server.devnet.change(|chain, now| {
            let id = chain.fund_dated(somebody, Amount::from(5u64), now + 250, now).unwrap();
            chain.mine_block(vec![0x51], now);
            chain.get(&id).unwrap().timestamp()
        });
        let token =
            server.done("create-token", json!({"name": "Early", "symbol": "ERL", "amount": 100})).await;
        let sent = server.done("send-tx", json!({"outputs": [{"type": "data", "data": "early"}]})).await;
        for answer in [token, sent] {
            assert!(answer["timestamp"].as_u64().unwrap() < ahead.into(), "{mining}: {answer}");
        }
        server.shutdown().await;
    }
}

#[tokio::test]
async fn confirmations_that_the_node_does_not_say_are_refused() {
    let server = Server::with_wallet().await;
    let sent = server.done("send-tx", json!({"outputs": [{"type": "data", "data": "x"}]})).await;
    let path = format!("/wallet/tx-confirmation-blocks?id={}", sent["hash"].as_str().unwrap());
    mine(&server).await;
    for (failing, error) in [
        ("transaction", "Failed to get transaction data from the full node."),
        ("feature", "Failed to get network heigth from the full node."),
    ] {
        let faults = NodeFaults { mode: NodeMode::Garbage, path: failing.into(), ..NodeFaults::default() };
        server.devnet.set_node_faults(faults);
        assert_eq!(server.read(&path).await, json!({"success": false, "error": error}));
    }
    server.shutdown().await;
}

/// Everything that a caller can see of the wallet's money.
async fn holdings(server: &Server) -> (Value, Value) {
    (server.read("/wallet/balance").await, server.read("/wallet/utxo-filter?only_available_utxos=true").await)
}

#[tokio::test]
async fn a_mining_timeout_is_told_with_its_remedy_and_frees_the_inputs() {
    let server = Server::with_wallet().await;
    let before = holdings(&server).await;
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Timeout, ..MiningFaults::default() });
    let body = json!({"outputs": [{"type": "data", "data": "x"}]});
    let answer = server.call("send-tx", body.clone()).await.json();
    let error = answer["error"].as_str().unwrap();
    assert!(error.starts_with("Timeout solving transaction's proof-of-work.\n\n"), "{error}");
    assert_eq!(holdings(&server).await, before);
    assert_eq!(server.read("/wallet/status").await["error"], error);

    server.devnet.set_mining_faults(MiningFaults::default());
    server.done("send-tx", body).await;
    assert_eq!(server.read("/wallet/status").await.get("error"), None);
    server.shutdown().await;
}

/// Values and token data of the outputs, in order.
fn outputs(answer: &Value) -> Vec<(u64, u64)> {
    let outputs = answer["outputs"].as_array().unwrap();
    outputs.iter().map(|o| (o["value"].as_u64().unwrap(), o["token_data"].as_u64().unwrap())).collect()
}

/// One transaction has at most 255 inputs. What needs more is refused, and the refusal says how to go on;
/// doing so helps.
#[tokio::test]
async fn a_send_of_more_than_255_inputs_says_how_and_goes_through_after_that() {
    let server = Server::start().await;
    let words = Mnemonic::generate().unwrap();
    let keys = AccountKeys::from_mnemonic(&words, "").public();
    let home = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
    for _ in 0..300 {
        server.devnet.change(|chain, now| chain.fund(home, Amount::from(2), now)).unwrap();
    }
    server.start_wallet("crumbs", json!({ "seed": words.words() })).await;
    let all = json!({"address": STRANGER, "value": 600});
    let send = || server.post("/wallet/simple-send-tx", Some("crumbs"), &all);
    let error = "Transaction has 300 inputs and can have at most 255. Token 00 is spread over many outputs of which one transaction can \
                 move 510: send that much or less to an address of this wallet first, to make one output of many";
    assert_eq!(send().await.parts(), (200, json!({"success": false, "error": error})));
    let merge = json!({"destination_address": home.to_string()});
    let merged = server.post("/wallet/utxo-consolidation", Some("crumbs"), &merge).await.json();
    assert_eq!((&merged["success"], &merged["total_utxos_consolidated"]), (&json!(true), &json!(255)));
    assert_eq!(send().await.json()["success"], true);
    server.shutdown().await;
}

/// The push is taken while the WebSocket is gone: what was sent is told all the same.
#[tokio::test]
async fn a_consolidation_is_answered_as_done_when_the_connection_to_the_node_broke_meanwhile() {
    let server = Server::with_wallet().await;
    let to = server.address(6).await;
    let pay = |value: u64| json!({"address": to, "value": value});
    let paid = server.done("send-tx", json!({"outputs": [pay(3), pay(4)]})).await;
    let faults = |mode, path: &str| {
        server.devnet.set_node_faults(NodeFaults { mode, path: path.to_owned(), ..NodeFaults::default() });
    };
    faults(NodeMode::Slow, "push_tx");
    let body = json!({"destination_address": server.address(7).await, "filter_address": to});
    let break_connection = async {
        let free = format!("/wallet/utxo-filter?only_available_utxos=true&filter_address={to}");
        while server.read(&free).await["total_utxos_available"] != 0 {
            tokio::task::yield_now().await;
        }
        // The push that waits is turned away, and made again until the node takes it.
        faults(NodeMode::Down, "");
        let wallet = server.app.wallets().get("genesis").unwrap();
        wallet.watch().wait_for(|status| status.phase != Phase::Ready).await.unwrap();
        faults(NodeMode::Down, "ws");
    };
    let (answer, ()) = tokio::join!(server.call("utxo-consolidation", body), break_connection);
    let not_ready = server.get("/wallet/balance").await;
    assert_eq!(not_ready.json()["success"], false, "{}", not_ready.text);
    // In the order of the outputs, which is a random one.
    let places = outputs(&paid).into_iter().enumerate().filter(|(_, (value, _))| [3, 4].contains(value));
    let utxos = places.map(|(index, (amount, _))| {
        json!({"address": to, "amount": amount, "tx_id": paid["hash"], "locked": false, "index": index})
    });
    let merged = answer.json();
    let id = merged["txId"].clone();
    assert_eq!(
        (answer.status, merged),
        (
            200,
            json!({
                "success": true, "txId": id, "total_utxos_consolidated": 2, "total_amount": 7,
                "utxos": utxos.collect::<Vec<_>>(),
            })
        )
    );
    let id = id.as_str().unwrap().parse().unwrap();
    assert!(server.devnet.read(|chain| chain.get(&id).is_some()));
    server.shutdown().await;
}
