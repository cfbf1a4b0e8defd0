//! `Idempotency-Key`: a repeated POST is answered, not carried out again.

use super::support::{Answer, Server, ask, short};
use headless_wallet::devnet::{Devnet, MiningFaults};
use headless_wallet::rt::unix_seconds;
use headless_wallet::store::{PushRecord, PushRecords, RECORD_LIFE};
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn post(server: &Server, operation: &str, key: &str, body: &Value) -> Answer {
    let headers =
        [("content-type", "application/json"), ("x-wallet-id", "genesis"), ("idempotency-key", key)];
    server.ask("POST", &format!("/wallet/{operation}"), &headers, body.to_string().as_bytes()).await
}

async fn history(server: &Server) -> usize {
    server.read("/wallet/tx-history").await.as_object().unwrap().len()
}

#[tokio::test]
async fn a_repeated_post_gets_the_first_answer() {
    let server = Server::with_wallet().await;
    let to = server.address(5).await;
    let body = json!({"address": to, "value": 7});
    let before = history(&server).await;
    let first = post(&server, "simple-send-tx", "order-1", &body).await;
    assert_eq!((first.json()["success"].clone(), first.header("idempotency-replayed")), (json!(true), None));
    for _ in 0..3 {
        let again = post(&server, "simple-send-tx", "order-1", &body).await;
        assert_eq!((again.status, &again.text), (first.status, &first.text));
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_ne!(again.header("x-request-id"), first.header("x-request-id"));
    }
    assert_eq!(history(&server).await, before + 1);
    assert_ne!(post(&server, "simple-send-tx", "order-2", &body).await.text, first.text);
    let other = post(&server, "simple-send-tx", "order-1", &json!({"address": to, "value": 8})).await;
    let error = "This Idempotency-Key was used with another request: use a new key for each request.";
    assert_eq!(other.parts(), (422, json!({"success": false, "error": error})));
    let long = post(&server, "simple-send-tx", &"k".repeat(256), &body).await;
    let error = "The Idempotency-Key must have 1 to 255 characters.";
    assert_eq!(long.parts(), (400, json!({"success": false, "error": error})));
    assert_eq!(history(&server).await, before + 2);
    server.shutdown().await;
}

#[tokio::test]
async fn a_refusal_is_not_the_last_word() {
    let server = Server::with_wallet().await;
    let body =
        json!({"destination_address": server.address(5).await, "filter_address": server.address(6).await});
    let refused = post(&server, "utxo-consolidation", "k", &body).await;
    assert_eq!(refused.json()["error"], "No available utxo to consolidate.");
    server.done("simple-send-tx", json!({"address": server.address(6).await, "value": 5})).await;
    let done = post(&server, "utxo-consolidation", "k", &body).await;
    assert_eq!(done.json()["total_amount"], 5);
    let dry = post(
        &server,
        "utxo-consolidation?dry_run=true",
        "d",
        &json!({"destination_address": server.address(5).await}),
    )
    .await;
    assert_eq!(dry.json()["dry_run"], true);
    server.shutdown().await;
}

#[tokio::test]
async fn repetitions_wait_for_the_first_even_if_its_caller_is_gone() {
    let server = Server::with_wallet().await;
    let delay = Duration::from_millis(300);
    server.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let body = json!({"outputs": [{"type": "data", "data": "once"}]}).to_string();
    let before = history(&server).await;
    let address = server.address.clone();
    let sent = body.clone();
    let request = tokio::spawn(async move {
        let headers =
            [("content-type", "application/json"), ("x-wallet-id", "genesis"), ("idempotency-key", "k")];
        ask(&address, "POST", "/wallet/send-tx", &headers, sent.as_bytes()).await
    });
    // Under way once its inputs are set aside; then its caller hangs up.
    let all = server.read("/wallet/utxo-filter").await["total_utxos_available"].clone();
    while server.read("/wallet/utxo-filter?only_available_utxos=true").await["total_utxos_available"] == all {
        tokio::task::yield_now().await;
    }
    request.abort();
    let body: Value = serde_json::from_str(&body).unwrap();
    let (one, two) = tokio::join!(post(&server, "send-tx", "k", &body), post(&server, "send-tx", "k", &body));
    assert_eq!(one.json()["success"], true, "{}", one.text);
    assert_eq!(one.text, two.text);
    assert_eq!(history(&server).await, before + 1);
    server.shutdown().await;
}

/// A server ends, and another begins on what it kept.
async fn restarted(server: Server, settings: &str) -> Server {
    let (task, devnet): (_, Devnet) = server.begin_shutdown();
    task.await.unwrap();
    let server = Server::on(devnet, settings).await;
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    server
}

#[tokio::test]
async fn keys_outlive_the_server_where_wallets_are_kept() {
    let dir = TempDir::new().unwrap();
    let settings = format!("data_dir = '{}'\n", dir.path().display());
    let server = Server::with_wallet_and(&settings).await;
    let mut sent = Vec::new();
    let mut send = async |operation: &'static str, body: Value| {
        let answer = post(&server, operation, "order", &body).await;
        assert_eq!(answer.json()["success"], true, "{}", answer.text);
        let hash = answer.json()["hash"].as_str().unwrap_or_default().to_owned();
        sent.push((operation, body, answer));
        hash
    };
    let to = server.address(5).await;
    send("simple-send-tx", json!({"address": to, "value": 7})).await;
    send("send-tx", json!({"outputs": [{"address": to, "value": 8}, {"type": "data", "data": "once"}]}))
        .await;
    send("utxo-consolidation", json!({"destination_address": to, "filter_address": to})).await;
    let token = send("create-token", json!({"name": "Once", "symbol": "ONE", "amount": 200})).await;
    send("create-nft", json!({"name": "Art", "symbol": "ART", "amount": 1, "data": "ipfs://x"})).await;
    send("mint-tokens", json!({"token": token, "amount": 100})).await;
    send("melt-tokens", json!({"token": token, "amount": 100})).await;
    let refused = json!({"address": to, "value": 1, "token": "00".repeat(32)});
    assert_eq!(post(&server, "simple-send-tx", "refused", &refused).await.json()["success"], false);
    let before = history(&server).await;

    let server = restarted(server, &settings).await;
    assert_eq!(history(&server).await, before);
    for (operation, body, first) in &sent {
        let again = post(&server, operation, "order", body).await;
        assert_eq!((again.status, &again.text), (first.status, &first.text), "{operation}");
        assert_eq!(again.header("idempotency-replayed"), Some("true"), "{operation}");
    }
    let other = post(&server, "simple-send-tx", "order", &json!({"address": to, "value": 9})).await;
    let error = "This Idempotency-Key was used with another request: use a new key for each request.";
    assert_eq!(other.parts(), (422, json!({"success": false, "error": error})));
    assert_eq!(history(&server).await, before);
    // Nothing was done for it, so it may become another one.
    let accepted = post(&server, "simple-send-tx", "refused", &json!({"address": to, "value": 2})).await;
    assert_eq!((&accepted.json()["success"], accepted.header("idempotency-replayed")), (&json!(true), None));
    // Keys hold for one wallet: another one that is called otherwise is asked for the first time.
    server.start_wallet("other", json!({"seedKey": "genesis"})).await;
    let headers =
        [("content-type", "application/json"), ("x-wallet-id", "other"), ("idempotency-key", "order")];
    let (_, body, first) = &sent[0];
    let body = body.to_string();
    let other = server.ask("POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await;
    assert_eq!(other.json()["success"], true);
    assert_ne!(other.text, first.text);
    server.shutdown().await;
}

/// Other people's keys, on paths and wallets that there are not, and without leave: nothing is kept of them.
#[tokio::test]
async fn no_crowd_of_keys_makes_a_key_forgotten() {
    let server = Server::with_wallet().await;
    let body = json!({"address": server.address(5).await, "value": 7});
    let first = post(&server, "simple-send-tx", "order-1", &body).await;
    assert_eq!(first.json()["success"], true, "{}", first.text);
    const CROWD: usize = 10_001;
    let mut requests = String::new();
    for number in 1..=CROWD {
        let path = ["/nothing", "/wallet/simple-send-tx"][number % 2];
        let end = if number == CROWD { "Connection: close\r\n" } else { "" };
        requests.push_str(&format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Wallet-Id: nobody\r\nIdempotency-Key: {number}\r\n\
             Content-Length: 0\r\n{end}\r\n"
        ));
    }
    let (mut reader, mut writer) = TcpStream::connect(&server.address).await.unwrap().into_split();
    let write = async { writer.write_all(requests.as_bytes()).await.unwrap() };
    let mut answers = Vec::new();
    let read = async { reader.read_to_end(&mut answers).await.unwrap() };
    tokio::join!(write, read);
    assert_eq!(String::from_utf8(answers).unwrap().matches("HTTP/1.1 ").count(), CROWD);
    let again = post(&server, "simple-send-tx", "order-1", &body).await;
    assert_eq!((again.status, &again.text), (first.status, &first.text));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    server.shutdown().await;
}

#[tokio::test]
async fn a_key_is_not_that_of_another_wallet_which_has_the_same_id_later() {
    let server = Server::with_wallet().await;
    let body = json!({"address": server.address(5).await, "value": 7});
    let first = post(&server, "simple-send-tx", "order-1", &body).await;
    assert_eq!(first.json()["success"], true, "{}", first.text);
    let restart = async |seed: Value| {
        assert_eq!(server.post("/wallet/stop", Some("genesis"), &json!({})).await.json()["success"], true);
        server.start_wallet("genesis", seed).await;
    };
    let words = headless_wallet::keys::Mnemonic::generate().unwrap();
    restart(json!({"seed": words.words()})).await;
    let other = post(&server, "simple-send-tx", "order-1", &body).await;
    assert_eq!(other.parts(), short("00", 7, 0));
    // The first wallet is known again, without a data directory too.
    restart(json!({"seedKey": "genesis"})).await;
    let again = post(&server, "simple-send-tx", "order-1", &body).await;
    assert_eq!((&again.text, again.header("idempotency-replayed")), (&first.text, Some("true")));
    server.shutdown().await;
}

/// Has the records of other wallets take all room but for less than a record; the oldest of them ends in 1000
/// s. Gives how many they are.
async fn fill_records(server: &Server) -> usize {
    let records = server.app.shared_accounts().push_records().of("others");
    let (mut count, mut size) = (0, 64 * 1024 * 1024);
    while size > 0 {
        let key = [count as u8; 32];
        let (request, time, transaction) = ([0; 32], unix_seconds() - RECORD_LIFE + 1_000, vec![0; size]);
        let record = PushRecord { key, request, time, transaction, is_open: false };
        match records.keep_push_records(vec![record]).await {
            Ok(()) => count += 1,
            Err(_) => size /= 2,
        }
    }
    count
}

#[tokio::test]
async fn a_new_key_without_room_is_told_when_to_come_again_and_an_old_one_is_answered() {
    let server = Server::with_wallet().await;
    let body = json!({"address": server.address(5).await, "value": 7});
    let first = post(&server, "simple-send-tx", "old", &body).await;
    assert_eq!(first.json()["success"], true, "{}", first.text);
    let before = history(&server).await;
    let remembered = fill_records(&server).await + 1;
    for (operation, body) in [("simple-send-tx", &body), ("send-tx", &json!({"outputs": [body]}))] {
        let refused = post(&server, operation, "new", body).await;
        let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
        // As far as the test took less than a minute.
        assert!((941..=1_001).contains(&wait), "{wait}");
        let error = format!(
            "this request sent nothing, because the wallet's store can't remember the Idempotency-Key: {remembered} requests of the last day \
             are remembered, and there is room for no more: repeat the request in {wait} s, or start the server with --data-dir, \
             where there is room for all"
        );
        assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})), "{operation}");
    }
    assert_eq!(history(&server).await, before);
    let again = post(&server, "simple-send-tx", "old", &body).await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    // Without a key there is nothing to remember.
    server.done("simple-send-tx", body).await;
    server.shutdown().await;
}
