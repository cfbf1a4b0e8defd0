//! Requests that are answered at once and carried out after that.

use super::nano::balance;
use super::raw::STRANGER;
use super::support::{Answer, GENESIS_WORDS, Server, ask};
use headless_wallet::devnet::{Devnet, NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::store::{RedbStore, Store, StoreError, TaskRecord};
use serde_json::{Value, json};
use tempfile::TempDir;

const ASYNC: (&str, &str) = ("prefer", "respond-async");

async fn post(server: &Server, operation: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    let mut all = vec![("content-type", "application/json"), ("x-wallet-id", "genesis")];
    all.extend_from_slice(headers);
    server.ask("POST", &format!("/wallet/{operation}"), &all, body.to_string().as_bytes()).await
}

/// Has a payment made later, and gives the task's id.
async fn pay(server: &Server, value: u64, headers: &[(&str, &str)]) -> String {
    let body = json!({"address": STRANGER, "value": value});
    let answer = post(server, "simple-send-tx", &[&[ASYNC], headers].concat(), &body).await;
    assert_eq!(answer.status, 202, "{}", answer.text);
    let id = answer.json()["taskId"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("location"), Some(&*format!("/wallet/tasks/{id}")));
    assert_eq!(answer.header("preference-applied"), Some("respond-async"));
    id
}

async fn task(server: &Server, id: &str) -> Value {
    server.read(&format!("/wallet/tasks/{id}?wait=60")).await
}

async fn statuses(server: &Server) -> Vec<(String, String)> {
    let list = server.read("/wallet/tasks").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    list["tasks"].as_array().unwrap().iter().map(|t| (text(&t["taskId"]), text(&t["status"]))).collect()
}

/// Has the node answer no push, or go on.
fn hold_pushes(devnet: &Devnet, held: bool) {
    let mode = if held { NodeMode::Slow } else { NodeMode::Normal };
    devnet.set_node_faults(NodeFaults { mode, path: "push_tx".into(), ..NodeFaults::default() });
}

#[tokio::test]
async fn a_request_is_answered_at_once_and_carried_out_after_that() {
    let server = Server::with_wallet().await;
    let before = balance(&server).await;
    let id = pay(&server, 5, &[]).await;
    let done = task(&server, &id).await;
    let hash = done["hash"].as_str().unwrap().to_owned();
    assert_eq!((&done["status"], &done["path"]), (&json!("pushed"), &json!("/wallet/simple-send-tx")));
    assert_eq!((&done["answerStatus"], &done["answer"]["hash"]), (&json!(200), &json!(hash)));
    assert_eq!((&done["taskId"], &done["urgency"], &done["error"]), (&json!(id), &json!(3), &Value::Null));
    assert!(done["createdAt"].as_u64() <= done["updatedAt"].as_u64());
    let sent = server.read(&format!("/wallet/transaction?id={hash}")).await;
    assert_eq!(sent["tx_id"], hash);
    assert_eq!(balance(&server).await, before - 5);
    server.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
    while task(&server, &id).await["status"] != "confirmed" {
        tokio::task::yield_now().await;
    }
    assert_eq!(statuses(&server).await, [(id, "confirmed".to_owned())]);
    assert_eq!(server.read("/wallet/tasks?status=failed").await["tasks"], json!([]));
    server.shutdown().await;
}

#[tokio::test]
async fn what_cannot_be_carried_out_is_refused_at_once_or_fails_with_its_reason() {
    let server = Server::with_wallet().await;
    let bad = json!({"address": STRANGER, "value": "5.5"});
    let refused = post(&server, "simple-send-tx", &[ASYNC], &bad).await.parts();
    assert_eq!(refused, post(&server, "simple-send-tx", &[], &bad).await.parts());
    assert_eq!(refused.0, 400);
    // So is what only the wallet can tell: before anything is planned, as without the preference.
    for (operation, body) in [
        ("simple-send-tx", json!({"address": "WYx", "value": 5})),
        ("simple-send-tx", json!({"address": STRANGER, "value": 5, "change_address": STRANGER})),
        ("send-tx", json!({"outputs": [{"address": "WYx", "value": 5}]})),
        ("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 5, "address": "WYx"})),
        ("mint-tokens", json!({"token": "ab".repeat(32), "amount": 5, "address": "WYx"})),
        ("utxo-consolidation", json!({"destination_address": "WYx"})),
        ("p2sh/tx-proposal/sign-and-push", json!({"txHex": "00", "signatures": []})),
        ("atomic-swap/tx-proposal/sign-and-push", json!({"partial_tx": "PartialTx|00||", "signatures": []})),
    ] {
        let at_once = post(&server, operation, &[], &body).await.parts();
        assert_eq!(post(&server, operation, &[ASYNC], &body).await.parts(), at_once, "{operation} {body}");
    }
    // A dry run is one.
    let good = json!({"address": STRANGER, "value": 5});
    let dry = post(&server, "simple-send-tx?dry_run=true", &[ASYNC], &good).await;
    assert_eq!((dry.status, &dry.json()["dry_run"]), (200, &json!(true)));
    // So is what sends nothing.
    let built = post(&server, "decode", &[ASYNC], &json!({"txHex": "00"})).await;
    assert_eq!(built.status, 200);
    assert_eq!(statuses(&server).await, []);

    let token = "ab".repeat(32);
    let poor = json!({"address": STRANGER, "value": 5, "token": token});
    let answer = post(&server, "simple-send-tx", &[ASYNC], &poor).await;
    let failed = task(&server, answer.json()["taskId"].as_str().unwrap()).await;
    let reason = post(&server, "simple-send-tx", &[], &poor).await.json();
    assert_eq!((&failed["status"], &failed["error"]), (&json!("failed"), &reason["error"]));
    assert_eq!((&failed["answer"], &failed["hash"]), (&reason, &Value::Null));

    for (method, path) in
        [("GET", "/wallet/tasks/ab"), ("GET", &format!("/wallet/tasks/{}", "ab".repeat(16)))]
    {
        let answer = server.ask(method, path, &[("x-wallet-id", "genesis")], b"").await;
        let id = path.rsplit('/').next().unwrap();
        let error = format!("The wallet has no task {id:?}, or it ended more than a day ago.");
        assert_eq!(answer.parts(), (404, json!({"success": false, "error": error})));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn an_end_that_comes_soon_can_be_waited_for() {
    let server = Server::with_wallet().await;
    let body = json!({"address": STRANGER, "value": 5});
    let wait = ("prefer", "respond-async, wait=60");
    let answer = post(&server, "simple-send-tx", &[wait], &body).await;
    assert_eq!((answer.status, &answer.json()["success"]), (200, &json!(true)));
    assert_eq!(answer.header("preference-applied"), Some("respond-async"));
    let wait = ("prefer", "respond-async, wait=0");
    assert_eq!(post(&server, "simple-send-tx", &[wait], &body).await.status, 202);
    server.shutdown().await;
}

#[tokio::test]
async fn so_many_at_once_in_the_order_of_their_urgency() {
    let server = Server::with_wallet_and("tasks_at_once = 1\ntasks_max_waiting = 3").await;
    hold_pushes(&server.devnet, true);
    let first = pay(&server, 1, &[]).await;
    // The place is taken once it has begun.
    while statuses(&server).await != [(first.clone(), "mining".to_owned())] {
        tokio::task::yield_now().await;
    }
    let second = pay(&server, 2, &[]).await;
    let urgent = pay(&server, 3, &[("priority", "u=0")]).await;
    let cancelled = pay(&server, 4, &[]).await;
    let body = json!({"address": STRANGER, "value": 5});
    let full = post(&server, "simple-send-tx", &[ASYNC], &body).await;
    let error = "3 tasks of the wallet wait, and there is no room for more: try again later, or raise the setting `tasks_max_waiting`.";
    assert_eq!(full.parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(full.header("retry-after"), Some("10"));
    let metrics = server.ask("GET", "/metrics", &[], b"").await.text;
    assert!(metrics.contains("headless_wallet_tasks{status=\"queued\"} 3\n"), "{metrics}");
    assert!(metrics.contains("headless_wallet_tasks{status=\"mining\"} 1\n"), "{metrics}");

    let wallet = [("x-wallet-id", "genesis")];
    let taken_back = server.ask("DELETE", &format!("/wallet/tasks/{cancelled}"), &wallet, b"").await;
    assert_eq!((taken_back.status, &taken_back.json()["status"]), (200, &json!("cancelled")));
    let begun = server.ask("DELETE", &format!("/wallet/tasks/{first}"), &wallet, b"").await;
    let error = "The task has begun and can't be taken back: it is mining.";
    assert_eq!(begun.parts(), (200, json!({"success": false, "error": error})));

    hold_pushes(&server.devnet, false);
    let mut ends = Vec::new();
    for id in [&first, &second, &urgent] {
        let done = task(&server, id).await;
        assert_eq!(done["status"], "pushed", "{done}");
        ends.push(done["updatedAt"].as_u64().unwrap());
    }
    assert!(ends[0] <= ends[2] && ends[2] <= ends[1], "{ends:?}");
    assert_eq!(task(&server, &cancelled).await["status"], "cancelled");
    server.shutdown().await;
}

#[tokio::test]
async fn a_key_is_that_of_one_task() {
    let server = Server::with_wallet().await;
    let before = balance(&server).await;
    let key = ("idempotency-key", "order-1");
    let id = pay(&server, 5, &[key]).await;
    assert_eq!(pay(&server, 5, &[key]).await, id);
    let done = task(&server, &id).await;
    assert_eq!(pay(&server, 5, &[key]).await, id);
    let body = |value: u32| json!({"address": STRANGER, "value": value});
    let other = post(&server, "simple-send-tx", &[ASYNC, key], &body(6)).await;
    assert_eq!(other.status, 422);
    // Who comes with the key and waits gets the same.
    let again = post(&server, "simple-send-tx", &[key], &body(5)).await;
    assert_eq!((&again.json()["hash"], again.header("idempotency-replayed")), (&done["hash"], Some("true")));
    assert_eq!(balance(&server).await, before - 5);
    server.shutdown().await;
}

#[tokio::test]
async fn a_push_whose_answer_is_lost_is_made_once() {
    let server = Server::with_wallet().await;
    let before = balance(&server).await;
    let mode = NodeMode::Broken;
    server.devnet.set_node_faults(NodeFaults { mode, path: "push_tx".into(), ..NodeFaults::default() });
    let id = pay(&server, 5, &[]).await;
    assert_eq!(task(&server, &id).await["status"], "pushed");
    assert_eq!(balance(&server).await, before - 5);
    server.shutdown().await;
}

#[tokio::test]
async fn who_waits_for_a_task_does_not_hold_a_server_that_is_to_end() {
    let server = Server::with_wallet().await;
    hold_pushes(&server.devnet, true);
    let address = server.address.clone();
    let waiting = tokio::spawn(async move {
        let headers = [
            ("content-type", "application/json"),
            ("x-wallet-id", "genesis"),
            ("prefer", "respond-async, wait=60"),
        ];
        let body = json!({"address": STRANGER, "value": 5}).to_string();
        ask(&address, "POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await
    });
    while !statuses(&server).await.iter().any(|(_, status)| status == "mining") {
        tokio::task::yield_now().await;
    }
    let (ended, devnet) = server.begin_shutdown();
    let answer = waiting.await.unwrap();
    assert_eq!((answer.status, &answer.json()["status"]), (202, &json!("mining")));
    // The send itself is brought to its end.
    hold_pushes(&devnet, false);
    ended.await.unwrap();
    devnet.shutdown().await;
}

#[tokio::test]
async fn tasks_outlive_the_server() {
    let dir = TempDir::new().unwrap();
    let settings = format!("data_dir = '{}'\ntasks_at_once = 1", dir.path().display());
    let server = Server::with_wallet_and(&settings).await;
    let before = balance(&server).await;
    hold_pushes(&server.devnet, true);
    let mut ids = Vec::new();
    for value in [1, 2, 4] {
        ids.push(pay(&server, value, &[]).await);
    }
    // The one that has begun ends, the others wait.
    let (ended, devnet) = server.begin_shutdown();
    hold_pushes(&devnet, false);
    ended.await.unwrap();
    let server = Server::on(devnet, &settings).await;
    // Of the same account, and can't sign.
    let genesis = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "").public().to_xpub();
    server.start_wallet("watching", json!({"xpubkey": genesis})).await;
    let watching = [("x-wallet-id", "watching")];
    assert_eq!(server.ask("GET", "/wallet/tasks", &watching, b"").await.json()["tasks"], json!([]));
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    for id in &ids {
        assert_eq!(task(&server, id).await["status"], "pushed");
    }
    assert_eq!(balance(&server).await, before - 7);
    let mut newest_first = ids.clone();
    newest_first.reverse();
    let listed: Vec<_> = statuses(&server).await.into_iter().map(|(id, _)| id).collect();
    assert_eq!(listed, newest_first);
    server.shutdown().await;
}

/// Of two tasks of yesterday the first was paid by a server that was killed before it had written that; the
/// other has no record, so nobody can tell whether it was paid.
#[tokio::test]
async fn tasks_of_yesterday_are_not_paid_again() {
    let dir = TempDir::new().unwrap();
    let settings = format!("data_dir = '{}'\ntasks_at_once = 1", dir.path().display());
    let server = Server::with_wallet_and(&settings).await;
    let before = balance(&server).await;
    hold_pushes(&server.devnet, true);
    let key = ("idempotency-key", "second");
    let ids = [pay(&server, 4, &[]).await, pay(&server, 1, &[key]).await];
    while statuses(&server).await[1].1 != "mining" {
        tokio::task::yield_now().await;
    }
    let (ended, devnet) = server.begin_shutdown();
    hold_pushes(&devnet, false);
    ended.await.unwrap();
    let mut files = std::fs::read_dir(&dir).unwrap().map(|file| file.unwrap().path());
    let file = files.find(|path| path.extension().is_some_and(|extension| extension == "redb")).unwrap();
    {
        // A task of the server that has ended may have it for a moment yet.
        let store = loop {
            match RedbStore::open_any(&file) {
                Err(StoreError::InUse(_)) => tokio::task::yield_now().await,
                opened => break opened.unwrap(),
            }
        };
        let tasks = store.task_records().unwrap();
        for kept in tasks.tasks().await.unwrap() {
            let mut task: Value = serde_json::from_slice(&kept.task).unwrap();
            task["outcome"] = Value::Null;
            task["created"] = json!(task["created"].as_u64().unwrap() - 24 * 3_600_000);
            let task = serde_json::to_vec(&task).unwrap();
            tasks.keep_task(TaskRecord { task, ..kept }, true).await.unwrap();
        }
    }
    let server = Server::on(devnet, &settings).await;
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    let paid = task(&server, &ids[0]).await;
    let hash = paid["hash"].as_str().unwrap();
    assert_eq!((&paid["status"], &paid["answer"]["hash"]), (&json!("pushed"), &json!(hash)));
    assert_eq!(server.read(&format!("/wallet/transaction?id={hash}")).await["tx_id"], hash);
    let unknown = task(&server, &ids[1]).await;
    assert_eq!((&unknown["status"], &unknown["answerStatus"]), (&json!("failed"), &json!(504)));
    assert!(unknown["error"].as_str().unwrap().contains("is not known here"), "{unknown}");
    assert_eq!(unknown["answer"]["code"], json!("OUTCOME_UNKNOWN"));
    // The same key is the same task, which nobody carries out.
    assert_eq!(pay(&server, 1, &[key]).await, ids[1]);
    assert_eq!(balance(&server).await, before - 4);
    server.shutdown().await;
}

/// How many outputs no send has.
async fn available(server: &Server) -> u64 {
    let filtered = server.read("/wallet/utxo-filter?only_available_utxos=true").await;
    filtered["total_utxos_available"].as_u64().unwrap()
}

/// What a wallet refuses because it is being stopped, it does once it is started again.
#[tokio::test]
async fn tasks_that_wait_for_change_outlive_a_stop_of_their_wallet() {
    let dir = TempDir::new().unwrap();
    let settings = format!("data_dir = '{}'\ntasks_at_once = 3", dir.path().display());
    let server = Server::with_wallet_and(&settings).await;
    let before = balance(&server).await;
    hold_pushes(&server.devnet, true);
    // The first one leaves the others nothing but its change; the last one does not begin.
    let mut ids = Vec::new();
    for value in [before - 10, 1, 2, 4] {
        ids.push(pay(&server, value, &[]).await);
    }
    while statuses(&server).await.iter().filter(|(_, status)| status == "mining").count() < 3 {
        tokio::task::yield_now().await;
    }
    assert_eq!(available(&server).await, 0);
    let nothing = json!({});
    let stop = server.post("/wallet/stop", Some("genesis"), &nothing);
    // Those that wait are refused, and the stop waits for the one that has its inputs.
    let let_go = async {
        while !server.get("/metrics").await.text.contains("\nheadless_wallet_http_requests_in_flight 2\n") {
            tokio::task::yield_now().await;
        }
        hold_pushes(&server.devnet, false);
    };
    let (stopped, ()) = tokio::join!(stop, let_go);
    assert_eq!(stopped.json()["success"], true);
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    for id in &ids {
        assert_eq!(task(&server, id).await["status"], "pushed");
    }
    assert_eq!(balance(&server).await, 3);
    server.shutdown().await;
}

/// It has sent nothing; a send that has its inputs is brought to its end.
#[tokio::test]
async fn a_send_that_waits_for_change_does_not_hold_a_server_that_is_to_end() {
    let server = Server::with_wallet().await;
    let send = |value: u64| {
        let address = server.address.clone();
        tokio::spawn(async move {
            let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
            let body = json!({"address": STRANGER, "value": value}).to_string();
            ask(&address, "POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await
        })
    };
    hold_pushes(&server.devnet, true);
    let first = send(balance(&server).await - 10);
    while available(&server).await > 0 {
        tokio::task::yield_now().await;
    }
    let waiting = send(1);
    // Both of them.
    while !server.get("/metrics").await.text.contains("\nheadless_wallet_http_requests_in_flight 2\n") {
        tokio::task::yield_now().await;
    }
    let (ended, devnet) = server.begin_shutdown();
    let refused = waiting.await.unwrap();
    let error = "The service is shutting down and takes no new requests.";
    assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(refused.header("retry-after"), Some("1"));
    hold_pushes(&devnet, false);
    assert_eq!(first.await.unwrap().json()["success"], true);
    ended.await.unwrap();
    devnet.shutdown().await;
}
