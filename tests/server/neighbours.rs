//! Whatever one caller asks for, another one's send goes on.

use super::support::{Answer, Server, ask};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::ledger::{Input, Outpoint, Transaction, VertexId};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// Requests that wait at the node, at most, of those who only read, and of those before their sends are
/// signed.
const READS: usize = 5;
const SENDS: usize = 6;

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

/// A server whose node does not answer to `path`, and twenty requests of another wallet that wait for that,
/// of which so many are at the node.
async fn crowded(path: &str, operation: &str, body: Value, held: usize) -> (Server, Vec<JoinHandle<Answer>>) {
    let server = Server::with_wallet().await;
    server.start_wallet("neighbour", json!({"seed": format!("{}art", "abandon ".repeat(23))})).await;
    let (mode, path) = (NodeMode::Slow, path.to_owned());
    server.devnet.set_node_faults(NodeFaults { mode, path, ..NodeFaults::default() });
    let (target, body) = (format!("/wallet/{operation}"), body.to_string());
    let one = || {
        let (address, target, body) = (server.address.clone(), target.clone(), body.clone());
        tokio::spawn(async move {
            let headers = [("content-type", "application/json"), ("x-wallet-id", "neighbour")];
            ask(&address, "POST", &target, &headers, body.as_bytes()).await
        })
    };
    let crowd = (0..20).map(|_| one()).collect();
    while server.devnet.held_requests() < held {
        tokio::task::yield_now().await;
    }
    (server, crowd)
}

/// Nobody of the crowd has more places than it may, and all are answered once the node answers.
async fn answered((server, crowd): (Server, Vec<JoinHandle<Answer>>), most: usize, error: &str) {
    assert!(server.devnet.held_requests() <= most, "{}", server.devnet.held_requests());
    server.devnet.set_node_faults(NodeFaults::default());
    for request in crowd {
        let (_, answer) = request.await.unwrap().parts();
        assert_eq!(answer["error"], error);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn reads_that_the_node_does_not_answer_hold_up_no_send_and_no_start() {
    let decode = json!({"txHex": foreign()});
    let (server, crowd) = crowded("transaction", "decode", decode, READS).await;
    let outputs = json!([{"type": "data", "data": "in the meantime"}]);
    server.done("send-tx", json!({"outputs": outputs})).await;
    server.start_wallet("another", json!({"seed": format!("{}art", "abandon ".repeat(23))})).await;
    let unknown = format!("Could not find input transaction for txId {}", "01".repeat(32));
    answered((server, crowd), READS, &unknown).await;
}

/// What only looks like a send: of a token that the node has to be asked for, and that nobody has.
#[tokio::test]
async fn sends_that_the_node_is_asked_for_hold_up_no_other_send() {
    let token = "01".repeat(32);
    let output = json!({"address": "WZ7pDnkPnxbs14GHdUFivFzPbzitwNtvZo", "value": 1, "token": token});
    let (server, crowd) = crowded("token", "send-tx", json!({"outputs": [output]}), SENDS).await;
    let outputs = json!([{"type": "data", "data": "in the meantime"}]);
    server.done("send-tx", json!({"outputs": outputs})).await;
    let nothing = format!("Token: {token}. Insufficient amount of tokens to fill the amount.");
    answered((server, crowd), SENDS, &nothing).await;
}
