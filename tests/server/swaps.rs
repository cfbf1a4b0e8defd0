//! `/wallet/atomic-swap/tx-proposal`: proposals that lie, and those that are repeated.

use super::p2sh::failed;
use super::support::{Answer, Server, names};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::Mnemonic;
use headless_wallet::ledger::{Amount, Network, PartialTx};
use serde_json::{Value, json};

const GROUP: &str = "/wallet/atomic-swap/tx-proposal";

/// A server with the wallets `genesis` and `ana`, which has 1,000 cents, and a token of genesis of which it
/// has 500.
pub async fn two(settings: &str) -> (Server, String) {
    let server = Server::with_wallet_and(settings).await;
    let token = server.done("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 500})).await;
    start_and_fund(&server, "ana", 1_000).await;
    (server, token["hash"].as_str().unwrap().to_owned())
}

async fn start_and_fund(server: &Server, id: &str, cents: u64) {
    let words = Mnemonic::generate().unwrap().words().to_owned();
    server.start_wallet(id, json!({"seed": words})).await;
    let address = get(server, id, "/wallet/address").await["address"].clone();
    server.done("simple-send-tx", json!({"address": address, "value": cents})).await;
    while balance(server, id, "00").await != cents {
        tokio::task::yield_now().await;
    }
}

pub async fn get(server: &Server, wallet: &str, path: &str) -> Value {
    server.ask("GET", path, &[("x-wallet-id", wallet)], b"").await.json()
}

async fn balance(server: &Server, wallet: &str, token: &str) -> u64 {
    get(server, wallet, &format!("/wallet/balance?token={token}")).await["available"].as_u64().unwrap()
}

pub async fn call(server: &Server, wallet: &str, path: &str, body: Value) -> Answer {
    server.post(&format!("{GROUP}{path}"), Some(wallet), &body).await
}

/// What an operation answers that must succeed.
pub async fn done(server: &Server, wallet: &str, path: &str, body: Value) -> Value {
    let answer = call(server, wallet, path, body).await.json();
    assert_eq!(answer["success"], true, "{path}: {answer}");
    answer
}

/// The proposal with a wallet's part, and whether it is balanced.
pub async fn propose(server: &Server, wallet: &str, body: Value) -> (String, bool) {
    let answer = done(server, wallet, "", body).await;
    assert_eq!(names(&answer), ["data", "isComplete", "success"]);
    (answer["data"].as_str().unwrap().to_owned(), answer["isComplete"].as_bool().unwrap())
}

pub async fn signatures(server: &Server, wallet: &str, partial: &str) -> String {
    let answer = done(server, wallet, "/get-my-signatures", json!({"partial_tx": partial})).await;
    assert_eq!(names(&answer), ["signatures", "success"]);
    answer["signatures"].as_str().unwrap().to_owned()
}

pub async fn locked(server: &Server, wallet: &str) -> Value {
    get(server, wallet, &format!("{GROUP}/get-locked-utxos")).await["locked_utxos"].clone()
}

/// Waits until a wallet knows of a transaction.
pub async fn knows(server: &Server, wallet: &str, id: &Value) {
    let id = id.as_str().unwrap().parse().unwrap();
    let wallet = server.app.wallets().get(wallet).unwrap();
    while wallet.read(|state, _| state.vertex(&id)).unwrap().is_none() {
        tokio::task::yield_now().await;
    }
}

/// A balanced proposal: genesis gives 30 of the token for 10 cents of ana's.
pub async fn balanced(server: &Server, token: &str) -> String {
    let first =
        json!({"send": {"tokens": [{"token": token, "value": 30}]}, "receive": {"tokens": [{"value": 10}]}});
    let (partial, complete) = propose(server, "genesis", first).await;
    assert!(!complete);
    let second = json!({
        "partial_tx": partial,
        "send": {"tokens": [{"value": 10}]},
        "receive": {"tokens": [{"token": token, "value": 30}]},
    });
    let (partial, complete) = propose(server, "ana", second).await;
    assert!(complete);
    partial
}

async fn both_signatures(server: &Server, partial: &str) -> [String; 2] {
    [signatures(server, "genesis", partial).await, signatures(server, "ana", partial).await]
}

#[tokio::test]
async fn a_repeated_proposal_is_the_first_one_and_locks_nothing_more() {
    let (server, _) = two("").await;
    let address = get(&server, "ana", "/wallet/address").await["address"].clone();
    server.done("simple-send-tx", json!({"address": address, "value": 1_000})).await;
    while balance(&server, "ana", "00").await != 2_000 {
        tokio::task::yield_now().await;
    }
    let propose = async |cents: u64| {
        let headers =
            [("content-type", "application/json"), ("x-wallet-id", "ana"), ("idempotency-key", "swap 1")];
        let body = json!({"send": {"tokens": [{"value": cents}]}}).to_string();
        server.ask("POST", GROUP, &headers, body.as_bytes()).await
    };
    let first = propose(700).await;
    assert_eq!((first.json()["success"].clone(), first.header("idempotency-replayed")), (json!(true), None));
    let locks = locked(&server, "ana").await;
    let again = propose(700).await;
    assert_eq!((&again.text, again.header("idempotency-replayed")), (&first.text, Some("true")));
    assert_eq!(locked(&server, "ana").await, locks);
    assert_eq!(propose(701).await.status, 422);
    server.shutdown().await;
}

#[tokio::test]
async fn what_a_proposal_says_of_its_inputs_is_checked_against_the_node() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let given = both_signatures(&server, &partial).await;
    let read = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    let lie = |change: &dyn Fn(&mut PartialTx)| {
        let mut lie = read.clone();
        change(&mut lie);
        lie.to_text().unwrap()
    };
    let ten_more = |partial: &mut PartialTx| {
        // Balanced all the same.
        let value = &mut partial.inputs[1].holds.value;
        *value = value.checked_add(Amount::new(10)).unwrap();
        let out = &mut partial.outputs[1].holds.value;
        *out = out.checked_add(Amount::new(10)).unwrap();
    };
    let other_address = |partial: &mut PartialTx| partial.inputs[0].address = partial.inputs[1].address;
    let no_such_output = |partial: &mut PartialTx| partial.inputs[0].spends.index = 200;
    let no_such_transaction = |partial: &mut PartialTx| partial.inputs[0].spends.tx.0 = [7; 32];
    let inconsistent = failed("Transaction data inconsistent with fullnode");
    for partial in [lie(&other_address), lie(&no_such_output), lie(&no_such_transaction)] {
        let body = json!({"partial_tx": partial});
        assert_eq!(call(&server, "ana", "/get-my-signatures", body.clone()).await.parts(), inconsistent);
        assert_eq!(
            server.post("/wallet/decode", Some("ana"), &body).await.parts(),
            failed("Partial transaction inconsistent with backend")
        );
    }
    // The same transaction, otherwise described: its signatures fit.
    let other = json!({"partial_tx": lie(&other_address), "signatures": given});
    for path in ["/sign", "/sign-and-push"] {
        assert_eq!(call(&server, "ana", path, other.clone()).await.parts(), inconsistent, "{path}");
    }
    let more = lie(&ten_more);
    if PartialTx::parse(&more, Network::Privatenet).unwrap().is_complete() {
        let body = json!({"partial_tx": more});
        assert_eq!(call(&server, "ana", "/get-my-signatures", body).await.parts(), inconsistent);
    } else {
        panic!("{more} is not balanced");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_swap_is_sent_once_however_often_it_is_asked_for() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let body = json!({"partial_tx": partial, "signatures": both_signatures(&server, &partial).await});
    let tried = done(&server, "ana", "/sign-and-push?dry_run=true", body.clone()).await;
    assert_eq!((&tried["dry_run"], tried["cost"].is_object()), (&json!(true), true), "{tried}");
    assert_eq!(balance(&server, "ana", &token).await, 0);
    let push = async || {
        let headers =
            [("content-type", "application/json"), ("x-wallet-id", "ana"), ("idempotency-key", "swap")];
        let path = format!("{GROUP}/sign-and-push");
        server.ask("POST", &path, &headers, body.to_string().as_bytes()).await
    };
    // The answer of the node is lost.
    let mode = NodeMode::Broken;
    server.devnet.set_node_faults(NodeFaults { mode, path: "push_tx".into(), ..NodeFaults::default() });
    let first = push().await;
    server.devnet.set_node_faults(NodeFaults::default());
    let second = push().await;
    assert_eq!(second.json()["success"], true, "{} then {}", first.text, second.text);
    assert_eq!(push().await.text, second.text);
    assert_eq!(balance(&server, "ana", &token).await, 30);
    // Without the key it is another request, for what is spent.
    let again = call(&server, "ana", "/sign-and-push", body.clone()).await.json();
    assert!(again["error"].as_str().unwrap().ends_with("is already spent"), "{again}");
    server.shutdown().await;
}
