//! Whatever one caller asks for, another one's send goes on.

use super::support::{Server, ask};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::ledger::{Input, Outpoint, Transaction, VertexId};
use serde_json::json;

/// Requests that wait at the node, at most, of those who only read.
const READS: usize = 5;

/// A transaction that spends what no wallet knows.
fn foreign() -> String {
    let input = |n| Input { spends: Outpoint { tx: VertexId([n; 32]), index: 0 }, data: Vec::new() };
    let transaction = Transaction {
        signal_bits: 0,
        tokens: Vec::new(),
        inputs: (1..=8).map(input).collect(),
        outputs: Vec::new(),
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: 1,
        parents: Vec::new(),
        nonce: 0,
        headers: Vec::new(),
    };
    hex::encode(transaction.to_bytes().unwrap())
}

#[tokio::test]
async fn reads_that_the_node_does_not_answer_hold_up_no_send() {
    let server = Server::with_wallet().await;
    server.start_wallet("reader", json!({"seed": format!("{}art", "abandon ".repeat(23))})).await;
    let (slow, path) = (NodeMode::Slow, "transaction".to_owned());
    server.devnet.set_node_faults(NodeFaults { mode: slow, path, ..NodeFaults::default() });
    let body = json!({"txHex": foreign()}).to_string();
    let decode = || {
        let (address, body) = (server.address.clone(), body.clone());
        tokio::spawn(async move {
            let headers = [("content-type", "application/json"), ("x-wallet-id", "reader")];
            ask(&address, "POST", "/wallet/decode", &headers, body.as_bytes()).await
        })
    };
    let decodes: Vec<_> = (0..20).map(|_| decode()).collect();
    while server.devnet.held_requests() < READS {
        tokio::task::yield_now().await;
    }
    let outputs = json!([{"type": "data", "data": "in the meantime"}]);
    server.done("send-tx", json!({"outputs": outputs})).await;
    assert_eq!(server.devnet.held_requests(), READS);

    server.devnet.set_node_faults(NodeFaults::default());
    let unknown = format!("Could not find input transaction for txId {}", "01".repeat(32));
    for decode in decodes {
        let (_, answer) = decode.await.unwrap().parts();
        assert_eq!(answer["error"], unknown);
    }
    server.shutdown().await;
}
