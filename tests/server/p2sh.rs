//! `/wallet/p2sh/tx-proposal`: signatures of participants that are none, and a push that is repeated.

use super::multisig::{FOREIGN, Three, pay, read};
use super::support::{Answer, Server};
use headless_wallet::ledger::{InputData, Transaction};
use serde_json::{Value, json};
use tempfile::TempDir;

const GROUP: &str = "/wallet/p2sh/tx-proposal";

pub fn failed(error: &str) -> (u16, Value) {
    (200, json!({"success": false, "error": error}))
}

pub fn transaction(hex: &str) -> Transaction {
    Transaction::from_bytes(&hex::decode(hex).unwrap()).unwrap()
}

fn hex(transaction: &Transaction) -> String {
    hex::encode(transaction.to_bytes().unwrap())
}

pub async fn call(server: &Server, wallet: &str, path: &str, body: Value) -> Answer {
    server.post(&format!("{GROUP}{path}"), Some(wallet), &body).await
}

/// What participant 0 proposes.
pub async fn proposed(server: &Server, path: &str, body: Value) -> String {
    let answer = call(server, "0", path, body).await.json();
    assert_eq!((answer.as_object().unwrap().len(), &answer["success"]), (2, &json!(true)), "{answer}");
    answer["txHex"].as_str().unwrap().to_owned()
}

/// What a participant gives to the others.
pub async fn share(server: &Server, wallet: &str, hex: &str) -> String {
    let answer = call(server, wallet, "/get-my-signatures", json!({"txHex": hex})).await.json();
    assert_eq!((answer.as_object().unwrap().len(), &answer["success"]), (2, &json!(true)), "{answer}");
    answer["signatures"].as_str().unwrap().to_owned()
}

/// A server with further settings, on which the three run and have these amounts.
pub async fn funded_with(more: &str, amounts: &[u64]) -> Server {
    let three = Three::new();
    let server = three.server_with(more).await;
    three.start(&server).await;
    for amount in amounts {
        pay(&server, &three.addresses[0], *amount, "0").await;
    }
    for wallet in ["0", "1", "2"] {
        while read(&server, wallet, "/wallet/balance").await["available"] != amounts.iter().sum::<u64>() {
            tokio::task::yield_now().await;
        }
    }
    server
}

#[tokio::test]
async fn signatures_that_do_not_do_are_named_before_the_proof_of_work() {
    let server = funded_with("", &[1000, 500]).await;
    let built = proposed(&server, "", json!({"outputs": [{"address": FOREIGN, "value": 1200}]})).await;
    assert_eq!(transaction(&built).inputs.len(), 2);
    let (zero, one) = (share(&server, "0", &built).await, share(&server, "1", &built).await);
    let key = |share: &str| share[..66].to_owned();
    let sign = async |hex: &str, signatures: &[&str]| {
        let body = json!({"txHex": hex, "signatures": signatures});
        let answer = call(&server, "0", "/sign-and-push", body.clone()).await.parts();
        assert_eq!(call(&server, "0", "/sign", body).await.parts(), answer);
        answer
    };
    let count = "Quantity of signatures different than expected. Expected 2 Received";
    assert_eq!(sign(&built, &[&zero]).await, failed(&format!("{count} 1")));
    assert_eq!(sign(&built, &[&zero, &one, &one]).await, failed(&format!("{count} 3")));
    let twice = format!("Invalid signatures: participant {} has signed twice", key(&zero));
    assert_eq!(sign(&built, &[&zero, &zero]).await, failed(&twice));
    let stranger = format!("{}{}", "02".repeat(33), &one[66..]);
    let unknown = format!("Invalid signatures: {} is the key of no participant", "02".repeat(33));
    assert_eq!(sign(&built, &[&zero, &stranger]).await, failed(&unknown));
    let first_alone = one.rsplit_once('|').unwrap().0;
    let missing = format!("Invalid signatures: participant {} has not signed input 1", key(&one));
    assert_eq!(sign(&built, &[&zero, first_alone]).await, failed(&missing));
    let nonsense =
        "Invalid signatures: the first part must be the participant's public key (33 bytes in hex)";
    assert_eq!(sign(&built, &["x", "y"]).await, failed(nonsense));
    let no_signature = |share: &str, input: u8| {
        failed(&format!(
            "Invalid signatures: what participant {} gives for input {input} is no signature of this transaction",
            key(share)
        ))
    };
    // Another's signature under one's own key, a signature cut short, and those of another transaction.
    let borrowed = format!("{}{}", key(&one), &zero[66..]);
    assert_eq!(sign(&built, &[&zero, &borrowed]).await, no_signature(&one, 0));
    assert_eq!(sign(&built, &[&zero, &one[..one.len() - 2]]).await, no_signature(&one, 1));
    let mut tampered = transaction(&built);
    tampered.outputs[0].value = 7_u64.into();
    let tampered = hex(&tampered);
    let least = if zero < one { &zero } else { &one };
    assert_eq!(sign(&tampered, &[&zero, &one]).await, no_signature(least, 0));
    let unreadable = "We currently support only the Transaction and CreateTokenTransaction types. Other types will be supported \
                      in the future.";
    assert_eq!(sign(&built[..40], &[&zero, &one]).await, failed(unreadable));

    // The node evaluates scripts too: it takes the signatures in no other order.
    let body = json!({"txHex": built, "signatures": [one, zero]});
    let signed = call(&server, "0", "/sign", body.clone()).await.json();
    let mut reversed = transaction(signed["txHex"].as_str().unwrap());
    for input in &mut reversed.inputs {
        let Some(InputData::P2sh { mut signatures, redeem_script }) = InputData::parse(&input.data) else {
            panic!("signed")
        };
        signatures.reverse();
        input.data = InputData::P2sh { signatures, redeem_script }.to_bytes().unwrap();
    }
    let pushed = server.post("/push-tx", None, &json!({"txHex": hex(&reversed)})).await;
    assert_eq!(
        pushed.parts(),
        failed("Input 0 has a signature that is not one of this transaction by its key.")
    );
    // Nothing of all this was held on to.
    let dry = server.post(&format!("{GROUP}/sign-and-push?dry_run=true"), Some("0"), &body).await.json();
    assert_eq!(
        (&dry["dry_run"], &dry["hash"], &dry["cost"]["total"]),
        (&json!(true), &Value::Null, &json!(0))
    );
    assert_eq!(call(&server, "0", "/sign-and-push", body.clone()).await.json()["success"], true);
    // Whoever sends it again has made another transaction of it, which would void the first.
    let spends = transaction(&built).inputs[0].spends;
    let spent = failed(&format!(
        "Token: 00. Output [{}] of transaction [{}] is already spent",
        spends.index, spends.tx
    ));
    assert_eq!(call(&server, "0", "/sign-and-push", body.clone()).await.parts(), spent);
    while read(&server, "2", "/wallet/balance").await["available"] != 300 {
        tokio::task::yield_now().await;
    }
    assert_eq!(call(&server, "2", "/sign-and-push", body).await.parts(), spent);
    server.shutdown().await;
}

#[tokio::test]
async fn what_was_pushed_with_a_key_is_not_pushed_again_after_a_restart() {
    let three = Three::new();
    let dir = TempDir::new().unwrap();
    let settings = three.settings(&format!("data_dir = '{}'\n", dir.path().display()));
    let server = Server::with_wallet_and(&settings).await;
    three.start(&server).await;
    pay(&server, &three.addresses[0], 700, "0").await;
    let hex = proposed(&server, "", json!({"outputs": [{"address": FOREIGN, "value": 100}]})).await;
    let signatures = [share(&server, "0", &hex).await, share(&server, "1", &hex).await];
    let body = json!({"txHex": hex, "signatures": signatures}).to_string();
    let headers = [("content-type", "application/json"), ("x-wallet-id", "0"), ("idempotency-key", "order")];
    let path = format!("{GROUP}/sign-and-push");
    let first = server.ask("POST", &path, &headers, body.as_bytes()).await;
    assert_eq!(first.json()["success"], true, "{}", first.text);

    let (task, devnet) = server.begin_shutdown();
    task.await.unwrap();
    let server = Server::on(devnet, &settings).await;
    three.start(&server).await;
    let again = server.ask("POST", &path, &headers, body.as_bytes()).await;
    assert_eq!((again.status, &again.text), (first.status, &first.text));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(read(&server, "0", "/wallet/balance").await, json!({"available": 600, "locked": 0}));
    server.shutdown().await;
}
